import { describe, expect, test } from 'vitest'
import { toAttachment } from '../../../../adapters/slack/in/attachment.ts'
import { isAllowed } from '../../../../adapters/slack/in/download.ts'
import type { FileRecord } from '../../../doubles/slack/types.ts'
import { connectStub } from '../../../doubles/slack/people.ts'
import { askedScene } from '../scene.ts'

async function fileScene(name = 'x.md', mimetype = 'text/markdown') {
  const scene = await askedScene()
  const file = scene.slack.hostFile('the bytes', name, mimetype)
  scene.slack.workspace.files.get(file.id)?.shares.add(scene.channel)
  const read = async (record: FileRecord = file, signal = AbortSignal.timeout(10_000)) =>
    new Response(await scene.adapter.open(toAttachment(record, scene.channel), signal)).text()
  return { ...scene, file, read }
}

describe('bytes', () => {
  test('come with the token, from the download address', async () => {
    const { read, slack, file } = await fileScene()
    expect(await read()).toBe('the bytes')
    expect(slack.callsOf(`file:${file.id}`)).toHaveLength(1)
    expect(slack.callsOf('files.info')).toEqual([])
  })

  test('of an empty file are none', async () => {
    const { read, slack } = await fileScene()
    expect(await read(slack.hostFile('', 'empty.md', 'text/markdown'))).toBe('')
  })

  test('of a file known by its id alone are looked up', async () => {
    const { read, file, slack } = await fileScene()
    expect(await read(connectStub(file))).toBe('the bytes')
    expect(slack.callsOf('files.info')).toHaveLength(1)
  })

  test('of a page dropped as a file are its own', async () => {
    const { read, slack } = await fileScene()
    expect(await read(slack.hostFile('<!DOCTYPE html><p>mine', 'x.html', 'text/html'))).toContain('mine')
  })

  test('are followed to another allowed address', async () => {
    const { read, slack, file } = await fileScene()
    const other = slack.hostFile('moved', 'y.md', 'text/markdown')
    slack.script(`file:${file.id}`, { redirect: other.url_private })
    expect(await read()).toBe('moved')
  })
})

describe('trouble', () => {
  test('a login page is asked for again at a fresh address, then told with its remedy', async () => {
    const { read, slack, file } = await fileScene()
    slack.script(`file:${file.id}`, { html: true })
    expect(await read()).toBe('the bytes')
    expect(slack.callsOf('files.info')).toHaveLength(1)
    slack.script(`file:${file.id}`, { html: true }, { html: true })
    await expect(read()).rejects.toMatchObject({
      code: 'forbidden',
      message: expect.stringContaining('files:read'),
    })
  })

  test.each([
    [{ status: 403 }, 'forbidden', /files:read/],
    [{ status: 404 }, 'not-found', /Upload it again/],
    [{ status: 500 }, 'network', /HTTP 500/],
    [{ status: 429, retryAfter: 7 }, 'rate-limited', /later/],
    [{ drop: 'before' }, 'network', /Drop it again/],
  ] as const)('%j is told as %s', async (fault, code, sentence) => {
    const { read, slack, file } = await fileScene()
    slack.script(`file:${file.id}`, fault, fault)
    await expect(read()).rejects.toMatchObject({
      name: 'AdapterError',
      code,
      message: expect.stringMatching(sentence),
    })
  })

  test('a missing scope, a deleted file and a file from elsewhere are told apart', async () => {
    const { read, slack, file } = await fileScene()
    slack.script('files.info', { error: 'missing_scope', extra: { needed: 'files:read' } })
    await expect(read(connectStub(file))).rejects.toMatchObject({
      code: 'forbidden',
      message: expect.stringContaining('files:read'),
    })
    slack.script('files.info', { error: 'file_deleted' })
    await expect(read(connectStub(file))).rejects.toMatchObject({ code: 'not-found' })
    const secret = slack.hostFile('secret', 'secret.md', 'text/markdown')
    slack.workspace.files.get(secret.id)?.shares.add(slack.addChannel({ kind: 'private' }))
    await expect(read(connectStub(secret))).rejects.toMatchObject({
      code: 'forbidden',
      message: expect.stringContaining('not shared'),
    })
  })

  test('a file that only links to another service is refused with its host', async () => {
    const { read, slack } = await fileScene()
    const drive = slack.hostFile('', 'plan', '', {
      mode: 'external',
      url_private: 'https://drive.example/x',
      url_private_download: undefined,
    })
    await expect(read(drive)).rejects.toMatchObject({
      code: 'invalid',
      message: expect.stringContaining('drive.example'),
    })
  })

  test('a redirect to a foreign host is not followed, an endless one is left', async () => {
    const { read, slack, file } = await fileScene()
    slack.script(`file:${file.id}`, { redirect: 'https://elsewhere.example/x' })
    await expect(read()).rejects.toMatchObject({
      code: 'invalid',
      message: expect.stringContaining('elsewhere.example'),
    })
    slack.script(`file:${file.id}`, ...Array.from({ length: 6 }, () => ({ redirect: file.url_private })))
    await expect(read()).rejects.toMatchObject({ code: 'invalid' })
  })

  test('a download that is stopped ends', async () => {
    const { read, slack, file } = await fileScene()
    slack.script(`file:${file.id}`, { hang: true })
    const stop = new AbortController()
    const reading = read(file, stop.signal)
    await slack.until(() => slack.callsOf(`file:${file.id}`).length === 1)
    stop.abort()
    await expect(reading).rejects.toMatchObject({ name: 'AdapterError' })
  })
})

test.each([
  ['https://files.slack.com/x', [], true],
  ['http://files.slack.com/x', [], false],
  ['https://files.slack.com:8443/x', [], false],
  ['https://user:pass@files.slack.com/x', [], false],
  ['https://files.slack.com.evil.example/x', [], false],
  ['https://evil-files.slack.com/x', [], false],
  ['https://slack.com/x', [], false],
  ['http://127.0.0.1:4000/x', [], false],
  ['http://127.0.0.1:4000/x', ['127.0.0.1:*'], true],
  ['http://127.0.0.1:4000/x', ['127.0.0.1:4000'], true],
  ['http://127.0.0.1:4001/x', ['127.0.0.1:4000'], false],
  ['http://files.example.org/x', ['files.example.org'], false],
  ['https://files.example.org/x', ['files.example.org'], true],
  ['ftp://files.slack.com/x', [], false],
] as const)('%s with %j is allowed: %s', (url, hosts, allowed) => {
  expect(isAllowed(new URL(url), hosts)).toBe(allowed)
})
