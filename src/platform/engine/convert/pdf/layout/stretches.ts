import type { NativePage } from '../native-reader.ts'
import { joinSpaced } from './spaced.ts'

/** A stretch of words on one line, with no wide gap in it; measures in points. */
export interface Stretch {
  readonly text: string
  readonly left: number
  readonly right: number
  readonly top: number
  readonly bottom: number
  readonly isBold: boolean
  /** Between its words. */
  readonly gaps?: readonly Gap[]
}

/** A blank between two words of a stretch: where it lies on the page, and where the text goes on after it. */
export interface Gap {
  readonly left: number
  readonly right: number
  readonly at: number
}

export const heightOf = ({ top, bottom }: Stretch): number => bottom - top

/** Gaps between words are at most this wide, in heights of the line; justified lines have wide ones. */
const WIDE_GAP = 1.15
/** Numbers that belong together are closer. */
const NUMBER_GAP = 0.6
const NUMBER = /^[\p{Sc}(+-]?\d[\d.,:]*[%)]?$/u
/** An item's sign is further from its text. */
const SIGN_GAP = 4
const SIGN = /^(?:[•‣▪●◦○■□☐☑–-]|[a-z\d]{1,3}[.)]|\(?[a-z\d]{1,3}\))$/iu
/** Signs of symbol fonts, which have no letter of their own. */
const SYMBOL = /^[\uF000-\uF0FF\p{Cc}]$/u

/** More words are no page that people read. */
const MAX_WORDS = 20_000
/** Points; larger pages are a trap. Gutters are counted in steps, so it bounds their number. */
const MAX_POINTS = 20_000

/** Space above and below letters, in their heights. */
const LEADING = 0.25

const isOnPage = ({ x, y, width, height }: NativeWords[number]) =>
  [x, y, x + width, y + height].every((at) => Math.abs(at) <= MAX_POINTS)

/** Whether a text runs from left to right, as nearly all do. */
export const isLevel = ({ rotation = 0 }: { readonly rotation?: number }): boolean =>
  Math.abs(Math.sin((rotation * Math.PI) / 180)) < 0.1 && Math.cos((rotation * Math.PI) / 180) > 0

/** Gaps within a word that its letters are set apart by: in heights of the line, and against the widest of its text. */
const LETTER_GAP = 0.12
const LETTER_SHARE = 0.4

interface Word extends Stretch {
  /** Words of one text have a blank between them, however narrow. */
  readonly item: number
  readonly gaps: Gap[]
}

type NativeWords = NonNullable<NonNullable<NativePage['textItems']>[number]['words']>

/** Words of a text; those that spaced letters cut are whole again. */
export function wordsOf(words: NativeWords, item: number, isBold: boolean): Word[] {
  const gaps = words.map(({ x }, index) => x - ((words[index - 1]?.x ?? x) + (words[index - 1]?.width ?? 0)))
  const widest = Math.max(...gaps)
  const whole: Word[] = []
  for (const [index, { text, x, y, width, height }] of words.entries()) {
    const shown = SYMBOL.test(text) ? '•' : text.trim()
    if (shown === '' || !(width > 0) || !(height > 0)) continue
    const gap = gaps[index] ?? 0
    const last = whole.at(-1)
    const [right, bottom] = [x + width, y + height]
    if (last !== undefined && gap < height * LETTER_GAP && gap < widest * LETTER_SHARE)
      whole[whole.length - 1] = { ...last, text: last.text + shown, right, bottom: Math.max(bottom, last.bottom) }
    else whole.push({ text: shown, left: x, right, top: y, bottom, isBold, item, gaps: [] })
  }
  return whole
}

/**
 * Words of the level lines of a page from above to below; those of a line side by side. Undefined where the page is
 * larger or fuller than people read.
 */
export function stretchesOf({ textItems = [] }: NativePage): readonly Stretch[] | undefined {
  const words: Word[] = []
  for (const [item, one] of textItems.entries()) {
    const { text, fontName = '', x = 0, y = 0, width = 0, height = 0 } = one
    if (!isLevel(one)) continue
    // Recognized text comes in words, or pieces of lines, as high as their letters: the space around is added.
    const own = { text, x, y: y - height * LEADING, width, height: height * (1 + 2 * LEADING) }
    const all = one.words === undefined || one.words.length === 0 ? [own] : one.words
    if (words.length + all.length > MAX_WORDS || !all.every(isOnPage)) return undefined
    words.push(...wordsOf(all, item, /bold|black|heavy|semibold|bd$/i.test(fontName)))
  }
  const lines = linesOf(words).map(joinSpaced)
  const isGutter = findGutters(lines)
  return lines.flatMap((line) => joinWords(line, isGutter))
}

/** Words by line: the middle of each lies within the first of its line. */
export function linesOf<Part extends Stretch>(words: readonly Part[]): Part[][] {
  const lines: Part[][] = []
  const middle = ({ top, bottom }: Part) => (top + bottom) / 2
  const sorted = words.toSorted((one, other) => middle(one) - middle(other))
  let [top, bottom] = [0, 0]
  for (const word of sorted) {
    const line = lines.at(-1)
    const at = middle(word)
    // A line may hold raised and lowered letters, but no line has two heights.
    if (line !== undefined && at < bottom && at > top && at - (top + bottom) / 2 < (bottom - top) * 0.4) line.push(word)
    else {
      lines.push([word])
      ;[top, bottom] = [word.top, word.bottom]
    }
  }
  return lines.map((line) => line.toSorted((one, other) => one.left - other.left))
}

/** Gaps that may part columns, in heights of the line; they do where many lines have one at the same place. */
const NARROW_GAP = 0.5
const MIN_LINES = 5
const MIN_SHARE = 0.3
/** Points. */
const STEP = 2

type IsGutter = (left: number, right: number) => boolean

function findGutters(lines: readonly (readonly Stretch[])[]): IsGutter {
  const counts = new Map<number, number>()
  for (const line of lines) {
    for (const [index, { left, top, bottom }] of line.entries()) {
      const right = line[index - 1]?.right ?? left
      if (left - right < (bottom - top) * NARROW_GAP) continue
      const last = Math.min(Math.floor(left / STEP), Math.ceil(right / STEP) + 500)
      for (let at = Math.ceil(right / STEP); at <= last; at += 1) counts.set(at, (counts.get(at) ?? 0) + 1)
    }
  }
  const least = Math.max(MIN_LINES, lines.length * MIN_SHARE)
  return (left, right) => {
    for (let at = Math.ceil(left / STEP); at <= right / STEP; at += 1) if ((counts.get(at) ?? 0) >= least) return true
    return false
  }
}

function joinWords(line: readonly Word[], isGutter: IsGutter): Stretch[] {
  const stretches: Word[] = []
  for (const word of line) {
    const last = stretches.at(-1)
    const height = Math.max(heightOf(word), last === undefined ? 0 : heightOf(last))
    const gap = last === undefined ? 0 : word.left - last.right
    const isNumbers = last !== undefined && NUMBER.test(word.text) && NUMBER.test(last.text)
    const allowed = isNumbers ? NUMBER_GAP : last !== undefined && SIGN.test(last.text) ? SIGN_GAP : WIDE_GAP
    const isParted =
      gap > height * NARROW_GAP &&
      gap <= height * WIDE_GAP &&
      last !== undefined &&
      !SIGN.test(last.text) &&
      isGutter(last.right, word.left)
    if (last === undefined || gap > height * allowed || isParted) stretches.push(word)
    else {
      // Signs and raised letters are of other sizes: the longer part tells the height of the line.
      const { top, bottom } = word.text.length > last.text.length ? word : last
      const start = `${last.text}${gap < height * 0.05 && word.item !== last.item ? '' : ' '}`
      const text = `${start}${word.text}`
      last.gaps.push({ left: last.right, right: word.left, at: start.length })
      const isBold = last.isBold && word.isBold
      const { item } = word
      stretches[stretches.length - 1] = {
        item,
        text,
        left: last.left,
        right: Math.max(last.right, word.right),
        top,
        bottom,
        isBold,
        gaps: last.gaps,
      }
    }
  }
  return stretches
}
