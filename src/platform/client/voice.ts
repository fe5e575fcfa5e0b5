import type { Recording as PortRecording, Transcript } from '#bridge/port/platform.ts'
import {
  AUDIO_PART,
  DEFAULT_TRANSCRIPTION_MODEL,
  verboseTranscript,
  type TranscriptFormat,
  SPEECH_FORMAT,
} from '../wire/voice.ts'
import type { CallOptions, Context } from './context.ts'
import { PlatformError, sentence } from './errors.ts'
import { parseJson, unexpected, type Reply } from './reply.ts'
import { uploadAllowanceMs } from './deadline.ts'
import { createForm } from './exchange.ts'

export interface Recording extends Omit<PortRecording, 'format'> {
  /** Default `whisper-large-v2`, or the client's `transcriptionModel`. */
  readonly model?: string
  /** Default `json`; with `srt` and `vtt` the text is the whole subtitle file. */
  readonly format?: TranscriptFormat
}

const MAX_TRANSCRIPT_BYTES = 16 * 1024 * 1024
const MAX_SOUND_BYTES = 64 * 1024 * 1024

export interface VoiceModels {
  readonly transcription?: string | undefined
  readonly speech?: string | undefined
  readonly speechVoice?: string | undefined
}

// oxlint-disable-next-line max-lines-per-function -- a factory: it only returns methods
export function createVoice({ transport, paths, credentials, limits, recordings }: Context, models: VoiceModels = {}) {
  const model = models.transcription ?? DEFAULT_TRANSCRIPTION_MODEL
  const ask = async (
    task: { readonly doing: string; readonly path: string; readonly language?: string | undefined },
    recording: Recording,
    options: CallOptions,
  ): Promise<Transcript> => {
    const format = recording.format ?? 'json'
    const { signal, workspace = '' } = options
    const leave = await recordings.enter(task.doing, { workspace, channel: '' }, signal)
    try {
      const reply = await transport.send({
        doing: task.doing,
        method: 'POST',
        path: task.path,
        credential: credentials.api,
        headers: { accept: format.endsWith('json') ? 'application/json' : 'text/plain, */*' },
        body: createForm(AUDIO_PART, recording, {
          model: recording.model ?? model,
          response_format: format,
          language: task.language,
          prompt: recording.prompt,
        }),
        firstByteMs: limits.transcriptionMs,
        allowanceMs: uploadAllowanceMs(recording.bytes.size, limits),
        retry: 'refused',
        workspace,
        signal,
      })
      return await readTranscript(reply, format)
    } finally {
      leave()
    }
  }

  return {
    /** Transcribes in the spoken language. `language`: ISO 639-1, a hint. */
    transcribe: (recording: Recording, options: CallOptions = {}) =>
      ask(
        { doing: `transcribing "${recording.name}"`, path: paths.transcriptions, language: recording.language },
        recording,
        options,
      ),
    /** Text to speech, at most `longestSpeech` characters. @throws {PlatformError} `unsupported` without a model. */
    async speak(text: string, options: CallOptions = {}) {
      if (models.speech === undefined) {
        const what = 'No model is set that reads out'
        throw new PlatformError('unsupported', sentence('unsupported', what, 'Set SPEECH_MODEL.'))
      }
      const reply = await transport.send({
        doing: 'reading a text out',
        method: 'POST',
        path: paths.speech,
        credential: credentials.api,
        headers: { 'content-type': 'application/json', accept: `${SPEECH_FORMAT.mimeType}, audio/*` },
        body: JSON.stringify({
          model: models.speech,
          input: text,
          voice: models.speechVoice ?? 'alloy',
          response_format: SPEECH_FORMAT.name,
        }),
        firstByteMs: limits.transcriptionMs,
        retry: 'refused',
        workspace: options.workspace,
        signal: options.signal,
      })
      return readSound(reply)
    },
    /** Translates into English. */
    translate: (recording: Recording, options: CallOptions = {}) =>
      ask({ doing: `translating "${recording.name}"`, path: paths.translations }, recording, options),
  }
}

async function readSound(reply: Reply): Promise<{ readonly bytes: Blob; readonly mimeType: string }> {
  const pieces: Uint8Array[] = []
  let sizeBytes = 0
  for await (const piece of reply.bytes()) {
    sizeBytes += piece.byteLength
    if (sizeBytes > MAX_SOUND_BYTES) throw unexpected(reply.doing, reply.status, 'the sound does not end')
    pieces.push(piece)
  }
  if (sizeBytes === 0) throw unexpected(reply.doing, reply.status, 'there is no sound in it')
  const contentType = reply.header('content-type')?.split(';', 1)[0]?.trim()
  const mimeType = contentType?.startsWith('audio/') === true ? contentType : SPEECH_FORMAT.mimeType
  return { bytes: new Blob([Buffer.concat(pieces, sizeBytes)], { type: mimeType }), mimeType }
}

async function readTranscript(reply: Reply, format: TranscriptFormat): Promise<Transcript> {
  const body = await reply.text(MAX_TRANSCRIPT_BYTES)
  if (body.trim() === '') {
    const what = `The platform answered with nothing in it while ${reply.doing}`
    throw new PlatformError('empty', sentence('empty', what, 'Try again, or record it anew.'))
  }
  if (!format.endsWith('json')) return { text: body }
  const decoded = parseJson(body)
  // Some servers answer in plain text for every format (interface: "audio → text").
  if (decoded === undefined) return { text: body.trim() }
  if (typeof decoded.json === 'string') return { text: decoded.json }
  const result = verboseTranscript.safeParse(decoded.json)
  if (!result.success) throw unexpected(reply.doing, reply.status, 'there is no text in it')
  const { text, language, duration, segments } = result.data
  return {
    text,
    language: language ?? undefined,
    durationMs: duration === undefined ? undefined : Math.round(duration * 1000),
    segments: segments?.map((one) => ({
      startMs: Math.round(one.start * 1000),
      endMs: Math.round(one.end * 1000),
      text: one.text,
    })),
  }
}
