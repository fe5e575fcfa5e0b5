import { deflateSync } from 'node:zlib'
import type { PNG } from 'pngjs'

type Picture = Pick<PNG, 'width' | 'height' | 'data'>

/** Degrees: pages lie askew by less, and by less than the least are read as well as level ones. */
const MAX_SKEW = 6
const MIN_SKEW = 0.25
const COARSE = 0.5
const FINE = 0.1
/** How much sharper the lines must be at an angle than level, for the angle to count. */
const MIN_GAIN = 1.1
/** Difference of two grey levels at the edge of a letter. */
const EDGE = 40
/** Fewer edges are no lines of text. */
const MIN_EDGES = 400

/** The brightness of each pixel: letters in a colour may be as bright as their page in one channel. */
interface Grey {
  readonly width: number
  readonly height: number
  readonly levels: Uint8Array
}

function toGrey({ width, height, data }: Picture): Grey {
  const levels = new Uint8Array(width * height)
  for (let at = 0; at < levels.length; at += 1) {
    const [red = 0, green = 0, blue = 0] = [data[at * 4], data[at * 4 + 1], data[at * 4 + 2]]
    levels[at] = (77 * red + 150 * green + 29 * blue) >> 8
  }
  return { width, height, levels }
}

const tangent = (degrees: number) => Math.tan((degrees * Math.PI) / 180)

interface Edges {
  /** Along the lines, and across them. */
  readonly along: readonly number[]
  readonly across: readonly number[]
}

/** Lower edges of letters, or right ones for lines that run up or down: together they are the lines of a text. */
function edgesOf({ width, height, levels }: Grey, isSideways: boolean): Edges {
  const step = isSideways ? 1 : width
  const [along, across]: [number[], number[]] = [[], []]
  for (let y = 0; y < height - 1; y += 1) {
    for (let x = 0; x < width - 1; x += 1) {
      const at = y * width + x
      if ((levels[at + step] ?? 0) - (levels[at] ?? 0) < EDGE) continue
      along.push(isSideways ? -y : x)
      across.push(isSideways ? x : y)
    }
  }
  return { along, across }
}

/** How sharply the edges gather in lines that rise by this angle. */
function sharpness({ along, across }: Edges, degrees: number, length: number): number {
  const slope = tangent(degrees)
  const margin = Math.ceil(length * tangent(MAX_SKEW)) + 2
  const bins = new Float32Array(length + 2 * margin)
  for (const [index, at] of along.entries()) {
    const place = (across[index] ?? 0) - at * slope + margin
    const bin = Math.floor(place)
    const rest = place - bin
    bins[bin] = (bins[bin] ?? 0) + 1 - rest
    bins[bin + 1] = (bins[bin + 1] ?? 0) + rest
  }
  return bins.reduce((sum, count) => sum + count * count, 0)
}

/** The sharpest of the angles around one. */
function sharpest(edges: Edges, around: number, reach: number, step: number, length: number) {
  let best = { angle: around, value: -1 }
  for (let count = -Math.round(reach / step); count <= Math.round(reach / step); count += 1) {
    const angle = around + count * step
    const value = sharpness(edges, angle, length)
    if (value > best.value) best = { angle, value }
  }
  return best
}

function skewAlong(picture: Grey, isSideways: boolean): { readonly angle: number; readonly gain: number } {
  const edges = edgesOf(picture, isSideways)
  if (edges.along.length < MIN_EDGES) return { angle: 0, gain: 0 }
  const length = Math.max(picture.width, picture.height)
  const coarse = sharpest(edges, 0, MAX_SKEW, COARSE, length)
  const { angle, value } = sharpest(edges, coarse.angle, COARSE, FINE, length)
  return { angle, gain: value / sharpness(edges, 0, length) }
}

/** Degrees, clockwise, by which the lines of a page lie askew; 0 on a level page, or one without lines. */
export function skewOf(picture: Picture): number {
  const grey = toGrey(picture)
  const [level, sideways] = [skewAlong(grey, false), skewAlong(grey, true)]
  const { angle, gain } = level.gain >= sideways.gain ? level : sideways
  return gain < MIN_GAIN || Math.abs(angle) < MIN_SKEW || Math.abs(angle) > MAX_SKEW ? 0 : angle
}

/** Grey levels of the picture turned back by an angle; its edges go on where nothing was. */
function turnedBack({ width, height, levels }: Grey, degrees: number): Buffer {
  const [cos, sin] = [Math.cos((degrees * Math.PI) / 180), Math.sin((degrees * Math.PI) / 180)]
  const [midX, midY] = [width / 2, height / 2]
  const turned = Buffer.alloc(width * height)
  for (let y = 0; y < height; y += 1) {
    for (let x = 0; x < width; x += 1) {
      const fromX = Math.min(width - 1.001, Math.max(0, cos * (x - midX) - sin * (y - midY) + midX))
      const fromY = Math.min(height - 1.001, Math.max(0, sin * (x - midX) + cos * (y - midY) + midY))
      const at = Math.floor(fromY) * width + Math.floor(fromX)
      const [right, down] = [fromX % 1, fromY % 1]
      const above = (levels[at] ?? 0) * (1 - right) + (levels[at + 1] ?? 0) * right
      const below = (levels[at + width] ?? 0) * (1 - right) + (levels[at + width + 1] ?? 0) * right
      turned[y * width + x] = above * (1 - down) + below * down
    }
  }
  return turned
}

/** A PDF of one page, which is the picture turned back. */
export function toLevelPdf(picture: Picture, degrees: number, dpi: number): Buffer {
  const { width, height } = picture
  const size = [(width * 72) / dpi, (height * 72) / dpi]
  const image = deflateSync(turnedBack(toGrey(picture), degrees), { level: 1 })
  const drawing = `${size[0]} 0 0 ${size[1]} 0 0 cm /I Do`
  const objects = [
    ['<</Type/Catalog/Pages 2 0 R>>'],
    ['<</Type/Pages/Kids[3 0 R]/Count 1>>'],
    [`<</Type/Page/Parent 2 0 R/MediaBox[0 0 ${size.join(' ')}]/Resources<</XObject<</I 5 0 R>>>>/Contents 4 0 R>>`],
    [`<</Length ${drawing.length}>>stream\n`, drawing, '\nendstream'],
    [
      `<</Type/XObject/Subtype/Image/Width ${width}/Height ${height}/ColorSpace/DeviceGray/BitsPerComponent 8` +
        `/Filter/FlateDecode/Length ${image.length}>>stream\n`,
      image,
      '\nendstream',
    ],
  ].map((parts, index) =>
    Buffer.concat([`${index + 1} 0 obj\n`, ...parts, '\nendobj\n'].map((part) => Buffer.from(part))),
  )
  return Buffer.concat([Buffer.from('%PDF-1.4\n'), ...objects, Buffer.from('trailer<</Root 1 0 R/Size 6>>\n%%EOF\n')])
}
