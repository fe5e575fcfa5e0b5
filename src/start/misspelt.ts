import { closestNames } from '#lib/closest-names.ts'

/** Shorter names are near to too many of other programs. */
const MIN_NAME_CHARS = 6
/** A wrong letter or two in a name; `EDITOR` is not that near to anything. */
const MAX_LETTER_DISTANCE = 0.17
/** Two words of three: `UPSTREAM_MODEL`, `SLACK_TOKEN`. */
const MIN_SHARED_WORDS = 0.6
/** Operators of clusters set names of OpenTelemetry that are not ours: `OTEL_EXPORTER_OTLP_PROTOCOL`. */
const MIN_OTEL_SHARED_WORDS = 0.8

/** The setting that a variable of another name may have been meant for, as a sentence; empty: none. */
export function misspeltFor(name: string, names: readonly string[]): string[] {
  const isName = /^[A-Za-z][A-Za-z0-9_-]{4,60}$/.test(name)
  if (!isName) return []
  const wanted = name.toUpperCase().replaceAll('-', '_')
  const settings = names.filter((known) => known.length >= MIN_NAME_CHARS)
  const [byLetters] = closestNames(wanted, settings).filter(({ distance, name: known }) =>
    known.includes(wanted) ? known.length - wanted.length <= 1 : distance <= MAX_LETTER_DISTANCE,
  )
  const byWords = settings
    .map((known) => ({ known, shared: sharedWords(wanted.split('_'), known.split('_')) }))
    .toSorted((one, other) => other.shared - one.shared)
    .find(({ shared }) => shared >= (wanted.startsWith('OTEL_') ? MIN_OTEL_SHARED_WORDS : MIN_SHARED_WORDS))
  const meant = byLetters?.name ?? byWords?.known
  return meant === undefined
    ? []
    : [`${name}: is not a setting of Footbridge, and has no effect. Did you mean ${meant}?`]
}

/** Share of words that two names have in common; 0 when they begin with different ones. */
function sharedWords(one: readonly string[], other: readonly string[]): number {
  if (one[0] !== other[0]) return 0
  return new Set(one).intersection(new Set(other)).size / new Set([...one, ...other]).size
}
