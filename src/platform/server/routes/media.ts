import { type Context, Hono } from 'hono'
import { HTTPException } from 'hono/http-exception'
import type { ReceivedDocument } from '#platform/engine/api/conversion.ts'
import { EngineError } from '#platform/engine/errors.ts'
import {
  AUDIO_LIMITS,
  AUDIO_PART,
  speechRequest,
  transcriptionFields,
  translationFields,
} from '#platform/wire/voice.ts'
import { requireKey } from '../auth.ts'
import { check, readJson, signalOf } from '../http/body.ts'
import { type Environment, onlyMethods, type ServerParts } from '../routing.ts'
import { readForm } from '../http/form.ts'
import { conversionQuery, DOCUMENT_PART } from '#platform/wire/documents.ts'

/** Replaces the general size refusal by a sentence about recordings. */
function refuseSize(error: unknown): never {
  if (!(error instanceof HTTPException) || error.status !== 413) throw error
  const most = Math.round(AUDIO_LIMITS.bytes / (1024 * 1024))
  const sentence = `The recording is larger than ${most} MB: send a shorter one.`
  throw new EngineError('too-large', sentence, { reason: 'recording_too_large' })
}

/** Uploads go to the disk while they arrive. */
const receiverOf = ({ engine: { documents } }: ServerParts) => ({
  receive: (bytes: AsyncIterable<Uint8Array>) => documents.receive(bytes),
  discard: (received: ReceivedDocument) => documents.discard(received),
})

export function voiceRoutes(parts: ServerParts): Hono<Environment> {
  const key = requireKey(parts, 'bearer')
  const receiver = receiverOf(parts)
  async function answer(c: Context<Environment>, task: 'transcriptions' | 'translations') {
    const leave = parts.slots.enter(c.get('key'), 'conversions')
    try {
      const { name, mimeType, content, fields, lists } = await readForm(c, AUDIO_PART, receiver).catch(refuseSize)
      try {
        const wanted = task === 'transcriptions' ? transcriptionFields : translationFields
        const asked = check(wanted, { ...fields, ...lists }, 'body')
        const heard = await parts.engine.transcribe(task, { name, mimeType, ...content }, asked, signalOf(c.req.raw))
        return c.body(heard.body, 200, { 'content-type': heard.contentType })
      } finally {
        await receiver.discard(content)
      }
    } finally {
      leave()
    }
  }
  return new Hono<Environment>()
    .post('/audio/transcriptions', key, (c) => answer(c, 'transcriptions'))
    .all('/audio/transcriptions', onlyMethods('POST'))
    .post('/audio/translations', key, (c) => answer(c, 'translations'))
    .all('/audio/translations', onlyMethods('POST'))
    .post('/audio/speech', key, async (c) => {
      const request = await readJson(c, speechRequest)
      const { mimeType, bytes } = await parts.engine.speak(request, signalOf(c.req.raw))
      return c.body(bytes, 200, { 'content-type': mimeType })
    })
    .all('/audio/speech', onlyMethods('POST'))
}

const CONVERT_PATH = '/documents/convert'

export function documentRoutes(parts: ServerParts): Hono<Environment> {
  const { documents } = parts.engine
  return new Hono<Environment>()
    .post(CONVERT_PATH, requireKey(parts, 'bearer'), async (c) => {
      const query = check(conversionQuery, c.req.query(), 'query')
      const key = c.get('key')
      const leave = parts.slots.enter(key, 'conversions')
      try {
        const { name, content } = await readForm(c, DOCUMENT_PART, receiverOf(parts))
        return c.json(await documents.convert({ name, content }, query, signalOf(c.req.raw), `user ${key.user.id}`))
      } finally {
        leave()
      }
    })
    .all(CONVERT_PATH, onlyMethods('POST'))
}
