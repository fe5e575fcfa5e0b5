import assert from 'node:assert/strict'
import { model, modelList } from '#platform/wire/models.ts'
import { userProfile } from '#platform/wire/service.ts'
import { everywhere, onlyOurs, type Row } from '../row.ts'
import { answerText, type Session } from '../session.ts'

type Fields = Readonly<Record<string, unknown>>

async function profileOf(s: Session): Promise<Fields> {
  const reply = await s.call('GET', s.paths.user)
  assert.equal(reply.status, 200, reply.text)
  return reply.json as Fields
}

async function modelsOf(s: Session): Promise<readonly Fields[]> {
  const reply = await s.call('GET', s.paths.models)
  assert.equal(reply.status, 200, reply.text)
  const envelope = reply.json as { object: string; data: Fields[] }
  assert.equal(envelope.object, 'list')
  assert.ok(envelope.data.length > 0)
  return envelope.data
}

export const modelAndUserRows: readonly Row[] = [
  everywhere([1], 'a model is listed and chatted with in the way of OpenAI', async (s) => {
    assert.ok((await modelsOf(s)).some((one) => one['id'] === s.target.chatModel))
    assert.ok(answerText(await s.chat(s.chatBody('Say hello.'))).length > 0)
  }),
  everywhere([38, 39, 40, 43, 89], 'the profile tells username, e-mail, name and registration date', async (s) => {
    const profile = await profileOf(s)
    for (const field of ['username', 'email', 'first_name', 'surname']) {
      assert.ok(typeof profile[field] === 'string' && profile[field] !== '', field)
    }
    assert.ok(!Number.isNaN(Date.parse(String(profile['created_at']))))
  }),
  everywhere([41, 42], 'the profile counts collections and files', async (s) => {
    const { collections, files } = s.target.profile.counts
    const before = await profileOf(s)
    const name = await s.create()
    await s.upload(name, 'a.md', '# A')
    const after = await profileOf(s)
    assert.equal(after[collections], Number(before[collections]) + 1)
    assert.equal(after[files], Number(before[files]) + 1)
  }),
  onlyOurs([44, 98], 'the profile answers bare, under the base URL and under the prefix', async (s) => {
    const { managementPrefix: prefix } = s.target.profile
    for (const [path, credential] of [
      [`${s.root}/user/me`, 'bearer'],
      [`${s.root}/user/me`, 'raw'],
      [`${s.target.baseUrl}/user/me`, 'bearer'],
      [`${s.root}${prefix}/user/me`, 'raw'],
      [`${s.target.baseUrl}${prefix}/user/me`, 'raw'],
    ] as const) {
      const reply = await s.call('GET', path, { credential })
      assert.equal(reply.status, 200, path)
      userProfile.strict().parse(reply.json)
    }
  }),
  onlyOurs([44, 85, 98], 'under the prefix of the deployed service the profile has its names', async (s) => {
    const countsOf = async (path: string, credential: 'raw' | 'bearer') => {
      const reply = await s.call('GET', path, { credential })
      assert.equal(reply.status, 200, path)
      return Object.keys(reply.json as object).filter((name) => /^(?:collection|arcana)_count$/.test(name))
    }
    assert.deepEqual(await countsOf(`${s.root}/collections/api/v1/user/me`, 'raw'), ['collection_count'])
    assert.deepEqual(await countsOf(`${s.root}/arcanas/api/v1/user/me`, 'raw'), ['arcana_count'])
    // No name was said, so both are there.
    assert.deepEqual(await countsOf(`${s.target.baseUrl}/user/me`, 'bearer'), ['collection_count', 'arcana_count'])
  }),
  everywhere(
    [45, 46, 47, 48, 49, 50, 51, 52, 90],
    'the models come in an envelope, each with all its fields',
    async (s) => {
      for (const one of await modelsOf(s)) {
        for (const field of ['id', 'name', 'input', 'output', 'owned_by', 'created', 'demand', 'status']) {
          assert.ok(one[field] !== undefined && one[field] !== null, `${String(one['id'])}: ${field}`)
        }
      }
    },
  ),
  onlyOurs([45, 46, 47, 48, 49, 50, 51, 52], 'each field of a model is what its name says', async (s) => {
    const list = modelList.parse((await s.call('GET', s.paths.models)).json).data
    assert.deepEqual(
      list.map(({ id, input, output, status }) => [id, input, output, status]),
      [
        ['double-chat', ['text'], ['text'], 'ready'],
        ['double-embed', ['text'], ['embedding'], 'ready'],
        ['double-whisper', ['audio'], ['text'], 'ready'],
        ['extractive', ['text'], ['text'], 'ready'],
      ],
    )
    assert.partialDeepStrictEqual(list[0], { owned_by: 'double', created: 1_760_000_000, demand: 0 })
    assert.partialDeepStrictEqual(list[3], {
      owned_by: 'footbridge',
      name: 'Extractive: answers in the words of the files',
    })
  }),
  everywhere([53], 'a model carries no link to a repository or a tokenizer', async (s) => {
    for (const one of await modelsOf(s)) {
      const names = Object.keys(one).join(' ')
      assert.doesNotMatch(names, /repo|tokenizer|huggingface/i)
      assert.doesNotMatch(JSON.stringify(one), /https?:\/\//)
    }
  }),
  onlyOurs([53], 'fields that the model server adds to a model are not handed on', async (s) => {
    const { data } = (await s.call('GET', s.paths.models)).json as { data: unknown[] }
    for (const one of data) model.strict().parse(one)
  }),
  onlyOurs([90], 'the models are listed for POST, too', async (s) => {
    const reply = await s.call('POST', s.paths.models)
    assert.deepEqual(reply.json, (await s.call('GET', s.paths.models)).json)
  }),
  onlyOurs([90], 'a model is told by its id, and one that is not there is 404', async (s) => {
    const one = await s.call('GET', `${s.paths.models}/double-chat`)
    model.strict().parse(one.json)
    assert.equal((await s.call('GET', `${s.paths.models}/meta/none`)).status, 404)
  }),
  onlyOurs([1], 'texts become vectors in the way of OpenAI', async (s) => {
    const json = { model: 'double-embed', input: ['harbour', 'harbour', 'bread'] }
    const reply = await s.call('POST', s.paths.embeddings, { json })
    assert.equal(reply.status, 200, reply.text)
    const [one, same, other] = (reply.json as { data: { embedding: number[] }[] }).data
    assert.deepEqual(one?.embedding, same?.embedding)
    assert.notDeepEqual(one?.embedding, other?.embedding)
  }),
  onlyOurs([1], 'a text is read out in the way of OpenAI', async (s) => {
    const json = { model: 'double-speech', voice: 'alloy', input: 'Good day.' }
    const reply = await s.call('POST', s.paths.speech, { json })
    assert.equal(reply.status, 200, reply.text)
    assert.equal(reply.headers.get('content-type'), 'audio/mpeg')
    assert.equal(reply.text, 'sound of Good day.')
  }),
]
