import { PNG } from 'pngjs'
import { isHeavy } from '#platform/engine/convert/images/pictures.ts'
import type { RecognitionLimits } from '#platform/engine/convert/protocol.ts'
import type { Source } from '#platform/engine/convert/reader.ts'
import { type NativePage, type NativePdf, QUIET_SETTINGS } from '../native-reader.ts'
import { prepareLanguages } from './recognition-data.ts'
import { skewOf, toLevelPdf } from './skew.ts'
import type { Unread } from './unread.ts'

/** Resolutions of the pages for recognition: the first reads most scans, and noisy ones better; small print needs more. */
const DPI = 200
const FINE_DPI = 300
/** Largest picture of a page: decoded, it takes some bytes a pixel. */
const MAX_PIXELS = 24_000_000
const POINTS_PER_INCH = 72

// Mean confidence, measured on 24 scans: upright ones .83 to .96, noisy ones from .78, upside down at most .65.
const GOOD = 0.88
const UPRIGHT = 0.72
const READABLE = 0.6
/** Height of a recognized line in points: of capitals, without the space around. */
const SMALL_PRINT = 6

/** Letters that a page of text has at least; fewer are page numbers, stamps and names of scanners. */
const FEW_LETTERS = 100
const SOME_LETTERS = 600
const SMALL_PICTURE = 0.05
const LARGE_PICTURE = 0.4
/** Square points of letters that are drawn as shapes. */
const SOME_SHAPES = 5000

/** Whether the text of a page is in its pictures. */
export function isScan({ complexity }: NativePage): boolean {
  if (complexity === undefined) return false
  const {
    textLength,
    fullPageImage,
    imageCoverage,
    largestImageCoverage,
    isGarbled,
    uncoveredVectorArea = 0,
  } = complexity
  // Pictures within forms are not counted: a page without a letter is looked at.
  if (isGarbled || textLength === 0) return true
  if (textLength < FEW_LETTERS && (imageCoverage > SMALL_PICTURE || uncoveredVectorArea > SOME_SHAPES)) return true
  return textLength < SOME_LETTERS && (fullPageImage || largestImageCoverage > LARGE_PICTURE)
}

interface Attempt {
  readonly page: NativePage
  /** 0 to 1; letters count equally. */
  readonly confidence: number
  /** Letters, each with its confidence. */
  readonly weight: number
  /** Whether most letters are small print, and whether most words run up or down the page. */
  readonly isSmall: boolean
  readonly isSideways: boolean
}

function judge(page: NativePage): Attempt {
  let letters = 0
  let small = 0
  let upright = 0
  let weight = 0
  for (const { text, confidence, width = 0, height = Infinity } of page.textItems ?? []) {
    if (confidence === undefined) continue
    letters += text.length
    if (Math.min(width, height) < SMALL_PRINT) small += text.length
    // Two letters are as high as wide.
    if (text.length > 2) upright += width > height ? text.length : -text.length
    weight += text.length * confidence
  }
  const confidence = letters === 0 ? 0 : weight / letters
  return { page, confidence, weight, isSmall: small > letters / 2, isSideways: upright < 0 }
}

export interface Recognizer {
  /**
   * Text of a page that is a picture; undefined where none is read. `isPicture`: all of it is, since the text that it
   * brings is wrong.
   */
  read(page: NativePage, pages: number, isPicture?: boolean): Promise<NativePage | undefined>
  /** Pages that were not read, by the reason. */
  readonly unread: Readonly<Record<Unread, readonly number[]>>
}

const isReadable = (attempt: Attempt | undefined): attempt is Attempt =>
  attempt !== undefined && attempt.confidence >= READABLE

const ANGLES = [180, 270, 90] as const
const QUARTERS = [270, 90] as const

type Shot = { readonly dpi: number; readonly angle?: (typeof ANGLES)[number]; readonly language: string }

/** Tries a page upright, turned, and at the finer resolution, until it is read well. */
async function readBest(
  shoot: (shot: Shot) => Promise<Attempt | undefined>,
  language: string,
  mostDpi: number,
): Promise<Attempt | undefined> {
  const dpi = Math.min(DPI, mostDpi)
  const first = await shoot({ dpi, language })
  if (first === undefined) return first
  if (first.confidence >= GOOD && !first.isSmall && !first.isSideways) return first
  // A page without a letter is blank, however it is turned.
  if (first.isSideways || (first.confidence < UPRIGHT && first.confidence > 0)) {
    for (const angle of first.isSideways ? QUARTERS : ANGLES) {
      // oxlint-disable-next-line no-await-in-loop -- the first good one ends it
      const turned = await shoot({ dpi, angle, language })
      // A page that is read sideways is read letter for letter, but out of order.
      const least = first.isSideways ? first.weight * 0.9 : first.weight
      if (turned !== undefined && !turned.isSideways && turned.confidence >= UPRIGHT && turned.weight >= least)
        return turned
    }
  }
  const fine = mostDpi > dpi ? await shoot({ dpi: Math.min(FINE_DPI, mostDpi), language }) : undefined
  return fine !== undefined && fine.weight > first.weight ? fine : first
}

const late = (ms: number, signal: AbortSignal) =>
  new Promise<'late'>((resolve) => {
    const timer = setTimeout(() => resolve('late'), ms)
    signal.addEventListener('abort', () => clearTimeout(timer), { once: true })
  })

/** Enough to see whether there is anything on a page, and whether its lines are level. */
const GLANCE_DPI = 72
const GLANCE_PIXELS = 4_000_000
/** Square points of a page that is glanced at: two metres by two. */
const MAX_GLANCE = 5700 * 5700
/** Pixels of a page that is turned to be level. */
const MAX_LEVELLED = 9_000_000
/** Difference of two grey levels that an eye sees. */
const SEEN = 12

/** Bytes of a document and the number of a page in it. */
type Found = readonly [bytes: Buffer, page: number]
type FindPage = (page: number) => Found

/** The resolution at which a page of this area in square points has this number of pixels. */
const dpiFor = (area: number, pixels: number) => Math.floor(Math.sqrt(pixels / Math.max(1, area)) * POINTS_PER_INCH)

async function drawn({ LiteParse }: NativePdf, [bytes, page]: Found, dpi: number): Promise<PNG | undefined> {
  const [shot] = await new LiteParse({ ...QUIET_SETTINGS, dpi }).screenshot(bytes, [page])
  return shot && PNG.sync.read(shot.imageBuffer)
}

/** A page as a look at this resolution sees it. */
type Level = (dpi: number) => Promise<Found>

/** The page itself, or pictures of it, turned level if it lies askew; undefined if it is blank. */
async function levelled(
  native: NativePdf,
  found: Found,
  { area, isPicture }: { readonly area: number; readonly isPicture: boolean },
): Promise<Level | undefined> {
  const glance = await drawn(native, found, Math.min(GLANCE_DPI, dpiFor(area, GLANCE_PIXELS)))
  if (glance === undefined) return async () => found
  const first = glance.data[0] ?? 0
  if (glance.data.every((level, index) => index % 4 === 3 || Math.abs(level - first) < SEEN)) return undefined
  const skew = skewOf(glance)
  if (skew === 0 && !isPicture) return async () => found
  async function turn(dpi: number): Promise<Found> {
    const picture = await drawn(native, found, dpi)
    return picture === undefined ? found : [toLevelPdf(picture, skew, dpi), 1]
  }
  // Several looks share a picture. Noise is read better in one that is not drawn finer than the look.
  const turned = new Map<number, Promise<Found>>()
  return (wanted) => {
    const dpi = Math.min(wanted, dpiFor(area, MAX_LEVELLED))
    return turned.getOrInsertComputed(dpi, turn)
  }
}

/** Recognizes a page at a resolution and an angle. */
const createCamera =
  ({ LiteParse }: NativePdf, folder: string) =>
  async ([bytes, page]: Found, { dpi, angle, language }: Shot): Promise<Attempt | undefined> => {
    const parser = new LiteParse({
      ...QUIET_SETTINGS,
      ocrEnabled: true,
      ocrLanguage: language,
      ocrFailureFatal: false,
      tessdataPath: folder,
      targetPages: String(page),
      maxPages: 1_000_000,
      dpi,
      pageOrientationCorrections: angle === undefined ? [] : [{ page, angle }],
    })
    const [read] = (await parser.parse(bytes)).pages
    return read === undefined ? undefined : judge(read)
  }

/** Text recognition by Tesseract inside the native reader, page by page and within limits of time. */
export function createRecognizer(
  native: NativePdf,
  find: FindPage,
  { folder, languages: wanted, pageMs, totalMs, isOneLook = false }: RecognitionLimits,
  { onPage, onStuck }: Pick<Source, 'onPage' | 'onStuck'>,
): Recognizer {
  const shoot = createCamera(native, folder)
  let languages: Promise<readonly string[]> | undefined
  let spentMs = 0
  const unread: Record<Unread, number[]> = { late: [], 'no data': [], heavy: [] }

  /** A call that is late goes on in the native reader: no further one is made, and the child has to end. */
  async function inTime<Result>(call: () => Promise<Result>): Promise<Result | 'late'> {
    const limit = Math.min(pageMs, totalMs - spentMs)
    if (limit <= 0 || unread.late.length > 0) return 'late'
    const done = new AbortController()
    const startedAt = performance.now()
    try {
      const result = await Promise.race([call(), late(limit, done.signal)])
      if (result === 'late') onStuck?.()
      return result
    } finally {
      done.abort()
      spentMs += performance.now() - startedAt
    }
  }

  async function readPage(
    nativePage: NativePage,
    pages: number,
    isPicture: boolean,
  ): Promise<Attempt | Unread | undefined> {
    const { pageNum: page, width = 0, height = 0 } = nativePage
    // A page that is no scan is upright and sharp.
    const needsOne = isOneLook || (isPicture && !isScan(nativePage))
    const found = find(page)
    if (isHeavy(found[0])) return 'heavy'
    const area = width * height
    const itself: Level = async () => found
    const level =
      area > MAX_GLANCE ? itself : await inTime(() => levelled(native, found, { area, isPicture }).catch(() => itself))
    if (level === undefined) return undefined
    languages ??= prepareLanguages(folder, wanted)
    const ready = await languages
    if (ready.length === 0) return 'no data'
    if (level === 'late') return level
    const most = dpiFor(area, MAX_PIXELS)
    const language = ready.join('+')
    onPage(page, pages)
    const look = async (shot: Shot) => shoot(await level(shot.dpi).catch(() => found), shot)
    const read = await inTime(() =>
      needsOne ? look({ dpi: Math.min(DPI, most), language }) : readBest(look, language, most),
    )
    // A page that had to be drawn coarser than others would not be read better if it were larger still.
    return read !== 'late' && most < DPI && !isReadable(read) ? 'heavy' : read
  }

  return {
    async read(page, pages, isPicture = false) {
      const read = await readPage(page, pages, isPicture).catch(() => undefined)
      if (typeof read === 'string') unread[read].push(page.pageNum)
      return typeof read === 'string' || !isReadable(read) ? undefined : { ...read.page, pageNum: page.pageNum }
    },
    unread,
  }
}
