import { type ParsedReference, toBody } from './block.ts'
import { findQuote, type QuoteMatch } from './match-quote.ts'
import type { FoundFile, Search, FileLookup } from './source-lookup.ts'
import { containsText, toLetters } from './source-text.ts'

/** A verified entry: its passage was found in its file. */
export interface VerifiedEntry {
  readonly number: number
  readonly place?: string
  readonly file: FoundFile
  readonly quote: QuoteMatch
}

/** An entry whose file could not be read in time. */
export interface UncheckedEntry {
  readonly number: number
  readonly search: Extract<Search, { readonly kind: 'unread' }>
}

export interface RejectedEntry {
  readonly number: number
  /** The name in the entry. */
  readonly file: string
  /**
   * `no-file`: the collections have no such file. `not-there`: its body is not in the file. `ambiguous`: entries of
   * different files have the same number.
   */
  readonly why: 'no-file' | 'not-there' | 'ambiguous'
}

export interface CheckedEntries {
  readonly entries: readonly VerifiedEntry[]
  readonly unchecked: readonly UncheckedEntry[]
  readonly rejected: readonly RejectedEntry[]
}

/** More than any platform sends: further entries are forged. */
const MAX_ENTRIES = 300

/** @param deadline resolves when the check must end. */
export async function checkEntries(
  lookup: FileLookup,
  parsed: readonly ParsedReference[],
  deadline: Promise<unknown>,
): Promise<CheckedEntries> {
  const candidates = parsed.slice(0, MAX_ENTRIES)
  const searches = await searchAll(lookup, candidates, deadline)
  const entries: VerifiedEntry[] = []
  const unchecked: UncheckedEntry[] = []
  const rejected: RejectedEntry[] = []
  let open: { readonly entry: ParsedReference; readonly file: FoundFile; raw: string; quote?: QuoteMatch } | undefined
  const close = () => {
    if (open === undefined) return
    const { number, file: name, place } = open.entry
    if (open.quote === undefined) rejected.push({ number, file: name, why: 'not-there' })
    else entries.push({ number, file: open.file, quote: open.quote, place })
    open = undefined
  }
  for (const entry of candidates) {
    if (open !== undefined && continuesBody(open, entry)) {
      open.raw += entry.raw
      const quote = findQuote(open.file.source, bodyOf(open.raw))
      if (quote !== undefined) open.quote = quote
      continue
    }
    close()
    const search = searches.get(entry.file)
    if (search?.kind === 'found') {
      const quote = findQuote(search.file.source, entry.body)
      open = { entry, file: search.file, raw: entry.raw, quote }
    } else if (search?.kind === 'unread') unchecked.push({ number: entry.number, search })
    else rejected.push({ number: entry.number, file: entry.file, why: 'no-file' })
  }
  close()
  return withoutConflicts({ entries, unchecked, rejected })
}

const bodyOf = (raw: string): string => toBody(raw.includes('\n') ? raw.slice(raw.indexOf('\n') + 1) : '')

async function searchAll(lookup: FileLookup, candidates: readonly ParsedReference[], deadline: Promise<unknown>) {
  const late = deadline.then(() => undefined)
  const searches = new Map<string, Search>()
  await Promise.all(
    [...Map.groupBy(candidates, ({ file }) => file)].map(async ([name, of]) => {
      let known: Search = { kind: 'unread', fileName: name }
      const bodies = of.map(({ body }) => body)
      const onFound = (found: Search) => {
        known = found
      }
      const search = lookup.byName(name, { bodies, onFound })
      searches.set(name, (await Promise.race([search, late])) ?? known)
    }),
  )
  return searches
}

/** Whether a line that looks like the next entry is text of the current file: then it belongs to the current body. */
function continuesBody(
  open: { readonly file: FoundFile; readonly raw: string; readonly quote?: QuoteMatch },
  next: ParsedReference,
): boolean {
  const { source } = open.file
  if (bodyOf(open.raw) === '') return containsText(source, next.raw)
  if (open.quote === undefined) return false
  if (!open.quote.exact) return containsText(source, next.raw)
  const letters = toLetters(next.raw)
  return open.quote.places.some(({ to }) => source.letters.startsWith(letters, to))
}

/** Drops numbers that entries of different files share: it is unknown which one the answer means. */
function withoutConflicts({ entries, unchecked, rejected }: CheckedEntries): CheckedEntries {
  const nameOf = ({ file }: VerifiedEntry) => `${file.collection}\n${file.fileName}`
  const claims = new Map<number, Set<string>>()
  const claim = (number: number, name: string) => claims.set(number, (claims.get(number) ?? new Set()).add(name))
  for (const entry of entries) claim(entry.number, nameOf(entry))
  for (const { number, search } of unchecked) claim(number, `unread\n${search.fileName}`)
  const isClear = ({ number }: { readonly number: number }) => claims.get(number)?.size === 1
  const longest = new Map<number, VerifiedEntry>()
  for (const entry of entries.filter(isClear)) {
    const other = longest.get(entry.number)
    if (other === undefined || other.quote.passage.length < entry.quote.passage.length) longest.set(entry.number, entry)
  }
  const quarrels = [...claims].filter(([, names]) => names.size > 1)
  return {
    entries: [...longest.values()],
    unchecked: unchecked.filter(isClear),
    rejected: [...rejected, ...quarrels.map(([number]) => ({ number, file: '', why: 'ambiguous' as const }))],
  }
}
