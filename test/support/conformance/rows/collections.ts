import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { collectionList, collectionRecord, createCollectionResponse } from '#platform/wire/collections.ts'
import { everywhere, onlyOurs, type Row } from '../row.ts'
import { answerText, toForm } from '../session.ts'

const isTime = (text: unknown) => typeof text === 'string' && !Number.isNaN(Date.parse(text))

export const collectionRows: readonly Row[] = [
  everywhere([11, 146], 'a name has 1 to 100 characters', async (s) => {
    const stem = `fb-${randomUUID()}-`
    await s.create(stem + 'x'.repeat(100 - stem.length))
    const one = String.fromCodePoint(0x4e00 + Math.floor(Math.random() * 20_000))
    await s.create(one)
    assert.equal((await s.record(one)).name, one)
    for (const name of ['', stem + 'x'.repeat(101 - stem.length)]) {
      const reply = await s.call('POST', s.paths.collections, { json: { name } })
      assert.ok(reply.status === 400 || reply.status === 422, `${name.length} characters: ${reply.status}`)
    }
  }),
  everywhere([12, 86], 'management takes the plain name, chat the full id', async (s) => {
    const name = await s.withFiles({ 'a.md': 'The harbour master of the north pier is called Okonkwo.' })
    assert.equal((await s.record(name)).name, name)
    assert.match(answerText(await s.askFiles(name, 'Who is the harbour master?')), /References:/)
  }),
  everywhere([13, 16, 110], 'create answers with name, id <owner>/<name> and a message', async (s) => {
    const name = `fb-${randomUUID()}`
    s.willRemove(name)
    const reply = await s.call('POST', s.paths.collections, { json: { name } })
    assert.ok(reply.status < 300)
    const made = createCollectionResponse.parse(reply.json)
    assert.equal(made.name, name)
    assert.match(made.id, new RegExp(`^[^/]+/${name}$`))
    assert.ok(made.message.length > 0)
  }),
  onlyOurs([14], 'chat does not know a collection by its plain name', async (s) => {
    const name = await s.create()
    const body = s.chatBody('x', { collection: { id: name }, 'enable-tools': true })
    assert.equal((await s.chat(body, { headers: { 'inference-service': 'saia-openai-gateway' } })).status, 422)
  }),
  everywhere([15], 'management strips the owner from a full id', async (s) => {
    const name = await s.create()
    const id = await s.idOf(name)
    const reply = await s.call('GET', s.paths.collection(id))
    assert.equal(reply.status, 200)
    assert.partialDeepStrictEqual(reply.json, { name })
  }),
  everywhere(
    [17, 19, 20, 21, 111],
    'the record tells its creation time, index status, tool version and vector-store version',
    async (s) => {
      const name = await s.withFiles({ 'a.md': '# A\n\nSome text.' })
      const record = await s.record(name)
      assert.ok(isTime(record.created_at))
      assert.equal(record.index_info?.index_status, 'INDEXED')
      assert.match(record.index_info?.cli_version ?? '', /\d/)
      assert.match(record.index_info?.vector_db_version ?? '', /\d/)
    },
  ),
  onlyOurs([18], 'the record tells with whom a collection is shared: nobody, at first', async (s) => {
    const name = await s.create()
    const { sharing } = collectionRecord.parse((await s.call('GET', s.paths.collection(name))).json)
    assert.deepEqual(sharing, { visibility: 'private', users: [] })
  }),
  onlyOurs([22], 'the record tells the reason of a failure', async (s) => {
    const name = await s.withFiles({ 'broken.pdf': '%PDF-1.7\nno more than this' })
    const info = (await s.record(name)).index_info
    assert.equal(info?.index_status, 'ERROR')
    assert.match(info.error_msg ?? '', /\S+ .*/)
  }),
  onlyOurs([23], 'a record has the fields of the contract and no others', async (s) => {
    const name = await s.withFiles({ 'a.md': '# A\n\nSome text.' })
    const reply = await s.call('GET', s.paths.collection(name))
    const record = collectionRecord.strict().parse(reply.json)
    assert.partialDeepStrictEqual(record, { file_count: 1, size: 15, index_info: { total_files_indexed: 1 } })
  }),
  everywhere([24, 112], 'deleted and made anew, a collection has the same id and nothing in it', async (s) => {
    const name = await s.create()
    const id = await s.idOf(name)
    await s.upload(name, 'a.md', '# A')
    assert.ok((await s.call('DELETE', s.paths.collection(name))).status < 300)
    assert.equal((await s.call('GET', s.paths.collection(name))).status, 404)
    await s.create(name)
    assert.equal(await s.idOf(name), id)
    assert.deepEqual(await s.files(name), [])
  }),
  onlyOurs([25, 26], 'a collection made anew has a new creation time and is private again', async (s, server) => {
    const name = await s.create()
    const before = collectionRecord.parse((await s.call('GET', s.paths.collection(name))).json)
    const shared = { visibility: 'public', users: [] }
    await s.call('PUT', s.paths.sharing(name), { json: shared })
    assert.partialDeepStrictEqual((await s.call('GET', s.paths.collection(name))).json, { sharing: shared })
    await s.call('DELETE', s.paths.collection(name))
    await server.advance(1000)
    await s.create(name)
    const after = collectionRecord.parse((await s.call('GET', s.paths.collection(name))).json)
    assert.ok(Date.parse(after.created_at) >= Date.parse(before.created_at) + 1000)
    assert.deepEqual(after.sharing, { visibility: 'private', users: [] })
  }),
  onlyOurs([27], 'two owners may use one name; one owner may not use it twice', async (s, server) => {
    const name = await s.create()
    assert.equal((await s.call('POST', s.paths.collections, { json: { name } })).status, 409)
    const key = await server.makeKey('ana')
    const other = await s.call('POST', s.paths.collections, { json: { name }, key })
    assert.partialDeepStrictEqual(other.json, { name, id: `ana/${name}` })
    assert.equal((await s.call('DELETE', s.paths.collection(name), { key })).status, 200)
    assert.equal((await s.record(name)).name, name)
  }),
  everywhere([109], 'the list names every collection of the owner', async (s) => {
    const names = [await s.create(), await s.create()]
    const reply = await s.call('GET', s.paths.collections)
    assert.equal(reply.status, 200)
    const listed = (reply.json as { name: string }[]).map((one) => one.name)
    for (const name of names) assert.ok(listed.includes(name), `${name} is not listed`)
  }),
  onlyOurs(
    [99, 119],
    'every operation answers at the root and under the base URL, with a slash and without',
    async (s) => {
      const prefix = s.target.profile.managementPrefix
      for (const base of [s.root, s.target.baseUrl]) {
        for (const slash of ['', '/']) {
          const at = `${base}${prefix}/collection`
          const name = `fb-${randomUUID()}`
          s.willRemove(name)
          const expect = async (status: number, method: string, path: string, more: object = {}) => {
            const reply = await s.call(method, `${at}${path}${slash}`, more)
            assert.equal(reply.status, status, `${method} ${at}${path}${slash}: ${reply.text}`)
            return reply
          }
          await expect(201, 'POST', '', { json: { name } })
          collectionList.parse((await expect(200, 'GET', '')).json)
          await expect(200, 'GET', `/${name}`)
          await expect(201, 'POST', `/${name}/files`, { form: toForm('file', 'a.md', '# A\n\nText.') })
          await expect(200, 'PUT', `/${name}/files/a.md`, { form: toForm('file', 'a.md', '# B\n\nText.') })
          await expect(200, 'GET', `/${name}/files`)
          assert.equal((await expect(200, 'GET', `/${name}/files/a.md/download`)).text, '# B\n\nText.')
          await expect(200, 'POST', `/${name}/generate-index`)
          await expect(200, 'DELETE', `/${name}/delete-index`)
          await expect(200, 'DELETE', `/${name}/files/a.md`)
          await expect(200, 'DELETE', `/${name}`)
        }
      }
    },
  ),
  onlyOurs(
    [18],
    'a collection can be shared with named users and with all; they read it and change nothing',
    async (s, server) => {
      const name = await s.withFiles({ 'a.md': 'The harbour master is called Okonkwo.' })
      const id = await s.idOf(name)
      const keys = { ana: await server.makeKey('ana'), ben: await server.makeKey('ben') }
      const share = (sharing: object) => s.call('PUT', s.paths.sharing(name), { json: sharing })
      const statuses = async () => {
        const all = [keys.ana, keys.ben].map(async (key) => {
          const read = await s.call('GET', s.paths.files(id), { key })
          const asked = await s.askFiles(name, 'Who is the harbour master?', {}, { key })
          return [read.status, asked.status]
        })
        return Promise.all(all)
      }
      assert.deepEqual(await statuses(), [
        [404, 404],
        [404, 404],
      ])
      assert.equal((await share({ users: ['ana'] })).status, 200)
      assert.deepEqual(await statuses(), [
        [200, 200],
        [404, 404],
      ])
      assert.equal((await share({ visibility: 'public' })).status, 200)
      assert.deepEqual(await statuses(), [
        [200, 200],
        [200, 200],
      ])
      assert.equal((await s.call('DELETE', s.paths.collection(id), { key: keys.ana })).status, 403)
      assert.equal((await share({})).status, 200)
      assert.deepEqual(await statuses(), [
        [404, 404],
        [404, 404],
      ])
    },
  ),
]
