import { openAsBlob } from 'node:fs'
import { jsonExcess } from '#platform/wire/limits.ts'
import { FormData } from 'undici'
import { DEFAULT_TRANSCRIPTION_MODEL, verboseTranscript, type TranscriptFormat } from '#platform/wire/voice.ts'
import { EngineError } from '../errors.ts'
import type { Hear, Heard, Question, ReadRecording } from './recording.ts'
import { readBody, type UpstreamHttp, type UpstreamOptions } from '../upstream/http.ts'

async function toForm(
  { name, mimeType, path }: ReadRecording,
  { task, fields }: Question,
  model: string,
  format: TranscriptFormat,
): Promise<FormData> {
  const form = new FormData()
  form.set('file', await openAsBlob(path, { type: mimeType }), name)
  form.set('model', model)
  form.set('response_format', format)
  if (task === 'transcriptions' && fields.language !== undefined) form.set('language', fields.language)
  if (fields.prompt !== undefined) form.set('prompt', fields.prompt)
  if (fields.temperature !== undefined) form.set('temperature', String(fields.temperature))
  if (format === 'verbose_json') {
    for (const one of fields['timestamp_granularities[]'] ?? []) form.append('timestamp_granularities[]', one)
  }
  return form
}

/** Some servers answer in plain text for every format. */
function toHeard(text: string): Heard {
  const excess = jsonExcess(text)
  if (excess !== undefined) {
    throw new EngineError('upstream', `The model server sent a transcript that ${excess}.`)
  }
  let body: unknown
  try {
    body = JSON.parse(text)
  } catch {
    body = text.trim()
  }
  if (typeof body === 'string') return { text: body, body: { text: body } }
  const parsed = verboseTranscript.safeParse(body)
  if (!parsed.success) {
    throw new EngineError('upstream', 'The model server sent a transcript without a text: try again.')
  }
  const { text: said, segments } = parsed.data
  return { text: said, segments, body: body as object }
}

const refusesFormat = (error: unknown): error is EngineError =>
  error instanceof EngineError && error.code === 'invalid' && /response_format|verbose_json/i.test(error.message)

/**
 * Transcription by the model server. Times are requested as `verbose_json`, since not every server makes subtitles; a
 * server without it is asked for plain words.
 */
export function createUpstreamHear(http: UpstreamHttp, upstream: UpstreamOptions): Hear {
  return async (recording, question, signal) => {
    const model = upstream.transcriptionModel ?? question.fields.model ?? DEFAULT_TRANSCRIPTION_MODEL
    const path = `/audio/${question.task}`
    const ask = async (format: TranscriptFormat) => {
      const form = await toForm(recording, question, model, format)
      const response = await http.send({ method: 'POST', path, form, signal })
      return toHeard(await readBody(response, signal))
    }
    if (!question.times) return ask('json')
    try {
      return await ask('verbose_json')
    } catch (error) {
      if (!refusesFormat(error)) throw error
      return ask('json')
    }
  }
}
