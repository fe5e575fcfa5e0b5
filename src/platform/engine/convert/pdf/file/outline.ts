import { takeObjects } from './objects.ts'

/** Entries within entries; the native reader goes down by calls of itself. */
const MAX_DEPTH = 100
const MAX_ENTRIES = 50_000

interface Entry {
  readonly first: number | undefined
  readonly next: number | undefined
}

const REF = {
  First: /\/First\s+(\d{1,9})\s+\d{1,5}\s+R/,
  Next: /\/Next\s+(\d{1,9})\s+\d{1,5}\s+R/,
  Outlines: /\/Outlines\s+(\d{1,9})\s+\d{1,5}\s+R/,
} as const

const refOf = (text: string, name: keyof typeof REF): number | undefined => {
  const found = REF[name].exec(text)?.[1]
  return found === undefined ? undefined : Number(found)
}

/** Whether an outline comes back to an entry, or goes deeper than people write: the native reader follows it for ever. */
export function createOutline() {
  const roots = new Set<number>()
  const entries = new Map<number, Entry>()
  return {
    take(number: number, text: string): void {
      const root = refOf(text, 'Outlines')
      if (root !== undefined) roots.add(root)
      if (/\/(?:First|Next)\b/.test(text))
        entries.set(number, { first: refOf(text, 'First'), next: refOf(text, 'Next') })
    },
    isEndless(): boolean {
      const seen = new Set<number>()
      const open = Array.from(roots, (number) => ({ number, depth: 0 }))
      for (let one = open.pop(); one !== undefined; one = open.pop()) {
        const { number, depth } = one
        if (seen.has(number) || depth > MAX_DEPTH || seen.size > MAX_ENTRIES) return true
        seen.add(number)
        const { first, next } = entries.get(number) ?? {}
        if (next !== undefined) open.push({ number: next, depth })
        if (first !== undefined) open.push({ number: first, depth: depth + 1 })
      }
      return false
    },
  }
}

/** The same PDF without its outline; undefined where the outline is named in a packed object. */
export function withoutOutline(bytes: Buffer): Buffer | undefined {
  const copy = Buffer.from(bytes)
  for (let at = copy.indexOf('/Outlines'); at !== -1; at = copy.indexOf('/Outlines', at))
    copy.write('/NoOutline'.slice(0, 9), at)
  const outline = createOutline()
  takeObjects(copy, (number, text) => outline.take(number, text))
  return outline.isEndless() ? undefined : copy
}
