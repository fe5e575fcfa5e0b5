import { z } from 'zod'
import { LIMITS } from './limits.ts'
import { guess } from './names.ts'

/** Formats that voice takes: guess (C) the first five; chat services and browsers also record the others (U). */
export const AUDIO_EXTENSIONS = ['.wav', '.mp3', '.mp4', '.m4a', '.flac', '.ogg', '.webm'] as const

/** Limits of one recording; 413 over either, each with a sentence of its own. Seconds are a guess (B), bytes (U). */
export const AUDIO_LIMITS = { seconds: LIMITS.audioSeconds, bytes: LIMITS.fileBytes } as const

/** Guess (B). */
export const TRANSCRIPT_FORMATS = ['json', 'text', 'srt', 'vtt', 'verbose_json'] as const

/** Name of the deployed model. Guess (B). */
export const DEFAULT_TRANSCRIPTION_MODEL = 'whisper-large-v2'

/** Multipart fields in addition to the part `file`. Guess (B). */
export const transcriptionFields = z
  .object({
    model: z.string().min(1).optional(),
    response_format: z.enum(TRANSCRIPT_FORMATS).default('json'),
    /** ISO 639-1 */
    language: z.string().optional(),
    /** Words that are likely to be said. */
    prompt: z.string().optional(),
    temperature: z.coerce.number().min(0).max(1).optional(),
    /** Times of words, of segments, or both; only with `verbose_json`, and only where the speech model tells them. */
    'timestamp_granularities[]': z.array(z.enum(['word', 'segment'])).optional(),
  })
  .meta(guess('B'))

/** Translation is always to English and takes no language. Guess (B). */
export const translationFields = transcriptionFields.omit({ language: true })

/** Multipart part that holds the recording. Guess (B). */
export const AUDIO_PART = 'file'

export const transcript = z.object({ text: z.string() })

/** `verbose_json`. Guess (B): as OpenAI has it; seconds. */
export const verboseTranscript = z
  .looseObject({
    task: z.enum(['transcribe', 'translate']).optional(),
    language: z.string().optional(),
    duration: z.coerce.number().optional(),
    text: z.string(),
    segments: z
      .array(z.looseObject({ id: z.number().optional(), start: z.number(), end: z.number(), text: z.string() }))
      .optional(),
  })
  .meta(guess('B'))

export type TranscriptFormat = (typeof TRANSCRIPT_FORMATS)[number]
export type TranscriptionFields = z.infer<typeof transcriptionFields>
export type TranslationFields = z.infer<typeof translationFields>
export type Transcript = z.infer<typeof transcript>
export type VerboseTranscript = z.infer<typeof verboseTranscript>

/** Not in the interface. Guess (B): as OpenAI has it; whatever else is given is forwarded. */
export const speechRequest = z
  .looseObject({
    model: z.string().min(1),
    /** The text to read out. */
    input: z.string().min(1).max(4096),
    voice: z.string().min(1).optional(),
    response_format: z.string().min(1).optional(),
  })
  .meta(guess('B'))

/** The sound format that is asked for. */
export const SPEECH_FORMAT = { name: 'mp3', mimeType: 'audio/mpeg', extension: '.mp3' } as const

/** Most characters of one request. Guess (B): as OpenAI has it. */
export const MAX_SPEECH_CHARACTERS = 4096

export type SpeechRequest = z.infer<typeof speechRequest>
