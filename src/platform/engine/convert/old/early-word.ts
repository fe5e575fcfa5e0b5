import { decodeText } from '#lib/decode.ts'

// Offsets in the file information block of Word 6 and Word 95 ([MS-DOC] has those of later versions).
const FLAGS = 0x0a
const TEXT_START = 0x18
const TEXT_LETTERS = 0x34
/** Lengths of notes, heads and comments, which follow the text. */
const OTHER_LETTERS = [0x38, 0x3c, 0x44, 0x48]
/** The text lies in pieces, as after a fast save. */
const IN_PIECES = 0x0004

/** Signs around the instruction and the result of a field. */
const FIELD = '\u0013'
const RESULT_OR_END = ['\u0014', '\u0015']

const withoutInstructions = (text: string) =>
  text
    .split(FIELD)
    .map((part, index) => {
      const end = index === 0 ? -1 : Array.from(part).findIndex((sign) => RESULT_OR_END.includes(sign))
      return end === -1
        ? part
        : Array.from(part)
            .slice(end + 1)
            .join('')
    })
    .join('')

/** Text without instructions of fields, whose results stay; cells are parted by tabs, rows end lines. */
const toPlain = (text: string) =>
  withoutInstructions(text)
    .replaceAll('\u0007\u0007', '\r')
    .replaceAll('\u0007', '\t')
    .replaceAll('\u001e', '-')
    .replace(/(?![\t\n\v\f\r])\p{Cc}/gu, '')

/** Text of a document of Word 6 or 95, one byte a letter; undefined where it lies in pieces. */
export function earlyWordText(document: Buffer): string | undefined {
  if (document.length < 0x4c || (document.readUInt16LE(FLAGS) & IN_PIECES) !== 0) return undefined
  const start = document.readUInt32LE(TEXT_START)
  const letters = [TEXT_LETTERS, ...OTHER_LETTERS].reduce((sum, at) => sum + document.readUInt32LE(at), 0)
  const bytes = document.subarray(start, start + letters)
  return letters === 0 || bytes.length < letters ? undefined : toPlain(decodeText(bytes))
}
