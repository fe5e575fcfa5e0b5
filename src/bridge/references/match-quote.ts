import { DENSE_SCRIPTS } from '#lib/unicode.ts'
import { containsText, isShort, type SourceText, toLetters } from './source-text.ts'

/** A body found in its file. */
export interface QuoteMatch {
  /** The part of the body that is certainly in the file, verbatim. */
  readonly passage: string
  /** Each occurrence, as offsets in the letters of the file. */
  readonly places: readonly { readonly from: number; readonly to: number }[]
  readonly exact: boolean
}

/** A passage with more occurrences is boilerplate: any of them will do. */
const MAX_PLACES = 50
/** A body may differ from the file (column order, running heads); this share of it has to match. */
const MIN_SHARE = 0.8
/** Shorter bodies are not matched in parts. */
const MIN_LETTERS = 60
/** A shorter row of words occurs in any file by chance. */
const SEED_LETTERS = 20
/** Most letters of the file that are searched for one body. */
const MAX_SEARCHED_LETTERS = 1_000_000_000
/** With shorter pieces, true words could be combined into a false passage. */
const MIN_RUN_LETTERS = 40

/**
 * Finds `body` in the file; undefined: it is not there. If only parts match, as when two PDF readers differ, these are
 * quoted with `…` between them: a passage never shows text that is not in its file.
 */
export function findQuote(source: SourceText, body: string): QuoteMatch | undefined {
  const letters = toLetters(body)
  if (letters === '') return undefined
  const places = placesOf(source.letters, letters)
  if (places.length > 0) {
    return isShort(letters) && !containsText(source, body) ? undefined : { passage: body, places, exact: true }
  }
  return withoutFrontMatter(source, body, letters) ?? matchInParts(source, body, letters)
}

function placesOf(text: string, letters: string) {
  const places: { from: number; to: number }[] = []
  for (let at = text.indexOf(letters); at !== -1; at = text.indexOf(letters, at + 1)) {
    places.push({ from: at, to: at + letters.length })
    if (places.length === MAX_PLACES) break
  }
  return places
}

/** A chunk may contain the front matter or a part of it: only the text after it is passage. */
function withoutFrontMatter(source: SourceText, body: string, letters: string): QuoteMatch | undefined {
  if (source.front === '') return undefined
  const at = (source.front + source.letters.slice(0, letters.length)).indexOf(letters)
  if (at === -1) return undefined
  let skipped = 0
  let start = 0
  for (const line of body.split(/(?<=\n)/)) {
    if (skipped >= source.front.length - at) break
    skipped += toLetters(line).length
    start += line.length
  }
  const passage = body.slice(start).replace(/^\s*(?:---|\.\.\.)[ \t]*(?:\r?\n|$)/, '')
  return toLetters(passage) === '' ? undefined : findQuote({ ...source, front: '' }, passage.trim())
}

const PIECE = new RegExp(String.raw`[${DENSE_SCRIPTS}]|[^\s${DENSE_SCRIPTS}]+`, 'gu')

interface Run {
  /** In the body. */
  readonly start: number
  readonly end: number
  /** Offsets in the letters of the file. */
  readonly from: number
  readonly to: number
}

/** The longest rows of words found in the file; undefined once too little can still match. */
function matchingRuns(source: SourceText, body: string, total: number): readonly Run[] | undefined {
  const pieces = Array.from(body.matchAll(PIECE), ({ 0: text, index }) => ({
    start: index,
    end: index + text.length,
    letters: toLetters(text),
  })).filter(({ letters }) => letters !== '')
  const runs: Run[] = []
  let missing = 0
  let looked = 0
  for (let at = 0; at < pieces.length;) {
    let seed = ''
    let next = at
    while (next < pieces.length && seed.length < SEED_LETTERS) seed += pieces[next++]?.letters ?? ''
    let best: { readonly next: number; readonly from: number; readonly to: number } | undefined
    for (const { from, to } of seed.length < SEED_LETTERS ? [] : placesOf(source.letters, seed)) {
      let [end, reach] = [next, to]
      for (let piece = pieces[end]; piece !== undefined; piece = pieces[end]) {
        if (!source.letters.startsWith(piece.letters, reach)) break
        reach += piece.letters.length
        end += 1
      }
      if (best === undefined || end > best.next) best = { next: end, from, to: reach }
    }
    const [first, last] = [pieces[at], pieces[(best?.next ?? at + 1) - 1]]
    if (best === undefined) {
      missing += first?.letters.length ?? 0
      at += 1
      looked += source.letters.length
      if (missing > total * (1 - MIN_SHARE) || looked > MAX_SEARCHED_LETTERS) return undefined
    } else {
      runs.push({ start: first?.start ?? 0, end: last?.end ?? 0, from: best.from, to: best.to })
      at = best.next
    }
  }
  return runs
}

function matchInParts(source: SourceText, body: string, letters: string): QuoteMatch | undefined {
  if (letters.length < MIN_LETTERS) return undefined
  const runs = matchingRuns(source, body, letters.length)
  if (runs === undefined || runs.length === 0 || letters.length / runs.length < MIN_RUN_LETTERS) return undefined
  const quoted = runs.map(({ start, end }) => body.slice(start, end)).join(' … ')
  const [begin, end] = [runs[0]?.start ?? 0, runs.at(-1)?.end]
  const before = toLetters(body.slice(0, begin)) === '' ? '' : '… '
  const after = toLetters(body.slice(end)) === '' ? '' : ' …'
  const longest = runs.toSorted((one, other) => other.to - other.from - (one.to - one.from))[0]
  const places = longest === undefined ? [] : [{ from: longest.from, to: longest.to }]
  return { passage: before + quoted + after, places, exact: false }
}
