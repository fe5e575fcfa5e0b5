/** Text functions take time in proportion to the text, whatever stands in it. */
import { settleLinks } from '../../src/bridge/references/links.ts'
import { findAddresses } from '../../src/bridge/references/addresses.ts'
import { toLetters, toSourceText } from '../../src/bridge/references/source-text.ts'
import { toSentences } from '../../src/lib/sentences.ts'
import { chunkMarkdown, chunkPlainText } from '../../src/platform/engine/chunk/document.ts'
import { analyse } from '../../src/platform/engine/text/terms.ts'
import { splitAnswer, TEXT_FUNCTIONS } from '../support/text-functions.ts'
import { describe, expect, it } from 'vitest'

const PREFIXES = ['', '# ', '[', '![a](', '<', '```\n', 'https://a.b/', '---\n', '> - ', 'References:', '“']
const PIECES = [
  ...'a . [ ] ( ) ! < > " * _ ` ~ | - # : ; , ? / \\ @ & = 1 É 计 。 ́ 🙂'.split(' '),
  'a.',
  'A. ',
  '[a](',
  '![',
  '](',
  '[[',
  '<a',
  '<!--',
  '&#',
  '](x)',
  '[1]',
  '[RREF1] ',
  '.com',
  '@a.b',
  '//',
  'www.',
  ' ',
  '\n',
  '\t',
  '\r\n',
  '\n\n',
  ' \n',
  '\n- ',
  '\n#',
  '\n|',
  '\n> ',
  'a\n',
  'a \n',
  '- ',
  '| ',
  '``',
  '```\n',
  '`a',
  'a: ',
  'key: v\n',
  "'",
  '\\[',
  '-\n',
  '1. ',
  '0:42 ',
  '[0:42] a\n',
  '\u00AD',
  '\u0301\u0316',
  '計画。',
  'ไทย',
  'не ',
  'the ',
]
const SUFFIXES = ['', 'x', ']', '\n# b', ' (0.1)', ')']

const FAMILIES = PIECES.flatMap((piece, index) =>
  [0, 1, 2].map((turn) => ({
    prefix: PREFIXES[(index + turn * 4) % PREFIXES.length] ?? '',
    piece,
    suffix: SUFFIXES[(index + turn) % SUFFIXES.length] ?? '',
  })),
)

type Family = (typeof FAMILIES)[number]
const grown = ({ prefix, piece, suffix }: Family, length: number) =>
  prefix + piece.repeat(Math.ceil(length / piece.length)) + suffix

/** Time of this process alone: other work on the machine does not count. */
function cpuMs(): number {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1000
}

function timeOf(run: (text: string) => unknown, text: string, times: number): number {
  let best = Infinity
  for (let turn = 0; turn < times; turn += 1) {
    const begun = cpuMs()
    run(text)
    best = Math.min(best, cpuMs() - begun)
  }
  return best
}

const SIZES = [8000, 16_000, 32_000] as const
/** Less than this is no measure of growth. */
const FLOOR_MS = 25

/** Undefined: it is quick, or grows by no more than 2.5 at each doubling; else its times. */
function growth(run: (text: string) => unknown, family: Family): readonly number[] | undefined {
  // A shorter text first: what grows with the cube would never end.
  if (timeOf(run, grown(family, 2000), 1) > 500) return [timeOf(run, grown(family, 2000), 1)]
  const once = timeOf(run, grown(family, SIZES[2]), 1)
  if (once < FLOOR_MS || once <= 2.5 * timeOf(run, grown(family, SIZES[1]), 1)) return undefined
  const times = SIZES.map((size) => timeOf(run, grown(family, size), 5))
  const isLinear = times.every((time, index) => time <= 2.5 * (times[index - 1] ?? time) + FLOOR_MS)
  return isLinear ? undefined : times
}

describe('time grows with the length of the text', () => {
  it.each(Object.entries(TEXT_FUNCTIONS))('%s', (_name, run) => {
    const slow = FAMILIES.flatMap((family) => {
      const times = growth(run, family)
      return times === undefined ? [] : [{ ...family, times }]
    })
    expect(slow).toEqual([])
  })
})

describe('what stood still', () => {
  it.each([
    ['a heading with 40,000 spaces', () => toSourceText(`# Canteen${' '.repeat(40_000)}hours`)],
    ['a heading of 100,000 brackets', () => toSourceText(`# ${'['.repeat(100_000)}`)],
    ['an address and 100,000 full stops', () => findAddresses(`https://a.example/${'.'.repeat(100_000)}`)],
    ['100,000 characters of times without a gap', () => settleLinks('aカ0:42'.repeat(16_000), () => false)],
    ['a rule of 100,000 dashes that is none', () => TEXT_FUNCTIONS['engine: table']?.(`${'|-'.repeat(50_000)} [`)],
    ['16,000 line ends', () => toSentences('\n'.repeat(16_000))],
    ['5 MB without a space', () => toSentences('a'.repeat(5_000_000))],
    ['100,000 marks on one letter', () => toLetters(`a${'\u0301\u0316'.repeat(50_000)}`)],
    ['front matter of 32,000 lists', () => chunkMarkdown(`---\n${'[a]'.repeat(21_000)}\n---\nText.`)],
    ['a heading of 1 MB of brackets', () => chunkMarkdown(`# ${'['.repeat(1_000_000)}\n\nText.`)],
    ['5 MB without a space, cut up', () => chunkPlainText('a'.repeat(5_000_000))],
    ['a word of 1 MB', () => analyse('ab'.repeat(500_000), 'de')],
    ['50,000 headings', () => chunkMarkdown('# a\n'.repeat(50_000))],
    ['50,000 marks without an entry', () => splitAnswer('a [RREF9] '.repeat(50_000))],
  ])('%s', (_what, run) => {
    expect(timeOf(run, '', 1)).toBeLessThan(2000)
  })
})
