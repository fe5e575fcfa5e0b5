import { z } from 'zod'
import { LIMITS, receivedList } from './limits.ts'
import { guess } from './names.ts'

/** Multipart part that holds the document. Guess (B). */
export const DOCUMENT_PART = 'document'

/** Guess (B). */
export const CONVERSION_TYPES = ['markdown', 'html', 'json', 'tokens'] as const

/** Query of the conversion. Guess (B). */
export const conversionQuery = z
  .object({
    response_type: z.enum(CONVERSION_TYPES).default('markdown'),
    extract_tables_as_images: z.stringbool().default(false),
    image_resolution_scale: z.coerce
      .number()
      .min(LIMITS.imageResolutionScale.min)
      .max(LIMITS.imageResolutionScale.max)
      .default(1),
  })
  .meta(guess('B'))

/** Shown: a file name, a type and base64 under `image`, not `data`. The names of the first two are a guess (B). */
export const convertedImage = z
  .object({ type: z.string(), filename: z.string(), image: z.string() })
  .meta(guess('B', '`filename`, `type`: picture or table'))

/** Only the field of the asked type is there. Converted markdown holds bare image names, not `![]()`. Guess (B). */
export const conversionResult = z
  .object({
    filename: z.string(),
    response_type: z.enum(CONVERSION_TYPES),
    markdown: z.string().optional(),
    html: z.string().optional(),
    json_data: z.unknown().optional(),
    /** DocTags, the document tokens of Docling. Guess (D). */
    tokens: z.string().optional(),
    images: z.array(convertedImage),
    /** Sentence about parts that were not read; the text ends with it, too. The embedded platform alone has it. */
    note: z.string().optional(),
  })
  .meta(guess('B'))

/** A result, as a client must be able to read it: `json` where `json_data` is absent, images perhaps missing. */
export const receivedConversion = z.looseObject({
  filename: z.string().nullish(),
  response_type: z.string().nullish(),
  markdown: z.string().nullish(),
  html: z.string().nullish(),
  json_data: z.unknown().optional(),
  json: z.unknown().optional(),
  tokens: z.unknown().optional(),
  images: receivedList(
    z.looseObject({ type: z.string().nullish(), filename: z.string().nullish(), image: z.string() }),
  ).nullish(),
  note: z.string().nullish(),
})

export type ConversionType = (typeof CONVERSION_TYPES)[number]
export type ConversionQuery = z.infer<typeof conversionQuery>
export type ConvertedImage = z.infer<typeof convertedImage>
export type ConversionResult = z.infer<typeof conversionResult>
export type ReceivedConversion = z.infer<typeof receivedConversion>
