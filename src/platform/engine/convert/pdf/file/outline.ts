import { takeObjects } from './objects.ts'

/** Entries within entries; the native reader goes down by calls of itself. */
const MAX_DEPTH = 100
const MAX_ENTRIES = 50_000

interface Entry {
  readonly first: number | undefined
  readonly next: number | undefined
}

const refOf = (text: string, name: string): number | undefined => {
  const found = new RegExp(String.raw`/${name}\s+(\d{1,9})\s+\d{1,5}\s+R`).exec(text)?.[1]
  return found === undefined ? undefined : Number(found)
}

function readOutlines(bytes: Buffer): {
  readonly roots: readonly number[]
  readonly entries: ReadonlyMap<number, Entry>
} {
  const roots: number[] = []
  const entries = new Map<number, Entry>()
  takeObjects(bytes, (number, text) => {
    const root = refOf(text, 'Outlines')
    if (root !== undefined) roots.push(root)
    if (/\/(?:First|Next)\b/.test(text)) entries.set(number, { first: refOf(text, 'First'), next: refOf(text, 'Next') })
  })
  return { roots, entries }
}

/** Whether an outline comes back to an entry, or goes deeper than people write: the native reader follows it for ever. */
export function isEndlessOutline(bytes: Buffer): boolean {
  const { roots, entries } = readOutlines(bytes)
  const seen = new Set<number>()
  const open = [...new Set(roots)].map((number) => ({ number, depth: 0 }))
  for (let one = open.pop(); one !== undefined; one = open.pop()) {
    const { number, depth } = one
    if (seen.has(number) || depth > MAX_DEPTH || seen.size > MAX_ENTRIES) return true
    seen.add(number)
    const { first, next } = entries.get(number) ?? {}
    if (next !== undefined) open.push({ number: next, depth })
    if (first !== undefined) open.push({ number: first, depth: depth + 1 })
  }
  return false
}

/** The same PDF without its outline; undefined where the outline is named in a packed object. */
export function withoutOutline(bytes: Buffer): Buffer | undefined {
  const copy = Buffer.from(bytes)
  for (let at = copy.indexOf('/Outlines'); at !== -1; at = copy.indexOf('/Outlines', at))
    copy.write('/NoOutline'.slice(0, 9), at)
  return isEndlessOutline(copy) ? undefined : copy
}
