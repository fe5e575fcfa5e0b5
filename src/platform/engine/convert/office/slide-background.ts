import {
  child,
  descendants,
  elements,
  readRelations,
  readTree,
  type Relations,
  textOf,
  type XmlElement,
} from './xml.ts'
import type { Archive } from './zip.ts'

const isOff = (value: string | undefined) => value === '0' || value === 'false'

/** Text of a paragraph without its fields, which are numbers and days. */
const lineOf = (paragraph: XmlElement) =>
  elements(paragraph)
    .map((part) => (part.name === 'r' ? textOf(child(part, 't')) : part.name === 'br' ? ' ' : ''))
    .join('')
    .replace(/\s+/g, ' ')
    .trim()

interface Size {
  readonly width: number
  readonly height: number
}

/** Whether a shape lies outside of the slide, where designers leave remarks. */
function isBeside(shape: XmlElement, { width, height }: Size): boolean {
  const place = child(child(shape, 'spPr') ?? child(shape, 'grpSpPr'), 'xfrm')
  const numberOf = (name: string, key: string) => Number(child(place, name)?.attributes[key] ?? 0)
  const [x, y] = [numberOf('off', 'x'), numberOf('off', 'y')]
  const isPlaced = place !== undefined && width > 0 && height > 0
  return isPlaced && (x >= width || y >= height || x + numberOf('ext', 'cx') <= 0 || y + numberOf('ext', 'cy') <= 0)
}

/** Lines of shapes that are no placeholders: those only say where a slide has its own text. */
const linesOf = (root: XmlElement | undefined, size: Size): readonly string[] =>
  elements(child(root, 'cSld', 'spTree'))
    .filter((shape) => !isBeside(shape, size))
    .flatMap((shape) => (shape.name === 'sp' ? [shape] : descendants(shape, 'sp')))
    .filter((shape) => child(shape, 'nvSpPr', 'nvPr', 'ph') === undefined)
    .flatMap((shape) => elements(child(shape, 'txBody'), 'p').map(lineOf))
    .filter((line) => /\p{L}/u.test(line))

interface Background {
  readonly lines: readonly string[]
  readonly hidesMaster: boolean
  readonly master: string | undefined
}

/** Lines that slides show in addition to their own: those of their layout and of its master. */
export function createBackgrounds(archive: Archive, presentation: XmlElement) {
  const { cx = 0, cy = 0 } = child(presentation, 'sldSz')?.attributes ?? {}
  const size = { width: Number(cx), height: Number(cy) }
  const known = new Map<string, Background>()
  const read = (part: string): Background => {
    const found = known.get(part)
    if (found !== undefined) return found
    const root = readTree(archive, part)
    const background = {
      lines: linesOf(root, size),
      hidesMaster: isOff(root?.attributes['showMasterSp']),
      master: readRelations(archive, part).ofType('slideMaster'),
    }
    known.set(part, background)
    return background
  }
  return (slide: XmlElement, relations: Relations): readonly string[] => {
    const part = relations.ofType('slideLayout')
    if (part === undefined || isOff(slide.attributes['showMasterSp'])) return []
    const { lines, hidesMaster, master } = read(part)
    return hidesMaster || master === undefined ? lines : [...read(master).lines, ...lines]
  }
}
