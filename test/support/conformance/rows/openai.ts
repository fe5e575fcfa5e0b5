import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { onlyOurs, type Row } from '../row.ts'
import { setTimeout as delay } from 'node:timers/promises'
import { events, type Reply, sentence, type Session, toForm } from '../session.ts'

const QUESTION = 'What does the lamp burn?'

interface Annotated {
  readonly text: string
  readonly annotations: readonly {
    readonly start_index: number
    readonly end_index: number
    readonly filename: string
  }[]
}

const LAMP = '# Lamp\n\nThe lamp of the lighthouse burns kerosene.\n'

const lampStore = (s: Session) => s.withFiles({ 'lamp.md': LAMP })

const respond = (s: Session, body: object) =>
  s.call('POST', s.paths.responses, { json: { model: 'extractive', ...body } })

const asking = (store: string) => ({ input: QUESTION, tools: [{ type: 'file_search', vector_store_ids: [store] }] })

function annotated(response: unknown): Annotated {
  const { output } = response as { output: readonly { type: string; content?: readonly Annotated[] }[] }
  const part = output.find(({ type }) => type === 'message')?.content?.[0]
  assert.ok(part)
  return part
}

function checkMarks({ text, annotations }: Annotated): void {
  assert.ok(annotations.length > 0)
  for (const { start_index: from, end_index: to, filename } of annotations) {
    assert.match(text.slice(from, to), /^\[RREF\d+\]$/)
    assert.equal(filename, 'lamp.md')
  }
}

function ok(reply: Reply): unknown {
  assert.equal(reply.status, 200, reply.text)
  return reply.json
}

interface Made {
  readonly id: string
  readonly name: string
  readonly status: string
}

async function makeStore(s: Session, more: object = {}): Promise<Made> {
  const name = `fb-${randomUUID()}`
  s.willRemove(name)
  return ok(await s.call('POST', s.paths.vectorStores, { json: { name, ...more } })) as Made
}

const uploadFile = async (s: Session, name: string) =>
  ok(await s.call('POST', s.paths.uploads, { form: toForm('file', name, LAMP, { purpose: 'assistants' }) })) as Made

async function untilRead(s: Session, store: string, file: string): Promise<void> {
  for (let left = 300; left > 0; left -= 1) {
    const { status } = ok(await s.call('GET', s.paths.storeFile(store, file))) as Made
    if (status === 'completed') return
    assert.equal(status, 'in_progress')
    await delay(100)
  }
  throw new Error('the file was not indexed in half a minute')
}

const idsIn = (reply: Reply) => (ok(reply) as { data: readonly Made[] }).data.map(({ id }) => id)

export const openAiRows: readonly Row[] = [
  onlyOurs([154], 'a response from a collection names the range of each mark and its file', async (s) => {
    const made = ok(await respond(s, { ...asking(await lampStore(s)), include: ['file_search_call.results'] }))
    assert.partialDeepStrictEqual(made, {
      object: 'response',
      status: 'completed',
      output: [{ type: 'file_search_call' }],
    })
    checkMarks(annotated(made))
  }),
  onlyOurs([155], 'the events of a streamed response are those of OpenAI, and the last has all of it', async (s) => {
    const reply = await respond(s, { ...asking(await lampStore(s)), stream: true })
    assert.match(reply.headers.get('content-type') ?? '', /^text\/event-stream/)
    const all = events(reply).map((one) => JSON.parse(one) as { type: string; delta?: string; response?: unknown })
    assert.equal(all[0]?.type, 'response.created')
    assert.equal(all.at(-1)?.type, 'response.completed')
    const whole = annotated(all.at(-1)?.response)
    assert.equal(all.map(({ delta }) => delta ?? '').join(''), whole.text)
    checkMarks(whole)
  }),
  onlyOurs([156], 'what is not supported of responses is refused with 400 and a remedy', async (s) => {
    for (const more of [
      { background: true },
      { previous_response_id: 'resp_1' },
      { tools: [{ type: 'web_search' }] },
    ]) {
      const reply = await respond(s, { input: QUESTION, ...more })
      assert.equal(reply.status, 400)
      assert.match(sentence(reply), /: .+\.$/)
    }
  }),
  onlyOurs([156], 'what is not supported of vector stores and files is refused with 400 and a remedy', async (s) => {
    const store = await lampStore(s)
    const unknown = toForm('file', 'lamp.md', LAMP, { purpose: 'assistants', collection: store })
    for (const reply of [
      await s.call('POST', s.paths.vectorStores, { json: { name: `fb-${randomUUID()}`, tags: [] } }),
      await s.call('POST', s.paths.storeSearch(store), { json: { query: QUESTION, top_k: 3 } }),
      await s.call('GET', `${s.paths.storeFiles(store)}?filter=done`),
      await s.call('POST', s.paths.uploads, { form: unknown }),
    ]) {
      assert.equal(reply.status, 400)
      assert.match(sentence(reply), /: .+\.$/)
    }
  }),
  onlyOurs([157], 'a vector store is a collection: made, listed, shown and deleted as one', async (s) => {
    const store = await makeStore(s)
    assert.equal((await s.record(store.name)).name, store.name)
    assert.deepEqual(ok(await s.call('GET', s.paths.vectorStore(store.name))), store)
    assert.ok(idsIn(await s.call('GET', `${s.paths.vectorStores}?limit=100`)).includes(store.id))
    const gone = ok(await s.call('DELETE', s.paths.vectorStore(store.id)))
    assert.deepEqual(gone, { id: store.id, object: 'vector_store.deleted', deleted: true })
    assert.equal((await s.call('GET', s.paths.vectorStore(store.id))).status, 404)
  }),
  onlyOurs(
    [158, 159, 160],
    'an uploaded file is attached under its id, searched, read, removed and deleted',
    async (s) => {
      const file = await uploadFile(s, `lamp-${randomUUID()}.md`)
      s.willRemove('uploaded-files')
      const store = await makeStore(s)
      const attached = await s.call('POST', s.paths.storeFiles(store.id), { json: { file_id: file.id } })
      assert.partialDeepStrictEqual(ok(attached), { id: file.id, object: 'vector_store.file' })
      await untilRead(s, store.id, file.id)
      assert.deepEqual(idsIn(await s.call('GET', s.paths.storeFiles(store.id))), [file.id])
      const found = ok(await s.call('POST', s.paths.storeSearch(store.id), { json: { query: QUESTION } }))
      assert.partialDeepStrictEqual(found, {
        object: 'vector_store.search_results.page',
        search_query: [QUESTION],
        data: [{ file_id: file.id }],
      })
      assert.match((await s.call('GET', `${s.paths.storeFile(store.id, file.id)}/content`)).text, /kerosene/)
      assert.equal((await s.call('GET', `${s.paths.upload(file.id)}/content`)).text, LAMP)
      ok(await s.call('DELETE', s.paths.storeFile(store.id, file.id)))
      assert.deepEqual(idsIn(await s.call('GET', s.paths.storeFiles(store.id))), [])
      assert.ok(idsIn(await s.call('GET', `${s.paths.uploads}?limit=100`)).includes(file.id))
      ok(await s.call('GET', s.paths.upload(file.id)))
      ok(await s.call('DELETE', s.paths.upload(file.id)))
      assert.equal((await s.call('GET', s.paths.upload(file.id))).status, 404)
    },
  ),
  onlyOurs(
    [161],
    'a vector store of another owner, and its files, are as if they were not there',
    async (s, server) => {
      const name = await lampStore(s)
      const store = (ok(await s.call('GET', s.paths.vectorStore(name))) as Made).id
      const [file = ''] = idsIn(await s.call('GET', s.paths.storeFiles(store)))
      const key = await server.makeKey('openai-stranger')
      for (const path of [
        s.paths.vectorStore(store),
        s.paths.storeFiles(store),
        s.paths.storeFile(store, file),
        s.paths.upload(file),
      ])
        assert.equal((await s.call('GET', path, { key })).status, 404)
      const found = await s.call('POST', s.paths.storeSearch(store), { json: { query: QUESTION }, key })
      assert.equal(found.status, 404)
    },
  ),
]
