import type { Segment } from '../port/platform.ts'

/** Shorter recordings need no times: one glance finds everything. */
const TIMED_FROM_MS = 20_000

const two = (value: number) => String(value).padStart(2, '0')

/** `0:42`, `1:02:03`. */
export function toTime(ms: number): string {
  const seconds = Math.floor(ms / 1000)
  const [hours, minutes] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60]
  const rest = two(seconds % 60)
  return hours > 0 ? `${hours}:${two(minutes)}:${rest}` : `${minutes}:${rest}`
}

/** The words as people read them: with the time of each stretch where the recording is long enough to get lost in. */
export function toLines(text: string, segments: readonly Segment[] = []): string {
  const last = segments.at(-1)
  if (segments.length < 2 || last === undefined || last.endMs < TIMED_FROM_MS) return text
  return segments.map(({ startMs, text: said }) => `\`${toTime(startMs)}\` ${said.trim()}`).join('  \n')
}

const TIME = /^`?\d{1,3}(?::\d{2}){1,2}`?[ \t]+/gm
/** Signs (any symbols) and quotation marks around all of it. */
const QUOTED = /^[^\p{L}\p{N}“„"«`]*[“„"«](?<words>[\s\S]*)[”“"»]$/u

/** What somebody typed over a shown transcript: without the sign, the quotation marks and the times around the words. */
export function fromTyped(text: string): string {
  const trimmed = text.trim()
  return (QUOTED.exec(trimmed)?.groups?.['words'] ?? trimmed)
    .replace(TIME, '')
    .split('\n')
    .map((line) => line.trim())
    .join(' ')
    .trim()
}
