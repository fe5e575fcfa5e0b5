import type { Placed } from '../office/slide-order.ts'
import { type PresentationRecord, RECORD, recordsIn } from './presentation-records.ts'

/** Kinds of text ([MS-PPT] section 2.13.33), and placeholders (2.13.24) for a day, a number and a foot. */
export const TEXT = { title: 0, body: 1, notes: 2, centreTitle: 6, halfBody: 7, quarterBody: 8 } as const
const FURNITURE: ReadonlySet<number> = new Set([7, 8, 9, 10])
/** Property of a group that is a table ([MS-ODRAW] section 2.3.4.37). */
const IS_TABLE = 0x03_9f
const PROPERTY_BYTES = 6
const MASK = 0x3f_ff

export interface ShapeText {
  readonly kind: number
  /** Paragraphs are parted by \r, lines of one by \v. */
  readonly text: string
}

/** Texts of a record in their order; those of slides are also in a list for all of them, to which `outline` leads. */
export function textsOf(record: PresentationRecord, outline: readonly ShapeText[] = []): readonly ShapeText[] {
  const texts: ShapeText[] = []
  let kind = 4
  const visit = (records: readonly PresentationRecord[]) => {
    for (const { type, data, children } of records) {
      if (type === RECORD.textHeader && data.length >= 4) kind = data.readUInt32LE(0)
      else if (type === RECORD.textChars) texts.push({ kind, text: data.toString('utf16le') })
      else if (type === RECORD.textBytes) texts.push({ kind, text: data.toString('latin1') })
      else if (type === RECORD.outlineText && data.length >= 4)
        texts.push(...outline.slice(data.readUInt32LE(0)).slice(0, 1))
      visit(children)
    }
  }
  visit([record])
  return texts.filter(({ text }) => /[\p{L}\p{N}]/u.test(text))
}

export interface SlideShape {
  readonly record: PresentationRecord
  readonly texts: readonly ShapeText[]
  readonly isPlaceholder: boolean
  readonly isFurniture: boolean
}

/** The rectangle of a shape: small ones have two bytes a side. */
function anchorOf(record: PresentationRecord): readonly number[] | undefined {
  const data = recordsIn(record, RECORD.anchor)[0]?.data
  if (data === undefined) return undefined
  if (data.length >= 16) return [0, 4, 8, 12].map((at) => data.readInt32LE(at))
  return data.length >= 8 ? [0, 2, 4, 6].map((at) => data.readInt16LE(at)) : undefined
}

export function placeOf(shape: SlideShape): Placed<SlideShape> | undefined {
  const [top, left, right, bottom] = anchorOf(shape.record) ?? []
  return top === undefined || left === undefined || right === undefined || bottom === undefined
    ? undefined
    : { shape, left, top, right, bottom }
}

/** Shapes and groups of the drawing of a slide or master. */
export function shapesOf(slide: PresentationRecord, outline: readonly ShapeText[] = []): readonly SlideShape[] {
  const [drawing] = recordsIn(slide, RECORD.group)
  // The first shape of a group is the group itself.
  return (drawing?.children ?? []).slice(1).map((record) => {
    const placeholder = recordsIn(record, RECORD.placeholder)[0]?.data[4]
    return {
      record,
      texts: textsOf(record, outline),
      isPlaceholder: placeholder !== undefined,
      isFurniture: placeholder !== undefined && FURNITURE.has(placeholder),
    }
  })
}

function isTable(record: PresentationRecord): boolean {
  if (record.type !== RECORD.group) return false
  return recordsIn(record, RECORD.moreProperties).some(({ data }) => {
    for (let at = 0; at + PROPERTY_BYTES <= data.length; at += PROPERTY_BYTES)
      if ((data.readUInt16LE(at) & MASK) === IS_TABLE) return true
    return false
  })
}

/** Cells of a table by the places of its shapes; undefined for other shapes. */
export function cellsOf({ record }: SlideShape): readonly (readonly string[])[] | undefined {
  if (!isTable(record)) return undefined
  const cells = recordsIn(record, RECORD.shape).flatMap((shape) => {
    const data = recordsIn(shape, RECORD.childAnchor)[0]?.data
    const text = textsOf(shape)
      .map((one) => one.text)
      .join(' ')
    return data === undefined || data.length < 16 || text === ''
      ? []
      : [{ left: data.readInt32LE(0), top: data.readInt32LE(4), text }]
  })
  const lefts = [...new Set(cells.map(({ left }) => left))].toSorted((one, other) => one - other)
  const rows = Map.groupBy(cells, ({ top }) => top)
  return [...rows]
    .toSorted(([one], [other]) => one - other)
    .map(([, row]) => lefts.map((at) => row.find(({ left }) => left === at)?.text.trim() ?? ''))
}
