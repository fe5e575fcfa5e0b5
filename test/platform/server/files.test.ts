import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { fileList, type FileRecord } from '#platform/wire/collections.ts'
import { ferryPages, makePdf } from '#test/fixtures/pdf.ts'
import { management, openPlatform, toForm, type TestPlatform } from './platform.ts'

const collection = `${management}/collection/notes`
const files = `${collection}/files`

describe('files', () => {
  let platform: TestPlatform
  beforeEach(async () => {
    platform = await openPlatform({ over: 'socket' })
    await platform.call('POST', `${management}/collection/`, { json: { name: 'notes' } })
  })
  afterEach(() => platform.close())

  const upload = (name: string, content: string | Uint8Array<ArrayBuffer>) =>
    platform.call('POST', `${files}/`, { body: toForm('file', name, content) })
  const replace = (name: string, content: string) =>
    platform.call('PUT', `${files}/${encodeURIComponent(name)}`, { body: toForm('file', 'other', content) })
  const list = async () => fileList.parse(await (await platform.call('GET', `${files}/`)).json())
  const only = async (): Promise<FileRecord | undefined> => (await list())[0]
  const pass = () => platform.call('POST', `${collection}/generate-index`)
  const stored = async () => (await readdir(join(platform.dataDir, 'platform', 'files'))).length

  it.each([
    ['plain.md', 'plain.md'],
    ['with space.md', 'with space.md'],
    ['say "hi"; rm.md', 'say _hi_; rm.md'],
    ["it's (1)*.md", "it's (1)*.md"],
    ['50%.md', '50_.md'],
    ['Bücher 笔记 😀.md', 'B_cher __ __.md'],
    ['גשר.txt', '___.txt'],
  ])('names %s in the download, for old readers too (RFC 6266)', async (name, plain) => {
    await upload(name, '# A')
    const response = await platform.call('GET', `${files}/${encodeURIComponent(name)}/download`)
    expect(response.status).toBe(200)
    const [, quoted, encoded = ''] =
      /^attachment; filename="([^"]*)"; filename\*=UTF-8''([\w.%!#$&+^`|~-]+)$/.exec(
        response.headers.get('content-disposition') ?? '',
      ) ?? []
    expect(quoted).toBe(plain)
    expect(decodeURIComponent(encoded)).toBe(name)
    expect(response.headers.get('x-content-type-options')).toBe('nosniff')
    expect(response.headers.get('content-length')).toBe('3')
  })

  it('takes 150 characters as a name, and a text that speaks of PDF', async () => {
    expect((await upload(`${'😀'.repeat(147)}.md`, '# A')).status).toBe(201)
    expect((await upload('pdf.md', '# PDF\n\nA file begins with `%PDF-1.7`.')).status).toBe(201)
  })

  it('keeps files and bytes together when many change them at once', async () => {
    await upload('a.md', '# A')
    const changes = await Promise.all(
      Array.from({ length: 60 }, async (_, index) => {
        const response =
          index % 3 === 0
            ? await upload('a.md', `# A\n\n${index}`)
            : index % 3 === 1
              ? await replace('a.md', `# A\n\n${index}`)
              : await platform.call(
                  index % 4 === 0 ? 'DELETE' : 'GET',
                  `${files}/a.md${index % 4 === 0 ? '' : '/download'}`,
                )
        return response.status
      }),
    )
    expect(changes.filter((status) => ![200, 201, 404, 409].includes(status))).toEqual([])
    expect(await stored()).toBe((await list()).length)
  })

  it('knows a name in its composed form only', async () => {
    await upload('Bu\u0308cher.md', '# B')
    expect((await only())?.name).toBe('B\u00fccher.md')
    expect((await upload('B\u00fccher.md', '# B')).status).toBe(409)
    expect((await platform.call('DELETE', `${files}/${encodeURIComponent('Bu\u0308cher.md')}`)).status).toBe(200)
  })

  it.each([
    ['a.docx', 'PK\u0003\u0004', 415],
    ['a.exe', 'MZ', 415],
    ['noextension', 'text', 415],
    ['a.pdf', 'no pdf at all', 415],
    ['a.md', '%PDF-1.7 …', 415],
    ['a.txt', 'bin\u0000ary', 415],
    ['a.md', '', 400],
    ['a.txt', ' \n\t ', 400],
    [`${'x'.repeat(148)}.md`, '# A', 400],
  ])('refuses %s and stores nothing', async (name, content, status) => {
    const response = await upload(name, content)
    expect(response.status).toBe(status)
    const body = (await response.json()) as { detail: string; error: { message: string } }
    expect(body.error.message).toBe(body.detail)
    expect(body.detail).toMatch(/^\S+ .*\.$/)
    expect(await list()).toEqual([])
    expect(await stored()).toBe(0)
  })

  it('says why a broken, an encrypted and an empty PDF are not indexed, and indexes the rest', async () => {
    const pdf = await makePdf(ferryPages)
    await upload('broken.pdf', pdf.slice(0, 400))
    await upload('locked.pdf', await makePdf(ferryPages, { password: 'secret' }))
    await upload('empty.pdf', await makePdf([{ text: '' }]))
    await upload('good.pdf', pdf)
    await upload('front.md', '---\ntitle: nothing else\n---\n')
    expect((await pass()).status).toBe(200)
    const found = new Map((await list()).map((file) => [file.name, file.index_info]))
    expect(found.get('good.pdf')).toMatchObject({ index_status: 'INDEXED', chunks_indexed: 3 })
    expect(found.get('broken.pdf')).toMatchObject({
      index_status: 'ERROR',
      error_msg: expect.stringContaining('damaged'),
    })
    expect(found.get('locked.pdf')).toMatchObject({
      index_status: 'ERROR',
      error_msg: expect.stringContaining('password'),
    })
    expect(found.get('empty.pdf')).toMatchObject({
      index_status: 'ERROR',
      error_msg: expect.stringContaining('no text'),
    })
    expect(found.get('front.md')).toMatchObject({
      index_status: 'ERROR',
      error_msg: expect.stringContaining('front matter'),
    })
    const record = await (await platform.call('GET', collection)).json()
    expect(record).toMatchObject({ index_info: { index_status: 'ERROR', error_msg: expect.any(String) } })
  })
})

describe('an upload that stands still', () => {
  it('is refused with 408 and a sentence, and stores nothing', async () => {
    const platform = await openPlatform({ bodyIdleMs: 50 })
    await platform.call('POST', `${management}/collection/`, { json: { name: 'notes' } })
    const response = await platform.call('POST', `${files}/`, {
      headers: { 'content-type': 'multipart/form-data; boundary=x' },
      body: new ReadableStream({ start: (controller) => controller.enqueue(new TextEncoder().encode('--x\r\n')) }),
    })
    expect(response.status).toBe(408)
    expect(await response.json()).toMatchObject({ detail: 'No byte of the body came for 1 second: send it again.' })
    expect(await (await platform.call('GET', `${files}/`)).json()).toEqual([])
    await platform.close()
  })
})

describe('size of an upload', () => {
  it('refuses more than 100 MB with 413 and stores nothing', async () => {
    const platform = await openPlatform()
    await platform.call('POST', `${management}/collection/`, { json: { name: 'notes' } })
    const content = new Uint8Array(100 * 1024 * 1024 + 100_000)
    const response = await platform.call('POST', `${files}/`, { body: toForm('file', 'a.txt', content) })
    expect(response.status).toBe(413)
    expect(await (await platform.call('GET', `${files}/`)).json()).toEqual([])
    await platform.close()
  })
})
