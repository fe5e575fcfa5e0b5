import { expect, test } from 'vitest'
import { isGone, isStub, parseLocator, toAttachment } from '../../../../adapters/slack/in/attachment.ts'

const file = (fields: object) => ({
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
  [
    'a clip from the desktop',
    { ...clip, name: 'audio_message.webm', mimetype: 'video/webm' },
    'voice',
    'audio/webm',
  ],
  ['a clip without a type', { ...clip, mimetype: '', filetype: '' }, 'voice', 'audio/mp4'],
  ['a webm clip without a type', { ...clip, name: 'audio_message.webm' }, 'voice', 'audio/webm'],
  ['a clip without its mark, without a type', { media_display_type: 'audio' }, 'voice', 'audio/mp4'],
  [
    'a clip without its mark, as video',
    { media_display_type: 'audio', mimetype: 'video/webm' },
    'voice',
    'audio/webm',
  ],
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
    'other',
    'video/mp4',
  ],
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
  const attachment = toAttachment(file(fields), 'C1')
  expect(attachment.kind).toBe(kind)
  expect(attachment.mimeType).toBe(mimeType)
})

test('size, length and the way back are kept, and a snippet gets its ending', () => {
  const attachment = toAttachment(
    file({ name: 'Untitled', mode: 'snippet', filetype: 'python', size: 7, duration_ms: 3200 }),
    'C1',
  )
  expect(attachment).toMatchObject({ id: 'F1', name: 'Untitled.python', sizeBytes: 7, durationMs: 3200 })
  expect(parseLocator(attachment.locator)).toEqual({
    id: 'F1',
    channel: 'C1',
    url: 'https://files.slack.com/x',
  })
})

test('the download address is taken before the page address', () => {
  const attachment = toAttachment(file({ url_private_download: 'https://files.slack.com/download/x' }), 'C1')
  expect(parseLocator(attachment.locator).url).toBe('https://files.slack.com/download/x')
})

test('a stub of a shared channel, a deleted file and an unreadable locator are told apart', () => {
  const stub = {
    id: 'F1',
    mode: 'file_access',
    file_access: 'check_file_info',
    created: 0,
    timestamp: 0,
    user: '',
  }
  expect(isStub(stub)).toBe(true)
  expect(isStub(file({}))).toBe(false)
  expect(isGone({ id: 'F1', mode: 'tombstone' })).toBe(true)
  expect(parseLocator('no json')).toEqual({ id: '', channel: '' })
})
