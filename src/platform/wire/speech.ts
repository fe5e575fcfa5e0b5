import { z } from 'zod'
import { guess } from './sureness.ts'

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

/** What is asked for, and how a service is told that it is an answer in sound. */
export const speechFormat = { name: 'mp3', mimeType: 'audio/mpeg', extension: '.mp3' } as const

/** Most characters of one request. Guess (B): as OpenAI has it. */
export const longestSpeech = 4096

export type SpeechRequest = z.infer<typeof speechRequest>
