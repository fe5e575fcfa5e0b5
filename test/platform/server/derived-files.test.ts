import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { fileList, fileRecord } from '#platform/wire/collections.ts'
import { collectionChat, inference, management, openPlatform, toForm, type TestPlatform } from './platform.ts'

const collection = `${management}/collection/notes`
const files = `${collection}/files`

describe('files that were derived from others', () => {
  let platform: TestPlatform
  beforeEach(async () => {
    platform = await openPlatform()
    await platform.fill('notes', {})
    await upload('talk.md', '# Talk\n\nThe speaker is called Okonkwo.')
    await upload('talk.transcript.txt', 'The password of the boathouse is walrus.', 'talk.md')
  })
  afterEach(() => platform.close())

  const upload = (name: string, content: string, source?: string) =>
    platform.call('POST', `${files}/`, {
      body: toForm('file', name, content, source === undefined ? {} : { derived_from: source }),
    })
  const list = async () => fileList.parse(await (await platform.call('GET', `${files}/`)).json())
  const pass = () => platform.call('POST', `${collection}/generate-index`)
  const ask = async () => {
    const json = collectionChat('What is the password of the boathouse?')
    return (await platform.call('POST', '/v1/chat/completions', { json, headers: inference })).text()
  }

  it('stand under their source in the list, each with its own state', async () => {
    await upload('other.md', '# Other')
    await pass()
    const [other, talk] = await list()
    expect(other).toMatchObject({ name: 'other.md', related_files: null })
    expect(talk).toMatchObject({
      name: 'talk.md',
      related_files: [
        {
          name: 'talk.transcript.txt',
          index_info: { index_status: 'INDEXED', chunks_indexed: 1 },
          related_files: null,
        },
      ],
    })
    expect(await list()).toHaveLength(2)
    expect(await (await platform.call('GET', collection)).json()).toMatchObject({ file_count: 3 })
  })

  it('are found, downloaded, replaced and deleted under their own name', async () => {
    await pass()
    expect(await ask()).toContain('walrus')
    const own = `${files}/talk.transcript.txt`
    expect(await (await platform.call('GET', `${own}/download`)).text()).toContain('walrus')
    const replaced = await platform.call('PUT', own, { body: toForm('file', 'x', 'It is seagull.') })
    expect(fileRecord.parse(await replaced.json())).toMatchObject({ related_files: null })
    expect(await list()).toMatchObject([{ related_files: [{ index_info: { index_status: 'NOT_INDEXED' } }] }])
    expect((await platform.call('DELETE', own)).status).toBe(200)
    expect(await list()).toMatchObject([{ name: 'talk.md', related_files: null }])
  })

  it('stay when their source is replaced', async () => {
    const response = await platform.call('PUT', `${files}/talk.md`, { body: toForm('file', 'x', '# New talk') })
    expect(fileRecord.parse(await response.json())).toMatchObject({ related_files: [{ name: 'talk.transcript.txt' }] })
  })

  it('go with their source, and are retrieved no more', async () => {
    await pass()
    expect((await platform.call('DELETE', `${files}/talk.md`)).status).toBe(200)
    expect(await list()).toEqual([])
    expect(await ask()).not.toContain('walrus')
    expect((await platform.call('GET', `${files}/talk.transcript.txt/download`)).status).toBe(404)
    expect(await readdir(join(platform.dataDir, 'platform', 'files'))).toEqual([])
  })

  it.each([
    ['gone.md', 'There is no file gone.md in notes to derive one from.'],
    ['talk.transcript.txt', 'talk.transcript.txt is derived itself: name the file that it came from.'],
    ['a/b.md', expect.stringMatching(/^A file name/) as string],
    ['', expect.stringMatching(/^A file name/) as string],
  ])('are not taken as derived from %j', async (source, detail) => {
    const response = await upload('new.md', '# New', source)
    expect(response.status).toBe(400)
    expect(await response.json()).toMatchObject({ detail })
    expect(await readdir(join(platform.dataDir, 'platform', 'files'))).toHaveLength(2)
  })

  it('have one flat space of names with all others', async () => {
    expect((await upload('talk.transcript.txt', 'x')).status).toBe(409)
  })
})
