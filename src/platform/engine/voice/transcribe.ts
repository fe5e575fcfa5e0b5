import type { TranscriptionFields } from '../../wire/voice.ts'
import { EngineError } from '../errors.ts'
import type { EngineLog } from '../types.ts'
import type { Inspector } from './inspect.ts'
import type { Hear, Question, Recording, VoiceTask } from './recording.ts'
import { render, type VoiceAnswer } from './render.ts'

/** @throws {EngineError} `not-configured`, `invalid`, `unsupported`, `too-large`, `upstream` … */
export type Transcribe = (
  task: VoiceTask,
  recording: Recording,
  fields: TranscriptionFields,
  signal?: AbortSignal,
) => Promise<VoiceAnswer>

export interface TranscribeParts {
  readonly inspector: Inspector
  /** The model server. */
  readonly upstream: Hear | undefined
  /** The engine of this machine: asked when there is no model server, or it is down. */
  readonly local: Hear | undefined
  readonly log: EngineLog
}

const isDown = (error: unknown) =>
  error instanceof EngineError && (error.code === 'upstream' || error.code === 'upstream-timeout')

export function createTranscribe(parts: TranscribeParts): Transcribe {
  const { inspector, upstream, local, log } = parts
  return async (task, sent, fields, signal) => {
    const first = upstream ?? local
    if (first === undefined) {
      throw new EngineError(
        'not-configured',
        'Voice memos need a speech model: set UPSTREAM_BASE_URL and UPSTREAM_TRANSCRIPTION_MODEL, or TRANSCRIPTION_MODEL_FILE, then send the memo again.',
        { reason: 'no_speech_model' },
      )
    }
    const recording = await inspector.inspect(sent)
    const times = !['json', 'text'].includes(fields.response_format)
    const question: Question = { task, fields, times }
    try {
      return render(await first(recording, question, signal), recording, question)
    } catch (error) {
      if (first === local || local === undefined || !isDown(error)) throw error
      log.warn(
        { err: error },
        'the model server did not hear a recording; the speech model of this machine does',
      )
      return render(await local(recording, question, signal), recording, question)
    }
  }
}
