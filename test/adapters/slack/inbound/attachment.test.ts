import { describe, expect, test } from 'vitest'
import { isGone, isStub, parseLocator, toAttachment } from '#adapters/slack/inbound/attachment.ts'
import { connectStub } from '#test/doubles/slack/people.ts'
import type { FileRecord } from '#test/doubles/slack/types.ts'
import { askedScene } from '../scene.ts'

const fileOf = (fields: object) => ({
  id: 'F1',
  name: 'x',
  mimetype: '',
  url_private: 'https://files.slack.com/x',
  mode: 'hosted',
  ...fields,
})
const clip = { name: 'audio_message.m4a', media_display_type: 'audio', subtype: 'slack_audio' }

test.each([
  ['a clip from a phone', { ...clip, mimetype: 'audio/mp4' }, 'voice', 'audio/mp4'],
  ['a clip that was renamed', { ...clip, name: 'standup.m4a', mimetype: 'audio/mp4' }, 'voice', 'audio/mp4'],
  ['a clip told as video', { ...clip, mimetype: 'video/mp4' }, 'voice', 'audio/mp4'],
  ['a clip from the desktop', { ...clip, name: 'audio_message.webm', mimetype: 'video/webm' }, 'voice', 'audio/webm'],
  ['a clip without a type', { ...clip, mimetype: '', filetype: '' }, 'voice', 'audio/mp4'],
  ['a webm clip without a type', { ...clip, name: 'audio_message.webm' }, 'voice', 'audio/webm'],
  ['a clip without its mark, without a type', { media_display_type: 'audio' }, 'voice', 'audio/mp4'],
  ['a clip without its mark, as video', { media_display_type: 'audio', mimetype: 'video/webm' }, 'voice', 'audio/webm'],
  [
    'a clip without its mark, by its name',
    { media_display_type: 'audio', name: 'audio_message.m4a', mimetype: 'audio/mp4' },
    'voice',
    'audio/mp4',
  ],
  [
    'an uploaded recording',
    { media_display_type: 'audio', name: 'interview.mp3', mimetype: 'audio/mpeg' },
    'audio',
    'audio/mpeg',
  ],
  ['a picture', { name: 'x.png', mimetype: 'image/png' }, 'image', 'image/png'],
  ['a film', { name: 'x.mp4', mimetype: 'video/mp4', media_display_type: 'video' }, 'other', 'video/mp4'],
  [
    'a recorded film',
    { name: 'x.mp4', mimetype: 'video/mp4', subtype: 'slack_video', media_display_type: 'video' },
    'voice',
    'audio/mp4',
  ],
  ['a canvas', { mode: 'quip', filetype: 'quip', mimetype: 'application/vnd.slack-docs' }, 'document', 'text/html'],
  ['a post', { mode: 'space', filetype: 'space', mimetype: 'text/plain' }, 'document', 'text/html'],
  ['a PDF', { name: 'x.pdf', mimetype: 'application/pdf' }, 'document', 'application/pdf'],
  ['markdown without a type', { name: 'notes.md' }, 'document', ''],
  [
    'a Word file',
    { name: 'x.docx', mimetype: 'application/vnd.openxmlformats-officedocument.wordprocessingml.document' },
    'document',
    'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
  ],
  ['an archive', { name: 'x.zip', mimetype: 'application/zip' }, 'other', 'application/zip'],
  [
    'a snippet',
    { name: 'Untitled', mode: 'snippet', filetype: 'text', mimetype: 'text/plain' },
    'document',
    'text/plain',
  ],
] as const)('%s is recognised', (_, fields, kind, mimeType) => {
  const attachment = toAttachment(fileOf(fields), 'C1')
  expect(attachment.kind).toBe(kind)
  expect(attachment.mimeType).toBe(mimeType)
})

test('size, length and the way back are kept, and a snippet gets its ending', () => {
  const attachment = toAttachment(
    fileOf({ name: 'Untitled', mode: 'snippet', filetype: 'python', size: 7, duration_ms: 3200 }),
    'C1',
  )
  expect(attachment).toMatchObject({ id: 'F1', name: 'Untitled.python', sizeBytes: 7, durationMs: 3200 })
  expect(parseLocator(attachment.locator)).toEqual({ id: 'F1', channel: 'C1', url: 'https://files.slack.com/x' })
})

test('a canvas is a page with the name that people gave it', () => {
  const canvas = { name: 'Canvas', title: 'How we moor', mode: 'quip', filetype: 'quip' }
  expect(toAttachment(fileOf(canvas), 'C1').name).toBe('How we moor.html')
})

test('the download address is taken before the page address', () => {
  const attachment = toAttachment(fileOf({ url_private_download: 'https://files.slack.com/download/x' }), 'C1')
  expect(parseLocator(attachment.locator).url).toBe('https://files.slack.com/download/x')
})

test('a stub of a shared channel, a deleted file and an unreadable locator are told apart', () => {
  const stub = { id: 'F1', mode: 'file_access', file_access: 'check_file_info', created: 0, timestamp: 0, user: '' }
  expect(isStub(stub)).toBe(true)
  expect(isStub(fileOf({}))).toBe(false)
  expect(isGone({ id: 'F1', mode: 'tombstone' })).toBe(true)
  expect(parseLocator('no json')).toEqual({ id: '', channel: '' })
})

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

async function clipScene(transcription: object, words?: string) {
  const scene = await askedScene()
  const said = words === undefined ? undefined : scene.slack.hostFile(words, 'x.vtt', 'text/vtt').url_private
  const heard = scene.slack.hostVoice('sound', { transcription, vtt: said })
  scene.slack.workspace.files.get(heard.id)?.shares.add(scene.channel)
  const attachment = toAttachment(heard, scene.channel)
  const open = scene.adapter.open({ ...attachment, locator: attachment.captions ?? '' }, AbortSignal.timeout(10_000))
  return { ...scene, read: async () => new Response(await open).text() }
}

describe('what Slack wrote down of a recording', () => {
  const vtt = '\uFEFFWEBVTT \n\n1\n00:00:01.500 --> 00:00:03.000\n- When does the ferry leave?\n'
  test('is read whole from its own address, with our token', async () => {
    const { read } = await clipScene({ status: 'complete', preview: { content: 'When does', has_more: true } }, vtt)
    expect(await read()).toBe(vtt.slice(1))
  })

  test('is its preview where that is all of it', async () => {
    const { read } = await clipScene({ status: 'complete', preview: { content: 'When?', has_more: false } })
    expect(await read()).toBe('When?')
  })

  test('that failed, or is cut, is none', async () => {
    for (const transcription of [
      { status: 'failed' },
      { status: 'complete', preview: { content: 'W', has_more: true } },
    ]) {
      const { read, slack } = await clipScene(transcription)
      if (transcription.status === 'complete') slack.script('files.info', { pass: true }, { error: 'file_not_found' })
      await expect(read()).rejects.toMatchObject({ code: 'not-found' })
    }
  })
})

describe('trouble', () => {
  test('a login page is asked for again at a fresh address, then told with its remedy', async () => {
    const { read, slack, file } = await fileScene()
    slack.script(`file:${file.id}`, { html: true })
    expect(await read()).toBe('the bytes')
    expect(slack.callsOf('files.info')).toHaveLength(1)
    slack.script(`file:${file.id}`, { html: true }, { html: true })
    await expect(read()).rejects.toMatchObject({ code: 'forbidden', message: expect.stringContaining('files:read') })
  })

  test('a login page in place of a dropped page or a canvas is no page', async () => {
    const { read, slack } = await fileScene()
    const page = slack.hostFile('<!DOCTYPE html><title>Slack tips</title>mine', 'tips.html', 'text/html')
    expect(await read(page)).toContain('mine')
    const canvas = slack.hostFile('<h1>Mooring</h1>', 'Canvas', 'application/vnd.slack-docs', { mode: 'quip' })
    expect(await read(canvas)).toBe('<h1>Mooring</h1>')
    for (const { id, ...file } of [page, canvas]) {
      slack.script(`file:${id}`, { html: true }, { html: true })
      await expect(read({ ...file, id })).rejects.toMatchObject({ message: expect.stringContaining('files:read') })
    }
  })

  test.each([
    [{ status: 403 }, 'forbidden', /files:read/],
    [{ status: 404 }, 'not-found', /Upload it again/],
    [{ status: 431 }, 'invalid', /Upload the file again/],
    [{ status: 500 }, 'network', /HTTP 500/],
    [{ status: 429, retryAfter: 7 }, 'rate-limited', /later/],
    [{ drop: 'before' }, 'network', /Drop it again/],
  ] as const)('%j is told as %s', async (fault, code, sentence) => {
    const { read, slack, file } = await fileScene()
    slack.script(`file:${file.id}`, fault, fault)
    await expect(read()).rejects.toMatchObject({ name: 'AdapterError', code, message: expect.stringMatching(sentence) })
  })

  test('a missing scope, a deleted file and a file from elsewhere are told apart', async () => {
    const { read, slack, file } = await fileScene()
    slack.script('files.info', { error: 'missing_scope', extra: { needed: 'files:read' } })
    await expect(read(connectStub(file))).rejects.toMatchObject({
      code: 'forbidden',
      message: expect.stringContaining('files:read'),
      trouble: { kind: 'no-scope' },
    })
    slack.script('files.info', { error: 'file_deleted' })
    await expect(read(connectStub(file))).rejects.toMatchObject({ code: 'not-found', trouble: { kind: 'gone' } })
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

  test('a redirect to the login page of the workspace has the file asked for anew, and is told as that', async () => {
    const { read, slack, file } = await fileScene()
    const login = { redirect: 'https://ferry.slack.com/?redir=%2Ffiles-pri%2FT1-F1%2Fx.md' }
    slack.script(`file:${file.id}`, login)
    await read()
    expect(slack.callsOf('files.info')).toHaveLength(1)
    slack.script(`file:${file.id}`, login, login)
    await expect(read()).rejects.toMatchObject({ code: 'forbidden', message: expect.stringContaining('login page') })
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
