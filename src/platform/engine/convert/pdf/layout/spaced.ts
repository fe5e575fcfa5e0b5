/** Text and where it lies, in points. */
interface Placed {
  readonly text: string
  readonly left: number
  readonly right: number
  readonly top: number
  readonly bottom: number
}

/** Letters in a row that were set apart; fewer are names of columns or of choices. */
const MIN_LETTERS = 5
/** Share of different ones in such a row, or their number: cells of a grid repeat a few signs. */
const MIN_KINDS = 0.5
const MAX_KINDS = 8
/** Share of vowels in Latin letters: words have more, and signs of a grid fewer. */
const MIN_VOWELS = 0.2
/** Share of single letters in such a row. */
const MIN_SINGLE = 0.6
/** Gaps between letters of one text, in heights of the line. */
const MAX_GAP = 1.3
/** Gap between words as a multiple of that between letters, and the least difference, in heights of the line. */
const WORD_PART = 1.8
const WORD_MORE = 0.2

const lettersOf = ({ text }: Placed) => /^(?:\p{L}\p{M}*|\p{Lu}{2,3})(?=[.,:;!?)]*$)/u.exec(text)?.[0].length ?? 0
/** A letter, or some capitals that the reader put together, since their gap is narrower. */
const isPiece = (part: Placed | undefined) => part !== undefined && lettersOf(part) > 0
/** An index has the letters of the alphabet in their order. */
const isAlphabet = (run: readonly Placed[]) =>
  run.every(({ text }, at) => at === 0 || text.localeCompare(run[at - 1]?.text ?? '') > 0)

/** Words of prose are hardly ever single letters. */
const isSpaced = (run: readonly Placed[]) => {
  const single = run.filter((part) => lettersOf(part) === 1)
  const kinds = new Set(single.map(({ text }) => text)).size
  const text = single.map((part) => part.text).join('')
  const vowels = text.normalize('NFD').match(/[aeiouy]/gi)?.length ?? 0
  if (/\p{sc=Latin}/u.test(text) && vowels <= single.length * MIN_VOWELS) return false
  const isWord = kinds >= MAX_KINDS || kinds > single.length * MIN_KINDS
  return single.length >= MIN_LETTERS && single.length > run.length * MIN_SINGLE && isWord && !isAlphabet(run)
}
const heightOf = ({ top, bottom }: Placed) => bottom - top
const gapAfter = (one: Placed, next: Placed | undefined) => (next === undefined ? Infinity : next.left - one.right)

function joinRun<Part extends Placed>(run: readonly Part[]): Part[] {
  const gaps = run.slice(1).map(({ left }, at) => left - (run[at]?.right ?? left))
  const usual = gaps.toSorted((one, other) => one - other)[Math.floor(gaps.length / 2)] ?? 0
  const words: Part[] = []
  for (const [at, part] of run.entries()) {
    const last = words.at(-1)
    const least = Math.max(usual * WORD_PART, usual + heightOf(part) * WORD_MORE)
    if (last === undefined || (gaps[at - 1] ?? 0) > least) words.push(part)
    else words[words.length - 1] = { ...last, text: last.text + part.text, right: part.right }
  }
  return words
}

/** The words of a line, those whole again whose letters were set apart for looks. */
export function joinSpaced<Part extends Placed>(line: readonly Part[]): Part[] {
  const joined: Part[] = []
  let run: Part[] = []
  for (const [at, part] of line.entries()) {
    run.push(part)
    const next = line[at + 1]
    const goesOn = isPiece(part) && isPiece(next) && gapAfter(part, next) <= heightOf(part) * MAX_GAP
    if (goesOn) continue
    joined.push(...(isSpaced(run) ? joinRun(run) : run))
    run = []
  }
  return joined
}

const SPACED = new RegExp(
  String.raw`(?<![\p{L}\p{N}])\p{L}{1,3}(?: \p{L}{1,3}(?![\p{L}\p{M}\p{N}])){${MIN_LETTERS - 1},}`,
  'gu',
)
const compact = (text: string) => text.replaceAll(' ', '')

/** Markdown with the words that the stretches of its page have whole. */
export function withWholeWords(markdown: string, stretches: readonly Placed[]): string {
  return markdown.replace(SPACED, (letters) => {
    const wanted = compact(letters)
    for (const { text } of stretches) {
      const from = compact(text).indexOf(wanted)
      if (from === -1) continue
      const words = text.split(' ')
      let at = 0
      const own = words.filter((word) => {
        const isInside = at >= from && at + word.length <= from + wanted.length
        at += word.length
        return isInside
      })
      if (own.join('') === wanted) return own.join(' ')
    }
    return letters
  })
}
