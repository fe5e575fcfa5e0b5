import { z } from 'zod'
import { toFence } from '../markdown/blocks.ts'
import { decodeText } from '../../text/decode.ts'
import { asOnePart, ConvertError, type ReadDocument } from '../reader.ts'

const lines = z
  .union([z.string(), z.array(z.string())])
  .transform((text) => (typeof text === 'string' ? text : text.join('')))

const notebook = z.object({
  metadata: z.object({ language_info: z.object({ name: z.string().optional() }).optional() }).optional(),
  cells: z.array(
    z.object({
      cell_type: z.string(),
      source: lines,
      outputs: z
        .array(z.object({ text: lines.optional(), data: z.record(z.string(), z.unknown()).optional() }))
        .optional(),
    }),
  ),
})

const toCode = (code: string, language: string) => toFence(code.trimEnd(), language.replace(/[^\w+#-]/g, ''))

/** Reads a Jupyter notebook: texts, code, and its printed and drawn output. */
export const readNotebook: ReadDocument = async ({ bytes, pictures }) => {
  let json: unknown
  try {
    json = JSON.parse(decodeText(bytes))
  } catch (error) {
    throw new ConvertError('broken', { cause: error })
  }
  const parsed = notebook.safeParse(json)
  if (!parsed.success) throw new ConvertError('broken', { cause: parsed.error })
  const { cells, metadata } = parsed.data
  const language = metadata?.language_info?.name ?? ''
  const parts = cells.flatMap(({ cell_type: type, source, outputs = [] }) => {
    if (source.trim() === '') return []
    if (type !== 'code') return [source]
    const shown = outputs.flatMap(({ text, data = {} }) => {
      const image = data['image/png']
      const plain = lines.safeParse(text ?? data['text/plain'])
      const name = typeof image === 'string' ? pictures.add(Buffer.from(image, 'base64')) : ''
      if (name !== '') return [name]
      return plain.success && plain.data.trim() !== '' ? [toCode(plain.data, '')] : []
    })
    return [toCode(source, language), ...shown]
  })
  return asOnePart(parts.join('\n\n'))
}
