import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startUpstreamDouble, type UpstreamDouble } from '#test/doubles/upstream/double.ts'
import { addKey, as } from './people.ts'
import { collectionChat, inference, management, openPlatform, toForm, type TestPlatform } from './platform.ts'

const chat = '/v1/chat/completions'
const day = (name: string) => `# Ferry\n\nThe ferry to the island leaves at nine on ${name}.\n`

describe('what a question is answered from', () => {
  let platform: TestPlatform
  let upstream: UpstreamDouble
  beforeAll(async () => {
    upstream = await startUpstreamDouble()
    platform = await openPlatform({ upstream: { baseUrl: upstream.baseUrl, chatModel: 'double-chat' } })
    await platform.fill('notes', {
      'monday.md': day('Monday'),
      'tuesday.md': day('Tuesday'),
      'other.md': 'Bread is sold by the baker.',
    })
    await platform.fill('harbour', { 'monday.md': 'The ferry to the island costs five coins on Monday.' })
    await platform.fill('a,b', { 'comma.md': 'The ferry to the island is blue.' })
  })
  afterAll(async () => {
    await platform.close()
    await upstream.close()
  })

  const ask = (collection: object, more: object = {}) =>
    platform.call('POST', chat, {
      json: collectionChat('When does the ferry to the island leave?', { model: 'double-chat', ...more, collection }),
      headers: inference,
      bearer: true,
    })
  async function filesOf(collection: object): Promise<string[]> {
    const response = await ask(collection)
    expect(response.status).toBe(200)
    const { choices } = (await response.json()) as { choices: { message: { content: string } }[] }
    const entries = choices[0]?.message.content.matchAll(/^\[RREF\d+\] (\S+) \(\d/gm) ?? []
    return [...entries].map((match) => match[1] ?? '')
  }
  const failure = async (collection: object) => {
    const response = await ask(collection)
    return [response.status, ((await response.json()) as { detail: string }).detail]
  }

  it('is a number of chunks', async () => {
    expect(await filesOf({ id: 'local/notes' })).toHaveLength(2)
    expect(await filesOf({ id: 'local/notes', limit: 1 })).toHaveLength(1)
    expect(await filesOf({ id: 'local/notes', limit: null, filename: null })).toHaveLength(2)
  })

  it('is one file', async () => {
    expect(await filesOf({ id: 'local/notes', filename: 'tuesday.md' })).toEqual(['tuesday.md'])
    expect(await filesOf({ id: 'local/notes', filename: 'other.md' })).toEqual([])
    expect(await failure({ id: 'local/notes', filename: 'gone.md' })).toEqual([
      404,
      'There is no file gone.md in local/notes.',
    ])
  })

  it('is several collections, each once', async () => {
    const files = await filesOf({ id: 'local/notes, local/harbour,local/notes' })
    expect(files.toSorted()).toEqual(['monday.md', 'monday.md', 'tuesday.md'])
    expect(await filesOf({ id: 'local/notes,local/harbour', filename: 'monday.md' })).toHaveLength(2)
    expect(await filesOf({ id: 'local/notes,local/harbour', limit: 1 })).toHaveLength(1)
    expect(await filesOf({ id: 'local/harbour,local/notes', filename: 'tuesday.md' })).toEqual(['tuesday.md'])
  })

  it('is a collection with a comma in its name, alone and among others', async () => {
    expect(await filesOf({ id: 'local/a,b' })).toEqual(['comma.md'])
    expect(await filesOf({ id: 'local/a,b,local/notes' })).toHaveLength(3)
  })

  it('is nothing when one of them is not there', async () => {
    expect(await failure({ id: 'local/notes,local/gone' })).toEqual([404, 'There is no collection local/gone.'])
  })

  it('is nothing when one of them belongs to somebody else, until that one is shared', async () => {
    const anna = as(platform, (await addKey(platform, 'anna')).key)
    await platform.fill('open', { 'open.md': 'The ferry to the island leaves at nine.' })
    const share = (name: string) =>
      platform.call('PUT', `${management}/collection/${name}/sharing`, { json: { visibility: 'public' } })
    await share('open')
    const askBoth = async () => {
      const collection = { id: 'local/open,local/harbour' }
      const json = collectionChat('When does the ferry leave?', { model: 'double-chat', collection })
      const response = await anna('POST', chat, { json, headers: inference })
      return [response.status, await response.text()]
    }
    const asked = upstream.requests.length
    expect(await askBoth()).toEqual([404, expect.stringContaining('There is no collection local/harbour.')])
    expect(upstream.requests).toHaveLength(asked)
    await share('harbour')
    expect(await askBoth()).toEqual([200, expect.stringContaining('monday.md')])
  })

  it('is asked by the extractive model in the same way', async () => {
    const response = await ask(
      { id: 'local/notes,local/harbour', filename: 'monday.md', limit: 1 },
      { model: 'extractive' },
    )
    const text = await response.text()
    expect(text).toContain('[RREF1] monday.md')
    expect(text).not.toContain('[RREF2]')
  })

  it('is what holds some of its words, when other words stand behind the question', async () => {
    const words = 'boat sails departs leaves schedule timetable crossing passage vessel quay berth jetty ferry island'
    const asked = async (model: string, question = `How do I get over there?\n\n${words}`) => {
      const json = collectionChat(question, { model, collection: { id: 'local/notes' } })
      return (await platform.call('POST', chat, { json, headers: inference, bearer: true })).text()
    }
    expect(await asked('double-chat')).toContain('[RREF1] monday.md')
    // Whoever quotes without understanding gives nothing for so little.
    expect(await asked('extractive')).not.toContain('[RREF1]')
    const few = words.replaceAll(/leaves|ferry/g, '')
    expect(await asked('double-chat', `How do I get over there?\n\n${few}`)).not.toContain('[RREF1]')
  })

  it.each([
    { id: 'notes' },
    { id: ',local/notes' },
    { id: '' },
    { id: 'local/notes', limit: 0 },
    { id: 'local/notes', limit: 51 },
    { id: 'local/notes', limit: 'all' },
    { id: 'local/notes', filename: '' },
    { id: Array.from({ length: 17 }, (_, number) => `local/c${number}`).join(',') },
  ])('is refused when it does not fit: %j', async (collection) => {
    expect((await ask(collection)).status).toBe(422)
  })

  it('loses a replaced file at once, also when only that file is asked', async () => {
    await platform.fill('moving', { 'a.md': day('Friday') })
    expect(await filesOf({ id: 'local/moving', filename: 'a.md' })).toEqual(['a.md'])
    const path = `${management}/collection/moving/files/a.md`
    await platform.call('PUT', path, { body: toForm('file', 'a.md', 'Nothing of the kind.') })
    expect(await filesOf({ id: 'local/moving', filename: 'a.md' })).toEqual([])
  })
})
