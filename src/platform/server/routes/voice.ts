import { Hono, type Context, type MiddlewareHandler } from 'hono'
import { HTTPException } from 'hono/http-exception'
import { EngineError } from '../../engine/errors.ts'
import { audioLimits, audioPart, transcriptionFields, translationFields } from '../../wire/voice.ts'
import { requireKey } from '../auth.ts'
import { check, limitUpload, readBytes, readForm } from '../body.ts'
import type { Environment, ServerParts } from '../environment.ts'

/** The limit of any upload, in the words that fit a recording. */
const limitRecording: MiddlewareHandler<Environment> = (c, next) => limitUpload(c, next).catch(refuseSize)

function refuseSize(error: unknown): never {
  if (!(error instanceof HTTPException) || error.status !== 413) throw error
  const most = Math.round(audioLimits.bytes / (1024 * 1024))
  const sentence = `The recording is larger than ${most} MB: send a shorter one.`
  throw new EngineError('too-large', sentence, { reason: 'recording_too_large' })
}

export function voiceRoutes(parts: ServerParts): Hono<Environment> {
  const key = requireKey(parts, 'bearer')
  async function answer(c: Context<Environment>, task: 'transcriptions' | 'translations') {
    const { file, fields, lists } = await readForm(c, audioPart).catch(refuseSize)
    const wanted = task === 'transcriptions' ? transcriptionFields : translationFields
    const recording = { name: file.name, mimeType: file.type, bytes: await readBytes(file) }
    const given = check(wanted, { ...fields, ...lists }, 'body')
    const heard = await parts.engine.transcribe(task, recording, given, c.req.raw.signal)
    return c.body(heard.body, 200, { 'content-type': heard.contentType })
  }
  return new Hono<Environment>()
    .post('/audio/transcriptions', key, limitRecording, (c) => answer(c, 'transcriptions'))
    .post('/audio/translations', key, limitRecording, (c) => answer(c, 'translations'))
}
