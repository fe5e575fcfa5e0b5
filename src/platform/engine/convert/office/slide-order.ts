import { child, elements, textOf, type XmlElement } from './xml.ts'

export interface Placed<Shape = XmlElement> {
  readonly shape: Shape
  readonly left: number
  readonly top: number
  readonly right: number
  readonly bottom: number
}

/** The place of a shape on its slide; undefined where a layout sets it. */
function placeOf(shape: XmlElement): Placed | undefined {
  const properties = elements(shape).find(({ name }) => name === 'spPr' || name === 'grpSpPr')
  const place = child(properties, 'xfrm') ?? child(shape, 'xfrm')
  const [offset, size] = [child(place, 'off')?.attributes, child(place, 'ext')?.attributes]
  const [left, top] = [Number(offset?.['x']), Number(offset?.['y'])]
  const [width, height] = [Number(size?.['cx']), Number(size?.['cy'])]
  return [left, top, width, height].every(Number.isFinite)
    ? { shape, left, top, right: left + width, bottom: top + height }
    : undefined
}

/** Groups of shapes with a gap between them, from one end to the other. */
function cut<Shape>(shapes: readonly Placed<Shape>[], from: 'left' | 'top', to: 'right' | 'bottom'): Placed<Shape>[][] {
  const groups: Placed<Shape>[][] = []
  let end = -Infinity
  for (const shape of shapes.toSorted((one, other) => one[from] - other[from])) {
    if (shape[from] >= end) groups.push([])
    groups.at(-1)?.push(shape)
    end = Math.max(end, shape[to])
  }
  return groups
}

const MAX_CUTS = 20

/** Columns from left to right, and rows from top to bottom; shapes that overlap stay as they are. */
function order<Shape>(shapes: readonly Placed<Shape>[], isRowsFirst: boolean, depth = 0): readonly Placed<Shape>[] {
  if (shapes.length < 2 || depth > MAX_CUTS) return shapes
  const rows = cut(shapes, 'top', 'bottom')
  const columns = cut(shapes, 'left', 'right')
  const [first, second] = isRowsFirst ? [rows, columns] : [columns, rows]
  const groups = first.length > 1 ? first : second
  if (groups.length < 2) return shapes
  // A group that is cut no further keeps the order of the file.
  const inFile = (group: readonly Placed<Shape>[]) => shapes.filter((shape) => group.includes(shape))
  return groups.flatMap((group) => order(inFile(group), isRowsFirst, depth + 1))
}

/** Pairs of shapes that are the other way round in the file. */
function turnsFrom<Shape>(ordered: readonly Placed<Shape>[], file: readonly Placed<Shape>[]): number {
  const places = ordered.map((shape) => file.indexOf(shape))
  return places.reduce((sum, place, at) => sum + places.slice(0, at).filter((before) => before > place).length, 0)
}

/** More shapes on a slide are a drawing. */
const MAX_SHAPES = 200

/**
 * Shapes as people read them. The file has them in the order in which they were drawn: it stays where that is one of the
 * two ways to read them, by rows or by columns. Those whose place a layout sets come first, or all stay as they are.
 */
export function orderPlaced<Shape>(
  shown: readonly Shape[],
  findPlace: (shape: Shape) => Placed<Shape> | undefined,
): readonly Shape[] {
  const placed = shown.flatMap((shape) => findPlace(shape) ?? [])
  const free = shown.slice(0, shown.length - placed.length)
  if (free.some((shape) => findPlace(shape) !== undefined) || placed.length > MAX_SHAPES) return shown
  const [byRows, byColumns] = [order(placed, true), order(placed, false)]
  // The way that is nearer to the file is the one its author had in mind.
  const [rows, columns] = [byRows, byColumns].map((one) => turnsFrom(one, placed))
  if (rows === 0 || columns === 0) return shown
  return [...free, ...(Number(rows) < Number(columns) ? byRows : byColumns).map(({ shape }) => shape)]
}

/** Lines and empty frames show no text, and cross the gaps between those that do. */
const isShown = (shape: XmlElement) =>
  /^(?:pic|graphicFrame|grpSp|AlternateContent)$/.test(shape.name) ||
  (shape.name === 'sp' && textOf(child(shape, 'txBody')).trim() !== '')

/** Shapes of PowerPoint as people read them; those that show nothing are left out. */
export const inReadingOrder = (shapes: readonly XmlElement[]): readonly XmlElement[] =>
  orderPlaced(shapes.filter(isShown), placeOf)
