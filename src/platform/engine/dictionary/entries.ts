/** A note or the grammar of a word. */
const NOTE = /\{[^{}]{0,200}\}|\([^()]{0,200}\)|\[[^[\]]{0,200}\]/g
/** An article or the mark of an infinitive before an English word. */
const BEFORE = /^(?:to|the|an?) /i
const COLUMNS = ' | '
const SIDES = ' :: '

/** Single words of a column: the index knows no others. */
const wordsOf = (column: string, separator: RegExp): readonly string[] =>
  column
    .replaceAll(NOTE, '')
    .split(separator)
    .map((word) => word.trim().replace(BEFORE, ''))
    .filter((word) => word !== '' && !/\s/.test(word))
    .map((word) => word.normalize('NFKC').toLowerCase())

/** Other words by word, each list as lines: half a million small lists would take more memory. */
export type Entries = Map<string, string>

function add(entries: Entries, word: string, others: readonly string[]): void {
  const known = entries.get(word)?.split('\n') ?? []
  const all = [...new Set([...known, ...others])].filter((other) => other !== word)
  if (all.length > 0) entries.set(word, all.join('\n'))
}

/**
 * Adds the entries of a file. A line with `::` has a language on each side, in columns that belong together
 * (`Haus {n} | Häuser {pl} :: house | houses`); any other one is a list of words for one thing, with commas or semicolons.
 */
export function addEntries(entries: Entries, file: string): void {
  for (const line of file.split('\n')) {
    if (line.startsWith('#')) continue
    const [left = '', right] = line.split(SIDES)
    if (right === undefined) {
      const words = wordsOf(left, /[;,]/)
      for (const word of words) add(entries, word, words)
      continue
    }
    const others = right.split(COLUMNS)
    for (const [at, column] of left.split(COLUMNS).entries()) {
      const [these, those] = [wordsOf(column, /;/), wordsOf(others[at] ?? '', /;/)]
      for (const word of these) add(entries, word, those)
      for (const word of those) add(entries, word, these)
    }
  }
}
