import { FormData } from 'undici'
import { defaultTranscriptionModel, type TranscriptionFields } from '../../wire/voice.ts'
import { EngineError } from '../errors.ts'
import type { UpstreamHttp, UpstreamOptions } from './http.ts'

export interface Recording {
  readonly name: string
  readonly mimeType: string
  readonly bytes: Uint8Array<ArrayBuffer>
}

/** What the model server answered: text, or JSON as text. */
export interface VoiceAnswer {
  readonly contentType: string
  readonly body: string
}

export type Transcribe = (
  task: 'transcriptions' | 'translations',
  recording: Recording,
  fields: TranscriptionFields,
  signal?: AbortSignal,
) => Promise<VoiceAnswer>

export function createTranscribe(parts: {
  readonly upstream: UpstreamOptions | undefined
  readonly http: UpstreamHttp | undefined
}): Transcribe {
  return async (task, recording, fields, signal) => {
    const { upstream, http } = parts
    if (upstream === undefined || http === undefined) {
      throw new EngineError(
        'not-configured',
        'Voice memos need a speech model: set UPSTREAM_BASE_URL and UPSTREAM_TRANSCRIPTION_MODEL, then send the memo again.',
        { reason: 'no_speech_model' },
      )
    }
    if (recording.bytes.length === 0) {
      throw new EngineError('invalid', 'The recording is empty: record it again.', { reason: 'empty_file' })
    }
    const form = new FormData()
    form.set('file', new Blob([recording.bytes], { type: recording.mimeType }), recording.name)
    form.set('model', upstream.transcriptionModel ?? fields.model ?? defaultTranscriptionModel)
    form.set('response_format', fields.response_format)
    if (task === 'transcriptions' && fields.language !== undefined) form.set('language', fields.language)
    if (fields.prompt !== undefined) form.set('prompt', fields.prompt)
    if (fields.temperature !== undefined) form.set('temperature', String(fields.temperature))
    const options = signal === undefined ? {} : { signal }
    const response = await http.send({ method: 'POST', path: `/audio/${task}`, form, ...options })
    const contentType = response.headers['content-type']
    return {
      contentType: (Array.isArray(contentType) ? contentType[0] : contentType) ?? 'application/json',
      body: await response.body.text(),
    }
  }
}
