import assert from 'node:assert/strict'
import { fileList, fileRecord } from '#platform/wire/collections.ts'
import { ferryPages, makePdf } from '#test/fixtures/pdf.ts'
import { everywhere, onlyOurs, type Row } from '../row.ts'
import { toForm } from '../session.ts'

const withHeader = '---\ntitle: Secret title\nauthor: Zuckerguss\n---\r\n# Tides\n\nHigh tide is at noon.\n'

export const fileRows: readonly Row[] = [
  everywhere([4, 95], 'a collection takes PDF, text and markdown', async (s) => {
    const name = await s.withFiles({
      'handbook.pdf': await makePdf(ferryPages),
      'plain.txt': 'A plain text about the harbour.',
      'notes.md': '# Notes\n\nA note about the harbour.',
    })
    const files = await s.files(name)
    assert.deepEqual(files.map((file) => file.name).toSorted(), ['handbook.pdf', 'notes.md', 'plain.txt'])
    for (const file of files) assert.equal(file.index_info?.index_status, 'INDEXED')
  }),
  onlyOurs([95], 'other formats are refused with 415 and nothing is stored', async (s) => {
    const name = await s.create()
    for (const [file, content] of [
      ['a.exe', 'MZ'],
      ['a.zip', 'PK'],
      ['noextension', 'text'],
      ['renamed.pdf', 'no pdf at all'],
      ['renamed.md', '%PDF-1.7'],
    ] as const) {
      assert.equal((await s.upload(name, file, content)).status, 415, file)
    }
    assert.deepEqual(await s.files(name), [])
  }),
  everywhere([5, 37], 'a long file becomes several chunks, and their number is told', async (s) => {
    const sections = Array.from({ length: 12 }, (_, n) => `## Part ${n}\n\n${`Sentence about rope ${n}. `.repeat(80)}`)
    const name = await s.withFiles({ 'long.md': sections.join('\n\n'), 'short.md': 'One line about rope.' })
    const chunks = async (file: string) => (await s.file(name, file)).index_info?.chunks_indexed ?? 0
    assert.equal(await chunks('short.md'), 1)
    assert.ok((await chunks('long.md')) >= 6)
  }),
  onlyOurs([28], 'a file name is flat: no slash in it, composed, at most 150 characters', async (s) => {
    const name = await s.create()
    for (const file of ['a/b.md', 'a\\b.md', `${'x'.repeat(148)}.md`]) {
      assert.equal((await s.upload(name, file, '# A')).status, 400, file)
    }
    assert.deepEqual(await s.files(name), [])
    await s.upload(name, 'Bu\u0308cher.md', '# B')
    assert.equal((await s.files(name))[0]?.name, 'B\u00fccher.md')
  }),
  everywhere([29, 94, 115], 'a file is downloaded, overwritten and deleted by its name', async (s) => {
    const name = await s.create()
    await s.upload(name, 'a b.md', '# first')
    const download = () => s.call('GET', s.paths.download(name, 'a b.md'))
    assert.equal((await download()).text, '# first')
    assert.ok((await s.replace(name, 'a b.md', '# second')).status < 300)
    assert.equal((await download()).text, '# second')
    assert.equal((await s.files(name)).length, 1)
    assert.ok((await s.call('DELETE', s.paths.file(name, 'a b.md'))).status < 300)
    assert.deepEqual(await s.files(name), [])
  }),
  everywhere([115], 'a download gives the bytes as they came', async (s) => {
    const name = await s.create()
    const pdf = await makePdf(ferryPages)
    await s.upload(name, 'h.pdf', pdf)
    const { bytes, status } = await s.call('GET', s.paths.download(name, 'h.pdf'))
    assert.equal(status, 200)
    assert.ok(Buffer.from(bytes).equals(pdf))
  }),
  everywhere([30, 31, 32, 33, 113], 'the list tells size, owner and times of each file', async (s) => {
    const name = await s.create()
    await s.upload(name, 'a.md', '# Ärger')
    const file = await s.file(name, 'a.md')
    assert.equal(file.size, 8)
    const { owner_user_name: owner } = await s.record(name)
    assert.equal(file.owner_user_name, owner)
    for (const time of [file.created_at, file.updated_at]) {
      assert.match(time ?? '', /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d/)
    }
  }),
  onlyOurs([32, 33], 'an overwritten file keeps its creation time and gets a new update time', async (s, server) => {
    const name = await s.create()
    await s.upload(name, 'a.md', '# A')
    const before = fileList.parse((await s.call('GET', s.paths.files(name))).json)[0]
    await server.advance(5000)
    await s.replace(name, 'a.md', '# B')
    const after = fileList.parse((await s.call('GET', s.paths.files(name))).json)[0]
    assert.equal(after?.created_at, before?.created_at)
    assert.ok(Date.parse(after?.updated_at ?? '') >= Date.parse(before?.updated_at ?? '') + 5000)
  }),
  everywhere(
    [34, 36, 73, 76, 93],
    'an upload is not indexed until a pass; then INDEXED, with its chunks',
    async (s) => {
      const name = await s.create()
      const reply = await s.upload(name, 'a.md', '# Tide\n\nHigh tide is at noon.')
      assert.ok(reply.status < 300)
      assert.equal((await s.file(name, 'a.md')).index_info ?? null, null)
      await s.pass(name)
      const info = (await s.file(name, 'a.md')).index_info
      assert.equal(info?.index_status, 'INDEXED')
      assert.ok((info.chunks_indexed ?? 0) >= 1)
    },
  ),
  everywhere([35], 'related_files is null or a list of files', async (s) => {
    const name = await s.create()
    await s.upload(name, 'a.md', '# A')
    const [file] = (await s.call('GET', s.paths.files(name))).json as { related_files: unknown }[]
    assert.ok(file !== undefined && 'related_files' in file)
    assert.ok(file.related_files === null || fileRecord.array().safeParse(file.related_files).success)
  }),
  everywhere([74, 96], 'overwriting sets a file back to NOT_INDEXED', async (s) => {
    const name = await s.withFiles({ 'a.md': '# A\n\nThe first text.' })
    await s.replace(name, 'a.md', '# A\n\nThe second text.')
    assert.equal((await s.file(name, 'a.md')).index_info?.index_status ?? 'NOT_INDEXED', 'NOT_INDEXED')
  }),
  onlyOurs(
    [93, 94],
    'POST on an existing file answers 409, PUT on a missing one 404, and neither stores',
    async (s) => {
      const name = await s.create()
      await s.upload(name, 'a.md', '# first')
      assert.equal((await s.upload(name, 'a.md', '# second')).status, 409)
      assert.equal((await s.call('GET', s.paths.download(name, 'a.md'))).text, '# first')
      assert.equal((await s.replace(name, 'b.md', '# B')).status, 404)
      assert.equal((await s.files(name)).length, 1)
    },
  ),
  onlyOurs([97], 'an upload is a multipart body with one part named file', async (s) => {
    const name = await s.create()
    const other = await s.call('POST', s.paths.files(name), { form: toForm('document', 'a.md', '# A') })
    assert.equal(other.status, 400)
    assert.equal((await s.call('POST', s.paths.files(name), { json: { file: '# A' } })).status, 400)
    assert.deepEqual(await s.files(name), [])
  }),
  everywhere([107], 'a download still has the front matter', async (s) => {
    const name = await s.withFiles({ 'a.md': withHeader })
    assert.equal((await s.call('GET', s.paths.download(name, 'a.md'))).text, withHeader)
  }),
  everywhere([114, 140], 'a file is deleted once; the second time there is none: 404', async (s) => {
    const name = await s.create()
    await s.upload(name, 'a.md', '# A')
    assert.ok((await s.call('DELETE', s.paths.file(name, 'a.md'))).status < 300)
    assert.equal((await s.call('DELETE', s.paths.file(name, 'a.md'))).status, 404)
  }),
  onlyOurs([35], 'a derived file stands under the one that it came from, and goes with it', async (s) => {
    const name = await s.create()
    await s.upload(name, 'memo.md', '# Memo\n\nSource.')
    const form = toForm('file', 'memo.txt', 'What the memo says.', { derived_from: 'memo.md' })
    assert.equal((await s.call('POST', s.paths.files(name), { form })).status, 201)
    const listed = fileList.parse((await s.call('GET', s.paths.files(name))).json)
    assert.partialDeepStrictEqual(listed, [
      { name: 'memo.md', related_files: [{ name: 'memo.txt', related_files: null }] },
    ])
    assert.equal(listed.length, 1)
    assert.equal((await s.call('DELETE', s.paths.file(name, 'memo.md'))).status, 200)
    assert.equal((await s.call('GET', s.paths.download(name, 'memo.txt'))).status, 404)
  }),
]
