import { ConvertError } from '../reader.ts'

/** Types of records ([MS-PPT] section 2.13.24) and of drawings ([MS-ODRAW] section 2.1.1). */
export const RECORD = {
  document: 0x03_e8,
  slide: 0x03_ee,
  slideAtom: 0x03_ef,
  notesAtom: 0x03_f1,
  slidePersist: 0x03_f3,
  showInfo: 0x03_f9,
  placeholder: 0x0b_c3,
  cString: 0x0f_ba,
  outlineText: 0x0f_9e,
  textHeader: 0x0f_9f,
  textChars: 0x0f_a0,
  textBytes: 0x0f_a8,
  headersFooters: 0x0f_d9,
  slideList: 0x0f_f0,
  userEdit: 0x0f_f5,
  persistDirectory: 0x17_72,
  group: 0xf0_03,
  shape: 0xf0_04,
  childAnchor: 0xf0_0f,
  anchor: 0xf0_10,
  moreProperties: 0xf1_22,
} as const

const HEAD_BYTES = 8
const CONTAINER = 0x0f
/** Containers within containers: groups of shapes in groups. */
const MAX_DEPTH = 40
/** Records of a presentation; more are a trap. */
const MAX_RECORDS = 500_000

export interface PresentationRecord {
  readonly type: number
  readonly instance: number
  readonly data: Buffer
  readonly children: readonly PresentationRecord[]
}

/** Reads records at places of a stream, with those that they contain. */
export function createRecordReader(stream: Buffer) {
  let count = 0
  function readAll(bytes: Buffer, depth: number): readonly PresentationRecord[] {
    const records: PresentationRecord[] = []
    let at = 0
    while (at + HEAD_BYTES <= bytes.length) {
      const [head, type, length] = [bytes.readUInt16LE(at), bytes.readUInt16LE(at + 2), bytes.readUInt32LE(at + 4)]
      count += 1
      if (count > MAX_RECORDS || depth > MAX_DEPTH) throw new ConvertError('broken')
      const data = bytes.subarray(at + HEAD_BYTES, at + HEAD_BYTES + length)
      const children = head % 16 === CONTAINER ? readAll(data, depth + 1) : []
      records.push({ type, instance: head >> 4, data, children })
      at += HEAD_BYTES + length
    }
    return records
  }
  return (offset: number): PresentationRecord | undefined => {
    if (offset < 0 || offset + HEAD_BYTES > stream.length) return undefined
    const length = stream.readUInt32LE(offset + 4)
    return readAll(stream.subarray(offset, offset + HEAD_BYTES + length), 0)[0]
  }
}

/** Records of a type within a record, at any depth. */
export const recordsIn = (record: PresentationRecord, type: number): readonly PresentationRecord[] =>
  record.children.flatMap((child) => (child.type === type ? [child] : recordsIn(child, type)))

const numberAt = (bytes: Buffer, at: number) => (at + 4 <= bytes.length ? bytes.readUInt32LE(at) : 0)

/** Entry of a directory: the first number of a run of objects, and how many follow. */
const FIRST = 0xf_ff_ff
const COUNT_SHIFT = 20

/** Where the objects of the last version of the presentation are: each time it was saved added a directory. */
export function readDirectory(
  readAt: ReturnType<typeof createRecordReader>,
  lastEdit: number,
): { readonly places: ReadonlyMap<number, number>; readonly document: number } {
  const places = new Map<number, number>()
  const seen = new Set<number>()
  let document = 0
  for (let at = lastEdit; at !== 0 && !seen.has(at);) {
    seen.add(at)
    const edit = readAt(at)
    if (edit?.type !== RECORD.userEdit) throw new ConvertError('broken')
    if (document === 0) document = numberAt(edit.data, 16)
    const directory = readAt(numberAt(edit.data, 12))?.data ?? Buffer.alloc(0)
    for (let next = 0; next + 4 <= directory.length;) {
      const entry = numberAt(directory, next)
      const [first, length] = [entry & FIRST, entry >>> COUNT_SHIFT]
      for (let index = 0; index < length; index += 1) {
        const place = numberAt(directory, next + 4 + index * 4)
        if (!places.has(first + index)) places.set(first + index, place)
      }
      next += 4 + length * 4
    }
    at = numberAt(edit.data, 8)
  }
  return { places, document }
}
