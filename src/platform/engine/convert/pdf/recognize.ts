import type { RecognitionLimits } from '../protocol.ts'
import { type NativePage, type NativePdf, QUIET_SETTINGS } from './native-reader.ts'
import { prepareLanguages } from './recognition-data.ts'

/** Resolution of the pages for recognition: lower ones lose small print. */
const DPI = 300
/** Upscaled scans that are noisy are read better at their own resolution, which is mostly this one. */
const SCAN_DPI = 200
/** Enough to see whether a page is upright. */
const TRIAL_DPI = 150
/** Largest picture of a page: decoded, it takes some bytes a pixel. */
const MAX_PIXELS = 24_000_000
const POINTS_PER_INCH = 72

// Mean confidence, measured on 24 scans: upright ones .83 to .96, noisy ones from .78, upside down at most .65.
const GOOD = 0.88
const UPRIGHT = 0.72
const READABLE = 0.6

/** Letters that a page of text has at least; fewer stand on scans as page numbers, stamps and names of scanners. */
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
  if (isGarbled) return true
  if (textLength < FEW_LETTERS && (imageCoverage > SMALL_PICTURE || uncoveredVectorArea > SOME_SHAPES)) return true
  return textLength < SOME_LETTERS && (fullPageImage || largestImageCoverage > LARGE_PICTURE)
}

interface Attempt {
  readonly page: NativePage
  /** 0 to 1; letters count equally. */
  readonly confidence: number
  /** Letters, each with its confidence. */
  readonly weight: number
}

function judge(page: NativePage): Attempt {
  let letters = 0
  let weight = 0
  for (const { text, confidence } of page.textItems ?? []) {
    if (confidence === undefined) continue
    letters += text.length
    weight += text.length * confidence
  }
  return { page, confidence: letters === 0 ? 0 : weight / letters, weight }
}

export interface Recognizer {
  /** Text of a page that is a picture; undefined where none is read. */
  read(page: NativePage, pages: number): Promise<NativePage | undefined>
  /** A sentence about pages that were not read; undefined when there are none. */
  note(): string | undefined
}

const ANGLES = [180, 270, 90] as const

type Shot = { readonly dpi: number; readonly angle?: (typeof ANGLES)[number]; readonly language: string }

/** Tries a page upright, at another resolution, and turned, until it is read well. */
async function readBest(
  shoot: (shot: Shot) => Promise<Attempt | undefined>,
  languages: readonly string[],
  dpi: number,
): Promise<Attempt | undefined> {
  const language = languages.join('+')
  const first = await shoot({ dpi, language })
  if (first === undefined || first.confidence >= GOOD) return first
  // A page without a letter is blank, however it is turned.
  if (first.confidence < UPRIGHT && first.confidence > 0) {
    for (const angle of ANGLES) {
      // oxlint-disable-next-line no-await-in-loop -- the first good one ends it
      const trial = await shoot({ dpi: Math.min(dpi, TRIAL_DPI), angle, language: languages[0] ?? language })
      if (trial === undefined || trial.confidence < UPRIGHT || trial.weight < first.weight) continue
      // oxlint-disable-next-line no-await-in-loop -- the loop ends with it
      return (await shoot({ dpi, angle, language })) ?? trial
    }
  }
  const other = dpi > SCAN_DPI ? await shoot({ dpi: SCAN_DPI, language }) : undefined
  return other !== undefined && other.weight > first.weight ? other : first
}

const late = (ms: number, signal: AbortSignal) =>
  new Promise<'late'>((resolve) => {
    const timer = setTimeout(() => resolve('late'), ms)
    signal.addEventListener('abort', () => clearTimeout(timer), { once: true })
  })

/** `3, 5–9` */
function toRanges(pages: readonly number[]): string {
  const ranges: [number, number][] = []
  for (const page of pages) {
    const last = ranges.at(-1)
    if (last !== undefined && page === last[1] + 1) last[1] = page
    else ranges.push([page, page])
  }
  const shown = ranges.slice(0, 10).map(([from, to]) => (from === to ? `${from}` : `${from}–${to}`))
  return shown.join(', ') + (ranges.length > shown.length ? ' …' : '')
}

/** Recognizes single pages of a document at a resolution and an angle. */
const createCamera =
  ({ LiteParse }: NativePdf, bytes: Buffer, folder: string) =>
  async (page: number, { dpi, angle, language }: Shot): Promise<Attempt | undefined> => {
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

type Reason = 'late' | 'no data'

function toNote(unread: readonly number[], why: Reason | undefined): string | undefined {
  if (unread.length === 0) return undefined
  const which = unread.length === 1 ? `Page ${unread[0]} is a picture` : `Pages ${toRanges(unread)} are pictures`
  return why === 'no data'
    ? `${which}, and no text recognition is set up here: run it on the document and send it again.`
    : `${which} that could not be read in the time allowed: send what is missing as a document of its own.`
}

/** Text recognition by Tesseract inside the native reader, page by page and within limits of time. */
export function createRecognizer(
  native: NativePdf,
  bytes: Buffer,
  { folder, languages: wanted, pageMs, totalMs }: RecognitionLimits,
  onPage: (page: number, pages: number) => void,
): Recognizer {
  const shoot = createCamera(native, bytes, folder)
  let languages: Promise<readonly string[]> | undefined
  let spentMs = 0
  let why: Reason | undefined
  const unread: number[] = []

  async function readInTime(page: number, dpi: number): Promise<Attempt | Reason | undefined> {
    languages ??= prepareLanguages(folder, wanted)
    const ready = await languages
    if (ready.length === 0) return 'no data'
    const done = new AbortController()
    const startedAt = performance.now()
    try {
      const limit = Math.min(pageMs, totalMs - spentMs)
      return await Promise.race([readBest((shot) => shoot(page, shot), ready, dpi), late(limit, done.signal)])
    } finally {
      done.abort()
      spentMs += performance.now() - startedAt
    }
  }

  return {
    async read({ pageNum: page, width = 0, height = 0 }, pages) {
      const most = Math.floor(Math.sqrt(MAX_PIXELS / Math.max(1, width * height)) * POINTS_PER_INCH)
      onPage(page, pages)
      const read = why ?? (await readInTime(page, Math.min(DPI, most)).catch(() => undefined))
      if (read === 'late' || read === 'no data') {
        // When late, the native part goes on with this page: a further one would share the processor with it.
        why = read
        unread.push(page)
        return undefined
      }
      return read === undefined || read.confidence < READABLE ? undefined : read.page
    },
    note: () => toNote(unread, why),
  }
}
