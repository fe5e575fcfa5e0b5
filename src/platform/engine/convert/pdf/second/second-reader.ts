import type { NativePage } from '../native-reader.ts'
import { isSideways, markdownOf } from '../page-markdown.ts'
import { markdownWithTables } from '../layout/placed-tables.ts'
import { markHidden, putLettersIn } from './missing-text.ts'
import { mayHaveAccents, withAccents } from './accents.ts'
import type { Signs } from '../file/signs.ts'
import { readTaggedTables } from './tagged-tables.ts'

const lettersOf = (text: string) => text.match(/[\p{L}\p{N}]/gu)?.length ?? 0

/** Share of characters that fonts without a meaning for their letters leave: replacements, private ones, controls. */
function oddShare(text: string): number {
  const odd = text.match(/[\uFFFD\uE000-\uF8FF\p{Cs}]|(?![\t\n\r\f])\p{Cc}/gu)?.length ?? 0
  return odd / Math.max(1, text.length)
}

const FEW_LETTERS = 20
const ODD = 0.02
/** Pages of a document that are read twice for single letters or hidden text. */
const MAX_TWICE = 500
/** Height of a box in heights of its letters: fonts have some space above and below. */
const TALL = 2.5
/** Share of a page; text under such a picture was recognized in it. */
const LARGE_PICTURE = 0.4

const isRecognized = ({ textItems = [] }: NativePage) => textItems.some(({ confidence }) => confidence !== undefined)

/** Whether another reader may read more of a page: there is next to no text, or it is not made of letters. */
const isDoubtful = (page: NativePage) =>
  !isRecognized(page) && (lettersOf(page.text) < FEW_LETTERS || oddShare(page.text) > ODD)

const isBehindPicture = ({ complexity }: NativePage) =>
  complexity?.fullPageImage === true || (complexity?.largestImageCoverage ?? 0) > LARGE_PICTURE

/** Whether the boxes of letters are far taller than the letters: the native reader mixes and loses the lines. */
const isTall = ({ textItems = [] }: NativePage) => {
  let [all, tall] = [0, 0]
  for (const { text, height = 0, fontSize = height, rotation = 0 } of textItems) {
    all += text.length
    if (fontSize > 0 && rotation === 0 && height > fontSize * TALL) tall += text.length
  }
  return tall > all / 2
}

interface Glyph {
  readonly unicode?: string
}

/** Reads single pages again where the native reader failed. Opens the document with the first of them. */
// oxlint-disable-next-line max-lines-per-function -- a factory: it only returns methods
export function createSecondReader(bytes: Buffer, signs: Signs, toMarkdown: (page: NativePage) => string) {
  let opening: ReturnType<typeof open> | undefined
  let [twice, tagged] = [0, 0]
  async function open() {
    const { getDocumentProxy } = await import('unpdf')
    return getDocumentProxy(new Uint8Array(bytes), { verbosity: 0 })
  }
  async function openPage(pageNumber: number) {
    opening ??= open()
    return (await opening).getPage(pageNumber)
  }
  async function readLines(pageNumber: number): Promise<string> {
    const { items } = await (await openPage(pageNumber)).getTextContent()
    return items.map((item) => ('str' in item ? item.str + (item.hasEOL ? '\n' : '') : '')).join('')
  }
  /** The page with the texts as this reader places them. */
  async function replace(page: NativePage): Promise<NativePage> {
    const { items } = await (await openPage(page.pageNum)).getTextContent()
    const textItems = items.flatMap((item) => {
      if (!('str' in item) || item.str.trim() === '') return []
      const [, , , height = 0, x = 0, bottom = 0] = item.transform as readonly number[]
      const size = Math.abs(height)
      return [{ text: item.str, x, y: (page.height ?? 0) - bottom - size, width: item.width, height: size }]
    })
    return { ...page, textItems, markdown: '' }
  }
  /** Texts in the order of drawing. */
  async function readDrawn(pageNumber: number) {
    const { items } = await (await openPage(pageNumber)).getTextContent()
    return items.flatMap((item) => {
      if (!('str' in item) || (item.str === '' && !item.hasEOL)) return []
      const [, , , size = 0, left = 0] = item.transform as readonly number[]
      return [{ text: item.str, left, right: left + item.width, size: Math.abs(size), endsLine: item.hasEOL }]
    })
  }
  /** Texts that are written in the mode that shows nothing. */
  async function readInvisible(pageNumber: number): Promise<readonly string[]> {
    const { getResolvedPDFJS } = await import('unpdf')
    const { OPS } = await getResolvedPDFJS()
    const { fnArray, argsArray } = await (await openPage(pageNumber)).getOperatorList()
    const texts: string[] = []
    const outer: number[] = []
    let mode = 0
    for (const [index, operation] of fnArray.entries()) {
      const [first] = (argsArray[index] ?? []) as readonly unknown[]
      if (operation === OPS.save) outer.push(mode)
      else if (operation === OPS.restore) mode = outer.pop() ?? 0
      else if (operation === OPS.setTextRenderingMode) mode = Number(first)
      else if (operation === OPS.showText && mode === 3) {
        texts.push(
          (first as readonly (Glyph | number)[]).map((one) => (typeof one === 'number' ? '' : one.unicode)).join(''),
        )
      }
    }
    return texts
  }
  /** The page with its tables as the tags of the document tell them. */
  async function readTagged(native: NativePage): Promise<string> {
    if (!signs.hasTaggedTables || isRecognized(native) || tagged >= MAX_TWICE) return toMarkdown(native)
    tagged += 1
    const tables = await openPage(native.pageNum)
      .then(readTaggedTables)
      .catch(() => [])
    return markdownWithTables(native, tables, toMarkdown)
  }
  /** The page with letters that the native reader drops, and with marks around invisible text. */
  async function complete(page: NativePage, markdown: string): Promise<string> {
    const isAccented = mayHaveAccents(markdown)
    const isWhole = !signs.hasFarLetters && !signs.hasInvisible && !isAccented
    if (isRecognized(page) || isWhole || twice >= MAX_TWICE) return markdown
    twice += 1
    const known = isAccented ? withAccents(markdown, await readDrawn(page.pageNum)) : markdown
    const whole = signs.hasFarLetters ? putLettersIn(known, await readLines(page.pageNum)) : known
    return signs.hasInvisible && !isBehindPicture(page) ? markHidden(whole, await readInvisible(page.pageNum)) : whole
  }
  return {
    /** Plain lines of a page that the native reader misread; markdown for all others. */
    async read(page: NativePage): Promise<string> {
      if (isTall(page)) return toMarkdown(await replace(page).catch(() => page))
      const isTurned = isSideways(page)
      if (!isTurned && !isDoubtful(page)) {
        const markdown = await readTagged(page)
        return complete(page, markdown).catch(() => markdown)
      }
      // The second reader may refuse a file that the first one opened.
      const lines = (await readLines(page.pageNum).catch(() => '')).trim()
      if (isTurned) return lines === '' ? markdownOf(page) : lines
      const isBetter = lettersOf(lines) * (1 - oddShare(lines)) > lettersOf(page.text) * (1 - oddShare(page.text))
      if (isBetter) return lines
      return page.text.trim() === '' ? '' : toMarkdown(page)
    },
    async close(): Promise<void> {
      const document = await opening?.catch(() => undefined)
      await document?.loadingTask.destroy()
    },
  }
}
