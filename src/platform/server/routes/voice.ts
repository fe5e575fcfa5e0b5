import { Hono, type Context } from 'hono'
import { audioPart, transcriptionFields, translationFields } from '../../wire/voice.ts'
import { requireKey } from '../auth.ts'
import { check, limitUpload, readBytes, readForm } from '../body.ts'
import type { Environment, ServerParts } from '../environment.ts'

export function voiceRoutes(parts: ServerParts): Hono<Environment> {
  const key = requireKey(parts, 'bearer')
  async function answer(c: Context<Environment>, task: 'transcriptions' | 'translations') {
    const { file, fields } = await readForm(c, audioPart)
    const wanted = task === 'transcriptions' ? transcriptionFields : translationFields
    const recording = { name: file.name, mimeType: file.type, bytes: await readBytes(file) }
    const signal = c.req.raw.signal
    const heard = await parts.engine.transcribe(task, recording, check(wanted, fields, 'body'), signal)
    return c.body(heard.body, 200, { 'content-type': heard.contentType })
  }
  return new Hono<Environment>()
    .post('/audio/transcriptions', key, limitUpload, (c) => answer(c, 'transcriptions'))
    .post('/audio/translations', key, limitUpload, (c) => answer(c, 'translations'))
}
