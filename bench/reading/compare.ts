const CJK = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/u

/** Words of a text in small letters; of scripts without spaces, characters. */
const wordsOf = (text: string): readonly string[] =>
  (
    text
      .normalize('NFKC')
      .toLowerCase()
      .match(/[\p{L}\p{M}\p{N}]+/gu) ?? []
  ).flatMap((word) => (CJK.test(word) ? Array.from(word) : [word]))

/** The address of a link; programs leave brackets in it as they are. */
const ADDRESS = /\]\((?:[^()]|\([^()]*\))*\)/g

const LETTERS = Object.entries({ alpha: 'α', beta: 'β', pi: 'π', sum: '∑', infty: '∞', sigma: 'σ', theta: 'θ' })

/** Truth as people wrote it: without what the tool that made it adds, and with formulas in letters. */
function plainTruth(truth: string): string {
  const text = truth
    .replace(/<!--[^]*?-->/g, ' ')
    .replace(/&(?:amp|lt|gt|quot|nbsp|#\d+);/g, ' ')
    .replace(ADDRESS, ']')
    .replace(/^(?:Line|Bar|Pie|Scatter|Other) chart$/gim, '')
    .replace(/ 00:00:00\b/g, '')
    // Who wrote a comment stays; when, and the names of the fields, are docling's.
    .replace(/\[?author: ([^\],(]*)(?:\([^)]*\))?(?:, time: [^\]\s]*)?\]?/g, '$1')
  return text.replace(/\\(?:[a-zA-Z]+)/g, (command) => LETTERS.find(([name]) => command === `\\${name}`)?.[1] ?? ' ')
}

/** Rows of the tables of a markdown text; cells as words. Cells that a merged one covers are empty. */
function rowsOf(markdown: string): string[][] {
  const rows: string[][] = []
  let above: readonly string[] = []
  for (const line of markdown.split('\n')) {
    const isRow = /^\s*\|.*\|\s*$/.test(line)
    const cells = isRow
      ? line
          .trim()
          .slice(1, -1)
          .split(/(?<!\\)\|/)
          .map((cell) => wordsOf(cell.replace(/<br>/g, ' ')).join(' '))
      : []
    if (isRow && !/^[\s|:-]+$/.test(line)) {
      rows.push(cells.map((cell, at) => (cell !== '' && (cell === cells[at - 1] || cell === above[at]) ? '' : cell)))
    }
    if (!isRow || !/^[\s|:-]+$/.test(line)) above = cells
  }
  return rows
}

/** Pairs of neighbours in a row: cells are side by side where columns were found. */
const pairsOf = (rows: readonly (readonly string[])[]): string[] =>
  rows.flatMap((row) => {
    const filled = row.filter((cell) => cell !== '')
    return filled.slice(1).map((cell, at) => `${filled[at] ?? ''} → ${cell}`)
  })

/** Longest run of pieces that are one word. */
const MAX_PIECES = 12

/** Of the truth what is not in `found`. A word that the truth has in pieces may be found whole. */
function lostOf(truth: readonly string[], found: readonly string[]): string[] {
  const counts = new Map<string, number>()
  for (const one of found) counts.set(one, (counts.get(one) ?? 0) + 1)
  const take = (one: string) => {
    const left = counts.get(one) ?? 0
    if (left > 0) counts.set(one, left - 1)
    return left > 0
  }
  const lost: string[] = []
  for (let at = 0; at < truth.length; at += 1) {
    const word = truth[at] ?? ''
    const lengths = Array.from({ length: MAX_PIECES - 1 }, (_, index) => index + 2)
    const findWhole = () => lengths.find((length) => take(truth.slice(at, at + length).join('')))
    // A single letter occurs elsewhere, too: H2O in three pieces is found whole first.
    const pieces = (/^[a-z]$/.test(word) ? findWhole() : undefined) ?? (take(word) ? 1 : findWhole())
    if (pieces === undefined) lost.push(word)
    else at += pieces - 1
  }
  return lost
}

/** Text of the truth with each run of equal cells of a table said once. */
const saidOnce = (truth: string): string =>
  [
    ...truth.split('\n').filter((line) => !/^\s*\|.*\|\s*$/.test(line)),
    ...rowsOf(truth).map((row) => row.join(' ')),
  ].join('\n')

export interface Agreement {
  readonly words: number
  /** Words of the truth that were not read. */
  readonly lost: readonly string[]
  /** Neighbouring cells of tables: in the truth, in the read text, in both. */
  readonly pairs: number
  readonly readPairs: number
  readonly samePairs: number
}

/** Words of a page's parts that the page itself marks as navigation, where they lead to no place within it. */
const wordsAway = (page: string): string[] =>
  (page.match(/<nav\b[^]*?<\/nav>/g) ?? [])
    .filter((part) => !part.includes('href="#'))
    .flatMap((part) => wordsOf(part.replace(/<[^>]*>|&\w+;/g, ' ')))

/** How much of the truth was read. Text that a `page` marks as navigation may be lost. */
export function compare(truth: string, read: string, page = ''): Agreement {
  const plain = plainTruth(truth)
  const text = read.replace(ADDRESS, ']')
  const all = wordsOf(saidOnce(plain))
  const missed = lostOf(all, wordsOf(text))
  const lost = lostOf(missed, wordsAway(page))
  const words = { length: all.length - missed.length + lost.length }
  const pairs = pairsOf(rowsOf(plain))
  const readPairs = pairsOf(rowsOf(text))
  const samePairs = pairs.length - lostOf(pairs, readPairs).length
  return { words: words.length, lost, pairs: pairs.length, readPairs: readPairs.length, samePairs }
}
