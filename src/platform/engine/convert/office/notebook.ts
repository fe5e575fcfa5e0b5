import { z } from 'zod'
import { decodeText } from '#platform/engine/text/decode.ts'
import type { Pictures } from '../images/pictures.ts'
import { toFence } from '../markdown/blocks.ts'
import { asOnePart, ConvertError, type ReadDocument } from '../reader.ts'
import { htmlToMarkdown } from '../web/html.ts'

const lines = z
  .union([z.string(), z.array(z.string())])
  .transform((text) => (typeof text === 'string' ? text : text.join('')))
  .catch('')

/** Signs for the colours of a terminal. */
const COLOURS = /\p{Cc}\[[\d;?]{0,30}[A-Za-z]/gu

/** A progress bar writes its line again and again: its last state. */
function lastState(line: string): string {
  const shown = line.trimEnd()
  return shown.slice(shown.lastIndexOf('\r') + 1)
}

/** Text as a terminal shows it. */
const printed = lines.transform((text) => text.replaceAll(COLOURS, '').split('\n').map(lastState).join('\n'))

const output = z.object({
  text: printed,
  /** Forms of the output by media type; version 3 has them as fields of the output (`html`, `png`). */
  data: z.record(z.string(), z.unknown()).catch({}),
  html: lines,
  png: lines,
  /** Name of an error, and its message. */
  ename: printed,
  evalue: printed,
})

const cell = z.object({
  cell_type: z.string().catch('raw'),
  source: lines,
  /** Version 3: code of a cell, and the level of a heading. */
  input: lines,
  level: z.number().int().min(1).max(6).catch(1),
  outputs: z.array(output).catch([]),
})

const cells = z.array(cell)
const notebook = z.object({
  metadata: z.object({ language_info: z.object({ name: z.string() }) }).catch({ language_info: { name: '' } }),
  cells: cells.optional(),
  worksheets: z.array(z.object({ cells })).optional(),
})

const toCode = (code: string, language = '') => toFence(code.trimEnd(), language.replace(/[^\w+#-]/g, ''))

/** One form of an output: a picture, a table, a formatted text, the plain text. */
function writeOutput({ text, data, ename, evalue, ...old }: z.infer<typeof output>, pictures: Pictures): string {
  const of = (type: string) => lines.parse(data[type])
  const image = of('image/png') || of('image/jpeg') || old.png
  const picture = image === '' ? '' : pictures.add(Buffer.from(image, 'base64'))
  if (picture !== '') return picture
  if (ename !== '') return toCode(`${ename}: ${evalue}`)
  const html = of('text/html') || old.html
  const plain = text || of('text/plain')
  // A table of data is there as aligned text, too.
  if (html !== '' && (plain === '' || /<table\b/i.test(html))) return htmlToMarkdown(html)
  const formatted = of('text/markdown') || of('text/latex')
  return formatted || (plain.trim() === '' ? '' : toCode(plain))
}

function writeCell({ cell_type: type, source, input, level }: z.infer<typeof cell>, language: string) {
  const text = source || input
  if (text.trim() === '') return ''
  if (type === 'code') return toCode(text, language)
  return type === 'heading' ? `${'#'.repeat(level)} ${text.trim()}` : text
}

/** Reads a Jupyter notebook of version 3 or 4: texts, code, and its printed and drawn output. */
export const readNotebook: ReadDocument = async ({ bytes, pictures }) => {
  let json: unknown
  try {
    json = JSON.parse(decodeText(bytes))
  } catch (error) {
    throw new ConvertError('broken', { cause: error })
  }
  const parsed = notebook.safeParse(json)
  const found = parsed.data?.cells ?? parsed.data?.worksheets?.flatMap((sheet) => sheet.cells)
  if (!parsed.success || found === undefined) throw new ConvertError('broken', { cause: parsed.error })
  const language = parsed.data.metadata.language_info.name
  const parts = found.flatMap((one) => [
    writeCell(one, language),
    ...one.outputs.map((shown) => writeOutput(shown, pictures)),
  ])
  return asOnePart(parts.filter((part) => part !== '').join('\n\n'))
}
