import { emit, matchAt, openRunsOf, runAt, type Scan } from './scan.ts'

const isWord = (character: string | undefined) => character !== undefined && /\w/.test(character)
const isInk = (character: string | undefined) => character !== undefined && /\S/.test(character)

/** Factors of a product or power: `2*3*4`, `f(x)*g`, `x**2`. Scripts without blanks are left out. */
const FACTOR_END = /[\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}\d_)\]]/u
const FACTOR_START = /[\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}\d_([]/u

const DIGIT = /\d/
const TERM_MARK = /[\d)\]([]/
const LETTER = /[\p{L}\p{N}_]/u

/** A bracket, or a name of one letter. */
const isTerm = (near: string, beyond: string) => TERM_MARK.test(near) || !LETTER.test(beyond)

/** Whether `**` between these is a power: a digit is at one side, or a term at each. */
function isPower(before: string, after: string): boolean {
  if (DIGIT.test(before.slice(-1)) || DIGIT.test(after.charAt(0))) return true
  return isTerm(before.slice(-1), before.slice(0, -1)) && isTerm(after.charAt(0), after.slice(1))
}

/** A name of Python in code: `__init__.py`, `__init__()`, `app.__class__`. Alone it may as well be bold. */
const CODE_NAME = /__[a-z]\w{0,60}?__(?=\.\w|[([/])|(?<=[./])__[a-z]\w{0,60}?__(?!\w)/iy

interface Sides {
  readonly opens: boolean
  readonly closes: boolean
  /** Between two factors, so that it is no mark unless it closes one. */
  readonly factors: boolean
}

/** Whether a run of marks may open or close emphasis. Runs of `_` do neither inside a word. */
function sidesOf(state: Scan, run: string): Sides {
  const { text, at } = state
  const [before, after] = [text[at - 1], text[at + run.length]]
  const [isAfterInk, isBeforeInk] = [isInk(before), isInk(after)]
  const inner = run.startsWith('_')
  // Most marks have a blank at one side.
  const factors = !inner && isAfterInk && isBeforeInk && isBetweenFactors(state, run)
  return {
    opens: isBeforeInk && !(inner && isWord(before)) && !factors,
    closes: isAfterInk && !(inner && isWord(after)),
    factors,
  }
}

function isBetweenFactors({ text, at }: Scan, run: string): boolean {
  const end = at + run.length
  if (!run.startsWith('*') || !FACTOR_END.test(text.charAt(at - 1)) || !FACTOR_START.test(text.charAt(end)))
    return false
  return (
    run.length === 1 || (run.length === 2 && isPower(text.slice(Math.max(at - 2, 0), at), text.slice(end, end + 2)))
  )
}

/** The part of a bare address that the mark is in: Discord's own reading of it ends at a blank or `<`. */
function placeInAddress(state: Scan): 'inside' | 'tail' | undefined {
  state.addresses ??= Array.from(state.text.matchAll(/https?:\/\/[^\s<>]+/gi), ({ 0: address, index }) => ({
    from: index,
    tail: index + withoutTail(address),
    to: index + address.length,
  })).toReversed()
  while ((state.addresses.at(-1)?.to ?? Infinity) <= state.at) state.addresses.pop()
  const address = state.addresses.at(-1)
  if (address === undefined || address.from > state.at) return undefined
  return state.at < address.tail ? 'inside' : 'tail'
}

/** Length without the marks and stops at its end, which GFM does not link. */
function withoutTail(address: string): number {
  const marks = address.includes('(') ? '*_~.,:;!?' : '*_~.,:;!?)'
  let end = address.length
  while (marks.includes(address.charAt(end - 1))) end -= 1
  return end
}

const escaped = (run: string) => run.replaceAll(/[_*]/g, String.raw`\$&`)

/** Marks of bold, italic and strikethrough; those that CommonMark or the meaning leaves alone stay as they are written. */
export function takeEmphasis(state: Scan): void {
  const run = runAt(state)
  const place = placeInAddress(state)
  if (place === 'inside') return emit(state, run)
  const [name] = (run.startsWith('__') ? matchAt(CODE_NAME, state, state.at) : null) ?? []
  if (name !== undefined) return emit(state, name, state.plain ? name : escaped(name))
  if (state.plain || run.startsWith('*')) return takePairs(state, run)
  return takeUnderscores(state, run, place === 'tail')
}

/** Keeps `_` of emphasis, and converts `__`, which Discord underlines, to bold; Discord would pair any two others. */
function takeUnderscores(state: Scan, run: string, isInTail: boolean): void {
  const { opens, closes } = sidesOf(state, run)
  const literal = (marks: string) => (isInTail ? marks : escaped(marks))
  if (run.length > 3) return emit(state, run, literal(run))
  const sizes = run.length < 3 ? [run.length] : closes && openRunsOf(state, '_').length > 0 ? [1, 2] : [2, 1]
  for (const size of sizes) {
    const mark = run.slice(0, size)
    const open = openRunsOf(state, mark)
    const opening = closes ? open.pop() : undefined
    if (opening !== undefined) {
      const shown = size === 2 ? '**' : italicOf(state, opening.piece)
      state.pieces[opening.piece] = shown
      emit(state, mark, shown)
      continue
    }
    if (opens && open.length === 0) open.push({ piece: state.pieces.length, left: size })
    emit(state, mark, literal(mark))
  }
}

/** Discord's `_` ends at the next one, also in an address or in code. */
const italicOf = ({ pieces }: Scan, opening: number): string =>
  pieces.slice(opening + 1).some((piece) => /(?<!\\)_/.test(piece)) ? '*' : '_'

/** Pairs the marks as CommonMark does; in a code block, where Discord renders none, the pairs are removed. */
function takePairs(state: Scan, run: string): void {
  const mark = run.charAt(0)
  const { opens, closes, factors } = sidesOf(state, run)
  const open = openRunsOf(state, mark)
  let left = run.length
  for (let last = open.at(-1); closes && left > 0 && last !== undefined; last = open.at(-1)) {
    if (factors && last.left !== left) break
    const pairs = Math.min(left, last.left)
    left -= pairs
    last.left -= pairs
    if (state.plain) state.pieces[last.piece] = mark.repeat(last.left)
    if (last.left === 0) open.pop()
  }
  if (opens && left > 0 && (mark !== '~' || left === 2)) open.push({ piece: state.pieces.length, left })
  // Discord would take marks that close nothing for the beginning of the next bold or italic words.
  const isLiteral = left > 0 && (factors || (closes && !opens))
  if (state.plain) emit(state, run, mark.repeat(left))
  else emit(state, run, isLiteral ? run.slice(left) + escaped(run.slice(0, left)) : run)
}
