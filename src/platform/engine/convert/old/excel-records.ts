/** Properties of a sheet of Excel 97 to 2003 that SheetJS does not tell ([MS-XLS] section 2.4). */
export interface SheetLooks {
  /** Rows whose cells are all bold, and those whose cells all have a colour; from 0. */
  readonly bold: ReadonlySet<number>
  readonly filled: ReadonlySet<number>
  /** Codes of the head and the foot of printed pages. */
  readonly edges: readonly string[]
}

const [BOF, BOUND_SHEET, FONT, FORMAT_OF_CELLS, HEADER, FOOTER, MANY_NUMBERS] = [
  0x809, 0x85, 0x31, 0xe0, 0x14, 0x15, 0xbd,
]
/** Records of one cell: a formula, a number in three forms, a text in three forms, true or false. */
const CELLS: ReadonlySet<number> = new Set([0x06, 0x7e, 0x27e, 0x203, 0xfd, 0x204, 0xd6, 0x205])
const BOLD = 700
const NO_FONT = 4

interface Record {
  readonly type: number
  readonly at: number
  readonly data: Buffer
}

function* recordsOf(stream: Buffer): Generator<Record> {
  for (let at = 0; at + 4 <= stream.length;) {
    const data = stream.subarray(at + 4, at + 4 + stream.readUInt16LE(at + 2))
    yield { type: stream.readUInt16LE(at), at, data }
    at += 4 + data.length
  }
}

function textOf(data: Buffer): string {
  if (data.length < 3) return ''
  const isWide = ((data[2] ?? 0) & 1) === 1
  return data.toString(isWide ? 'utf16le' : 'latin1', 3, 3 + data.readUInt16LE(0) * (isWide ? 2 : 1))
}

/** Rows in which each cell has a property. */
function createRows() {
  const rows = new Map<number, boolean>()
  return {
    note: (row: number, has: boolean) => void rows.set(row, has && rows.get(row) !== false),
    all: () => new Set([...rows].flatMap(([row, has]) => (has ? [row] : []))),
  }
}

/** Sheets in the order of the workbook. An older or damaged stream gives as much as is read. */
export function readLooks(stream: Buffer): readonly SheetLooks[] {
  const places: number[] = []
  const fonts: boolean[] = []
  const formats: { readonly isBold: boolean; readonly isFilled: boolean }[] = []
  const sheets = new Map<
    number,
    { bold: ReturnType<typeof createRows>; filled: ReturnType<typeof createRows>; edges: string[] }
  >()
  let sheet: ReturnType<typeof sheets.get>

  function noteCell(row: number, format: number): void {
    sheet?.bold.note(row, formats[format]?.isBold === true)
    sheet?.filled.note(row, formats[format]?.isFilled === true)
  }

  for (const { type, at, data } of recordsOf(stream)) {
    if (type === BOF && places.includes(at)) {
      sheet = { bold: createRows(), filled: createRows(), edges: [] }
      sheets.set(at, sheet)
    } else if (type === BOUND_SHEET && data.length >= 4) places.push(data.readUInt32LE(0))
    else if (type === FONT && data.length >= 8) {
      // There is no font of number 4.
      if (fonts.length === NO_FONT) fonts.push(false)
      fonts.push(data.readUInt16LE(6) >= BOLD)
    } else if (type === FORMAT_OF_CELLS && data.length >= 18)
      formats.push({ isBold: fonts[data.readUInt16LE(0)] === true, isFilled: data.readUInt32LE(14) >>> 26 !== 0 })
    else if (type === HEADER || type === FOOTER) sheet?.edges.push(textOf(data))
    else if (CELLS.has(type) && data.length >= 6) noteCell(data.readUInt16LE(0), data.readUInt16LE(4))
    else if (type === MANY_NUMBERS)
      for (let cell = 4; cell + 6 < data.length; cell += 6) noteCell(data.readUInt16LE(0), data.readUInt16LE(cell))
  }
  return places.map((place) => {
    const found = sheets.get(place)
    return { bold: found?.bold.all() ?? new Set(), filled: found?.filled.all() ?? new Set(), edges: found?.edges ?? [] }
  })
}
