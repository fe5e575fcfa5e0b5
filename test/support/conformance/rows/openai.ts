import assert from 'node:assert/strict'
import { onlyOurs, type Row } from '../row.ts'
import { events, type Reply, sentence, type Session } from '../session.ts'

const QUESTION = 'What does the lamp burn?'

interface Annotated {
  readonly text: string
  readonly annotations: readonly {
    readonly start_index: number
    readonly end_index: number
    readonly filename: string
  }[]
}

const lampStore = (s: Session) => s.withFiles({ 'lamp.md': '# Lamp\n\nThe lamp of the lighthouse burns kerosene.\n' })

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
  onlyOurs([156], 'what is not done of responses is refused with 400 and a remedy', async (s) => {
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
]
