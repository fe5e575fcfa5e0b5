import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { collectionList, collectionRecord, fileList } from '#platform/wire/collections.ts'
import { addKey, as } from './people.ts'
import { collectionChat, inference, management, openPlatform, toForm, type TestPlatform } from './platform.ts'

const collections = `${management}/collection`
const notes = `${collections}/notes`
const foreign = `${collections}/${encodeURIComponent('local/notes')}`

const forbidden = (count: number) => Array.from({ length: count }, () => 403)
/** As for a collection that is not there. */
const missing = (count: number) => Array.from({ length: count }, () => 404)
const status = async (response: Promise<Response>) => (await response).status

describe('sharing', () => {
  let platform: TestPlatform
  let anna: ReturnType<typeof as>
  let berta: ReturnType<typeof as>
  beforeAll(async () => {
    platform = await openPlatform()
    await platform.fill('notes', { 'a.md': '# Boathouse\n\nThe password of the boathouse is walrus.' })
  })
  // New keys, since a key has a quota; nothing shared, and no collections of other tests.
  beforeEach(async () => {
    anna = as(platform, (await addKey(platform, 'anna')).key)
    berta = as(platform, (await addKey(platform, 'berta')).key)
    await share({})
    for (const who of ['anna', 'berta'])
      await as(platform, (await addKey(platform, who)).key)('DELETE', `${collections}/${who}%2Fnotes`)
  })
  afterAll(() => platform.close())

  const share = (json: unknown, path = notes) => platform.call('PUT', `${path}/sharing`, { json })
  const ids = async (who: typeof anna) =>
    collectionList.parse(await (await who('GET', `${collections}/`)).json()).map(({ id }) => id)
  const ask = (who: typeof anna) =>
    who('POST', '/v1/chat/completions', {
      json: collectionChat('What is the password of the boathouse?'),
      headers: inference,
    })
  /** Every way to read, and the answer to a question. */
  const reads = async (who: typeof anna) => [
    await status(who('GET', foreign)),
    await status(who('GET', `${collections}/local/notes`)),
    await status(who('GET', `${foreign}/files/`)),
    await status(who('GET', `${foreign}/files/a.md/download`)),
    await status(ask(who)),
  ]
  const writes = async (who: typeof anna) => [
    await status(who('PUT', `${foreign}/sharing`, { json: { visibility: 'public' } })),
    await status(who('POST', `${foreign}/files/`, { body: toForm('file', 'b.md', '# B') })),
    await status(who('PUT', `${foreign}/files/a.md`, { body: toForm('file', 'a.md', '# B') })),
    await status(who('DELETE', `${foreign}/files/a.md`)),
    await status(who('POST', `${foreign}/generate-index`)),
    await status(who('DELETE', `${foreign}/delete-index`)),
    await status(who('DELETE', `${collections}/local/notes`)),
    await status(who('DELETE', foreign)),
  ]

  it('is off: to others a collection is as if it were not there, by its id and by its name', async () => {
    expect(await reads(anna)).toEqual(missing(5))
    expect(await writes(anna)).toEqual(missing(8))
    expect(await status(anna('GET', notes))).toBe(404)
    expect(await ids(anna)).toEqual([])
    // The same words for one that is there and one that is not, also where one has one of that name.
    const words = async (name: string) => {
      const response = await anna('GET', `${collections}/${encodeURIComponent(`local/${name}`)}`)
      return (await response.text()).replaceAll(name, '…')
    }
    const there = await words('notes')
    expect(there).toBe(await words('gone'))
    for (const name of ['notes', 'gone']) await anna('POST', `${collections}/`, { json: { name } })
    expect([await words('notes'), await words('gone')]).toEqual([there, there])
    await anna('DELETE', `${collections}/gone`)
  })

  it('with named users lets them list, read and ask, and nobody else, and nobody change it', async () => {
    const response = await share({ users: ['anna', 'anna', 'local'] })
    expect(response.status).toBe(200)
    expect(collectionRecord.parse(await response.json()).sharing).toEqual({ visibility: 'private', users: ['anna'] })
    expect(await reads(anna)).toEqual([200, 200, 200, 200, 200])
    expect(await (await ask(anna)).text()).toContain('walrus')
    expect(await ids(anna)).toEqual(['local/notes'])
    const files = fileList.parse(await (await anna('GET', `${foreign}/files/`)).json())
    expect(files).toMatchObject([{ name: 'a.md', owner_user_name: 'local' }])
    expect(await writes(anna)).toEqual(forbidden(8))
    expect(await reads(berta)).toEqual(missing(5))
    expect(await ids(berta)).toEqual([])
  })

  it('finds a shared collection by its plain name too, unless one has one of that name', async () => {
    await share({ users: ['anna'] })
    expect(await (await anna('GET', notes)).json()).toMatchObject({ id: 'local/notes' })
    expect(await status(anna('DELETE', notes))).toBe(403)
    await anna('POST', `${collections}/`, { json: { name: 'notes' } })
    expect(await (await anna('GET', notes)).json()).toMatchObject({ id: 'anna/notes' })
    expect(await (await anna('GET', foreign)).json()).toMatchObject({ id: 'local/notes' })
    expect(await ids(anna)).toEqual(['anna/notes', 'local/notes'])
    // The foreign id never means one's own: this would have deleted it.
    expect(await status(anna('DELETE', foreign))).toBe(403)
    expect(await ids(anna)).toEqual(['anna/notes', 'local/notes'])
  })

  it('asks which is meant when several of one name are shared', async () => {
    await share({ users: ['anna'] })
    await berta('POST', `${collections}/`, { json: { name: 'notes' } })
    await berta('PUT', `${notes}/sharing`, { json: { users: ['anna'] } })
    const response = await anna('GET', notes)
    expect(response.status).toBe(409)
    expect(await response.json()).toMatchObject({ detail: expect.stringContaining('berta/notes, local/notes') })
    // A full id means one collection, which is not there.
    expect(await status(anna('GET', `${collections}/anna%2Fnotes/`))).toBe(404)
  })

  it('public lets everyone with a key read by id, without filling their lists', async () => {
    await share({ visibility: 'public' })
    for (const who of [anna, berta]) {
      expect(await reads(who)).toEqual([200, 200, 200, 200, 200])
      expect(await writes(who)).toEqual(forbidden(8))
      expect(await ids(who)).toEqual([])
    }
  })

  it('is taken back by the next call, which says all of it anew', async () => {
    await share({ visibility: 'public', users: ['anna'] })
    expect(await (await share({})).json()).toMatchObject({ sharing: { visibility: 'private', users: [] } })
    expect(await reads(anna)).toEqual(missing(5))
  })

  it('is reset, with the times, when a collection is deleted and made anew under the same id', async () => {
    let now = Date.UTC(2026, 10, 21, 12)
    const other = await openPlatform({ clock: () => now })
    const guest = as(other, (await addKey(other, 'anna')).key)
    const record = async () => collectionRecord.parse(await (await other.call('GET', notes)).json())
    await other.fill('notes', { 'a.md': '# A\n\nThe password is walrus.' })
    await other.call('PUT', `${notes}/sharing`, { json: { visibility: 'public', users: ['anna'] } })
    const before = await record()
    now += 60_000
    expect((await other.call('DELETE', notes)).status).toBe(200)
    expect(await status(ask(guest))).toBe(404)
    await other.call('POST', `${collections}/`, { json: { name: 'notes' } })
    expect(await record()).toEqual({
      ...before,
      file_count: 0,
      size: 0,
      index_info: null,
      sharing: { visibility: 'private', users: [] },
      created_at: '2026-11-21T12:01:00.000Z',
      updated_at: '2026-11-21T12:01:00.000Z',
    })
    expect(before.id).toBe('local/notes')
    expect(await status(guest('GET', foreign))).toBe(404)
    expect(await ids(guest)).toEqual([])
    await other.close()
  })

  it('does not tell whether a user exists, and is for whoever has that name once there is one', async () => {
    const said = async (users: readonly string[]) => {
      const response = await anna('PUT', `${collections}/mine/sharing`, { json: { users } })
      return [response.status, (await response.text()).replace(/"updated_at":"[^"]+"/, '')]
    }
    await anna('POST', `${collections}/`, { json: { name: 'mine' } })
    const [there, nowhere] = [await said(['berta']), await said(['nobody'])]
    expect(there[0]).toBe(200)
    expect(String(there[1]).replace('berta', 'nobody')).toBe(nowhere[1])
    await said(['later'])
    const later = as(platform, (await addKey(platform, 'later')).key)
    expect(await ids(later)).toEqual(['anna/mine'])
    expect(await ids(berta)).toEqual([])
    await anna('DELETE', `${collections}/mine`)
  })

  it.each([
    [{ users: ['no body'] }, 400],
    [{ users: 'anna' }, 422],
    [{ visibility: 'all' }, 422],
    [{ public: true }, 422],
    [[], 422],
  ])('refuses %j and changes nothing', async (json, expected) => {
    await share({ users: ['anna'] })
    expect((await share(json)).status).toBe(expected)
    expect(await reads(anna)).toEqual([200, 200, 200, 200, 200])
  })

  it('answers at both prefixes, with a slash too, and says what else it takes: nothing', async () => {
    for (const path of [`/v1${notes}/sharing`, `${notes}/sharing/`, `${foreign}/sharing`]) {
      expect(await status(platform.call('PUT', path, { json: {} }))).toBe(200)
    }
    expect(await status(share({}, `${collections}/gone`))).toBe(404)
    const response = await platform.call('GET', `${notes}/sharing`)
    expect(response.status).toBe(405)
    expect(response.headers.get('allow')).toBe('PUT')
  })
})
