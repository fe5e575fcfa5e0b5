import { z } from 'zod'
import { receivedList } from './limits.ts'
import { guess } from './names.ts'

/** Element of the listing. The fields are shown, their types are a guess (A). */
export const model = z
  .object({
    id: z.string(),
    object: z.literal('model'),
    name: z.string(),
    /** Modalities: `text`, `image`, `audio` … */
    input: z.array(z.string()),
    output: z.array(z.string()),
    owned_by: z.string(),
    /** Unix time, seconds. */
    created: z.int(),
    /** Requests waiting; 0 is idle. */
    demand: z.int().min(0),
    /** `ready` where it can be asked at once. */
    status: z.string(),
    /** `YYYY-MM-DD`, where the model server says that it will be shut down. */
    shutdown_date: z.string().optional(),
  })
  .meta(guess('A', 'types of the fields'))

export const modelList = z.object({ object: z.literal('list'), data: z.array(model) })

/** A listing, as a client must be able to read it: an OpenAI-compatible server gives `id` and little more. */
export const receivedModelList = z.looseObject({
  data: receivedList(
    z.looseObject({
      id: z.string(),
      name: z.string().nullish(),
      input: z.array(z.string()).nullish(),
      output: z.array(z.string()).nullish(),
      owned_by: z.string().nullish(),
      created: z.union([z.number(), z.string()]).nullish(),
      demand: z.union([z.number(), z.string()]).nullish(),
      status: z.string().nullish(),
      shutdown_date: z.string().nullish().catch(undefined),
    }),
  ),
})

export type Model = z.infer<typeof model>
export type ModelList = z.infer<typeof modelList>
export type ReceivedModel = z.infer<typeof receivedModelList>['data'][number]

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
  data: receivedList(
    z.looseObject({
      index: z.number().nullish(),
      embedding: z.custom<number[]>((value) => Array.isArray(value) && value.every((one) => typeof one === 'number')),
    }),
  ),
})

export type EmbeddingsRequest = z.infer<typeof embeddingsRequest>
export type EmbeddingsResponse = z.infer<typeof embeddingsResponse>
