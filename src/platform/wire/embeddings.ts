import { z } from 'zod'
import { guess } from './sureness.ts'

/** Not in the interface. Guess (B): as OpenAI has it. */
export const embeddingsRequest = z
  .looseObject({
    model: z.string().min(1),
    input: z.union([z.string(), z.array(z.string()).min(1)]),
    encoding_format: z.enum(['float', 'base64']).nullish(),
    dimensions: z.int().min(1).nullish(),
  })
  .meta(guess('B'))

export const embeddingsResponse = z
  .object({
    object: z.literal('list'),
    model: z.string(),
    data: z.array(
      z.object({
        object: z.literal('embedding'),
        index: z.int(),
        /** Base64 of little-endian 32-bit floats where `encoding_format` asks for it. */
        embedding: z.union([z.array(z.number()), z.string()]),
      }),
    ),
    usage: z.object({ prompt_tokens: z.number(), total_tokens: z.number() }),
  })
  .meta(guess('B'))

/** As a client must be able to read it; vectors asked for as plain numbers. */
export const receivedEmbeddings = z.looseObject({
  data: z.array(z.looseObject({ index: z.number().nullish(), embedding: z.array(z.number()) })),
})

export type EmbeddingsRequest = z.infer<typeof embeddingsRequest>
export type EmbeddingsResponse = z.infer<typeof embeddingsResponse>
