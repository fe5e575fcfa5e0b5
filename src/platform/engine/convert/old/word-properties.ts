/** Properties of a paragraph of Word 97 to 2003 ([MS-DOC] sections 2.6.2 and 2.9). */
export interface Properties {
  readonly style: number
  /** Number of its list; 0: none, undefined: that of its style. */
  readonly list?: number | undefined
  readonly level?: number | undefined
  /** Level of a heading from 0; 9: body text. */
  readonly outline?: number | undefined
  readonly inTable?: boolean
}

const [OUTLINE, LEVEL, LIST, IN_TABLE, TABLE, TABS] = [0x2640, 0x260a, 0x460b, 0x2416, 0xd608, 0xc615]
/** Bytes of a value, by the upper three bits of its code; 6: its first byte says so. */
const VALUE_BYTES = [1, 1, 2, 4, 2, 2, undefined, 3]

/** Reads the changes of properties, up to the first one of unknown length. */
function readChanges(changes: Buffer): Omit<Properties, 'style'> {
  const found: { -readonly [Key in keyof Omit<Properties, 'style'>]: Properties[Key] } = {}
  for (let at = 0; at + 2 < changes.length;) {
    const code = changes.readUInt16LE(at)
    const [value = 0, next = 0] = [changes[at + 2], changes[at + 3]]
    if (code === TABLE || (code === TABS && value === 255)) break
    if (code === OUTLINE) found.outline = value
    else if (code === LEVEL) found.level = value
    else if (code === LIST) found.list = value + next * 256
    else if (code === IN_TABLE) found.inTable = value !== 0
    at += 2 + (VALUE_BYTES[code >> 13] ?? 1 + value)
  }
  return found
}

/** A style and the changes that follow it. */
const readProperties = (bytes: Buffer): Properties =>
  bytes.length < 2 ? { style: 0 } : { style: bytes.readUInt16LE(0), ...readChanges(bytes.subarray(2)) }

/** A style for paragraphs. */
interface Style {
  readonly properties: Properties
  /** Number of a style that comes with Word: 1 to 9 are the headings. */
  readonly known: number
  readonly base: number
}

const PARAGRAPH_STYLE = 1
const NO_STYLE = 0xfff
const MAX_DEPTH = 12

function readStyle(bytes: Buffer, headBytes: number): Style | undefined {
  if (bytes.length < headBytes + 2) return undefined
  const [known, kind] = [bytes.readUInt16LE(0) & 0xfff, bytes.readUInt16LE(2)]
  const style = { known, base: kind >> 4, properties: { style: 0 } }
  const named = headBytes + 4 + bytes.readUInt16LE(headBytes) * 2
  if ((kind & 0xf) !== PARAGRAPH_STYLE || named + 2 > bytes.length) return style
  const from = named + (named % 2)
  return { ...style, properties: readProperties(bytes.subarray(from + 2, from + 2 + bytes.readUInt16LE(from))) }
}

/** Offsets of tables in the file information block: where they are, then their length. */
export const TABLES = { styles: 0xa2, paragraphs: 0x102, lists: 0x2e2, uses: 0x2ea } as const

export const tableAt = (document: Buffer, table: Buffer, at: number): Buffer => {
  const from = document.readUInt32LE(at)
  return table.subarray(from, from + document.readUInt32LE(at + 4))
}

export interface ParagraphStyles {
  /** Numbers of a style and of those that it is based on, it first. */
  chain(style: number): readonly number[]
  propertiesOf(style: number): Properties | undefined
  /** Number of a style that comes with Word. */
  knownOf(style: number): number | undefined
}

export function readStyles(sheet: Buffer): ParagraphStyles {
  const styles: (Style | undefined)[] = []
  if (sheet.length > 6) {
    const headBytes = sheet.readUInt16LE(4)
    for (let at = 2 + sheet.readUInt16LE(0); at + 2 <= sheet.length;) {
      const length = sheet.readUInt16LE(at)
      styles.push(readStyle(sheet.subarray(at + 2, at + 2 + length), headBytes))
      at += 2 + length + (length % 2)
    }
  }
  return {
    chain(style) {
      const found: number[] = []
      for (let at = style; at !== NO_STYLE && styles[at] !== undefined && found.length < MAX_DEPTH;) {
        found.push(at)
        at = styles[at]?.base ?? NO_STYLE
      }
      return found
    },
    propertiesOf: (style) => styles[style]?.properties,
    knownOf: (style) => styles[style]?.known,
  }
}

/** A paragraph by the place of its text in the file. */
export interface Placed extends Properties {
  readonly from: number
  readonly to: number
}

const PAGE = 512
const MAX_PAGES = 20_000

function readPage(page: Buffer): Placed[] {
  if (page.length < PAGE) return []
  const count = Math.min(page.readUInt8(PAGE - 1), 29)
  return Array.from({ length: count }, (_, index) => {
    const at = page.readUInt8((count + 1) * 4 + index * 13) * 2
    const half = page.readUInt8(at)
    const [start, size] = half === 0 ? [at + 2, page.readUInt8(at + 1) * 2] : [at + 1, half * 2 - 1]
    const own = readProperties(at === 0 ? page.subarray(0, 0) : page.subarray(start, Math.min(start + size, PAGE - 1)))
    return { from: page.readUInt32LE(index * 4), to: page.readUInt32LE(index * 4 + 4), ...own }
  })
}

/** Finds the paragraph to which a place in the file belongs. */
export function readParagraphs(document: Buffer, table: Buffer): (place: number) => Placed | undefined {
  const pages = tableAt(document, table, TABLES.paragraphs)
  const count = Math.floor((pages.length - 4) / 8)
  const numbers = Array.from({ length: Math.max(0, count) }, (_, index) => pages.readUInt32LE((count + 1 + index) * 4))
  const all = [...new Set(numbers)]
    .slice(0, MAX_PAGES)
    .flatMap((number) => readPage(document.subarray(number * PAGE, (number + 1) * PAGE)))
    .toSorted((one, other) => one.from - other.from)
  return (place) => {
    let [low, high] = [0, all.length]
    while (low < high) {
      const middle = (low + high) >> 1
      if ((all[middle]?.to ?? 0) > place) high = middle
      else low = middle + 1
    }
    const found = all[low]
    return found !== undefined && found.from <= place ? found : undefined
  }
}
