import { isHeavy } from '#platform/engine/convert/images/pictures.ts'
import { createFields } from './fields.ts'
import { takeObjects } from './objects.ts'
import { createOutline } from './outline.ts'
import { streamsOf } from './streams.ts'

/** Bytes that one stream unpacks to, and all together: more takes longer than it is worth. */
const MAX_STREAM_BYTES = 16_000_000
const MAX_BYTES = 64_000_000

const NO_TEXT = /\/(?:Image|Length1|FontFile\d?|ObjStm|XRef|DCTDecode|Metadata)\b/
/** The end of a letter's target in a map of letters; and the mode of text that is not shown. */
const FAR_LETTER = /[dD][89abAB][\da-fA-F]{2}[dD][c-fC-F][\da-fA-F]{2}>/
/** An element of the structure that is a table. */
const TABLE = /\/S\s{0,9}\/Table\b/
const INVISIBLE = /(?:^|\s)3\s{1,9}Tr\b/
/** Ends of texts in one stream: a page that people read has some thousands, and the native reader compares them all. */
const MAX_TEXTS = 200_000

function isFlood(content: string): boolean {
  let count = 0
  for (let at = content.indexOf(')'); at !== -1 && count <= MAX_TEXTS; at = content.indexOf(')', at + 1)) count += 1
  return count > MAX_TEXTS
}

export interface Signs {
  /** Letters beyond U+FFFF, which the native reader drops. */
  readonly hasFarLetters: boolean
  /** Text that is written without being shown. */
  readonly hasInvisible: boolean
  /** Tables that the program which wrote the document has named. */
  readonly hasTaggedTables: boolean
  /** Files within the file. */
  readonly hasAttachments: boolean
  /** More texts than a page can show. */
  readonly isFlooded: boolean
  /** A picture that takes too long to decode. */
  readonly hasHeavyPicture: boolean
  /** An outline, and fields of a form, that the native reader would follow for ever. */
  readonly hasEndlessOutline: boolean
  readonly hasEndlessFields: boolean
}

/** Signs in the objects of the file, which are read once. */
function readObjects(bytes: Buffer) {
  const [outline, fields] = [createOutline(), createFields()]
  let hasTaggedTables = false
  takeObjects(bytes, (number, text) => {
    outline.take(number, text)
    fields.take(number, text)
    hasTaggedTables ||= TABLE.test(text)
  })
  return { hasTaggedTables, hasEndlessOutline: outline.isEndless(), hasEndlessFields: fields.areEndless() }
}

/** Signs in the streams and objects of a PDF; its pages are not read here. */
export function signsOf(bytes: Buffer): Signs {
  let [hasFarLetters, hasInvisible, isFlooded, hasHeavyPicture, left] = [false, false, false, false, MAX_BYTES]
  for (const { head, raw, content } of streamsOf(bytes)) {
    hasHeavyPicture ||= head.includes('DCTDecode') && isHeavy(raw)
    if (NO_TEXT.test(head)) continue
    const text = content(MAX_STREAM_BYTES)
    left -= text.length
    hasFarLetters ||= text.includes('beginbf') && FAR_LETTER.test(text)
    hasInvisible ||= INVISIBLE.test(text)
    isFlooded ||= isFlood(text)
    if (isFlooded || hasHeavyPicture || left <= 0) break
  }
  const hasAttachments = bytes.includes('/EmbeddedFile')
  return { hasFarLetters, hasInvisible, hasAttachments, isFlooded, hasHeavyPicture, ...readObjects(bytes) }
}
