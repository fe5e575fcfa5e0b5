/** A run of `*`, `_` or `~` that may still be closed: its piece, and the number of marks left. */
export interface OpenRun {
  readonly piece: number
  left: number
}

/** One pass over the inline marks of a text. */
export interface Scan {
  readonly text: string
  readonly plain: boolean
  at: number
  /** The output. An opening mark is a piece of its own, changed when its closing mark is found. */
  pieces: string[]
  codePieces: Set<number>
  brackets: { piece: number; image: boolean }[]
  /** Runs by their mark, in the line that ends at `lineEnd`. */
  openRuns: Record<string, OpenRun[]>
  lineEnd: number
  /** Starts of the runs of backticks by their length, last first. */
  backticks?: Map<number, number[]>
  /** Places of bare addresses, last first. `tail`: where marks and stops begin that may belong to the sentence. */
  addresses?: { readonly from: number; readonly tail: number; readonly to: number }[]
}

export const createScan = (text: string, plain: boolean): Scan => ({
  text,
  plain,
  at: 0,
  pieces: [],
  codePieces: new Set(),
  brackets: [],
  openRuns: {},
  lineEnd: -1,
})

/** Skips `source` and emits `shown` in its place. */
export function emit(state: Scan, source: string, shown = source): void {
  state.at += source.length
  state.pieces.push(shown)
}

export function matchAt(pattern: RegExp, { text }: Scan, from: number): RegExpExecArray | null {
  pattern.lastIndex = from
  return pattern.exec(text)
}

/** The run of equal marks that begins here. */
export function runAt({ text, at }: Scan): string {
  let end = at + 1
  while (text[end] === text[at]) end += 1
  return text.slice(at, end)
}

/** Runs pair up within a line only. */
export function openRunsOf(state: Scan, mark: string): OpenRun[] {
  if (state.at > state.lineEnd) {
    const end = state.text.indexOf('\n', state.at)
    state.lineEnd = end < 0 ? Infinity : end
    state.openRuns = {}
  }
  return (state.openRuns[mark] ??= [])
}
