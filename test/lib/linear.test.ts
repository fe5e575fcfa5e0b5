/** Text functions take time in proportion to the text, whatever it contains. */
import { settleLinks } from '#bridge/references/links.ts'
import { findAddresses } from '#bridge/references/addresses.ts'
import { toLetters, toSourceText } from '#bridge/references/source-text.ts'
import { toSentences } from '#lexicon/sentences.ts'
import { chunkMarkdown, chunkPlainText } from '#platform/engine/chunk/document.ts'
import { analyse } from '#platform/engine/text/terms.ts'
import { cpuMs, growsFaster, repeated } from '../support/growth.ts'
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
  '<script>',
  '</script',
  '<title',
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

describe('time grows with the length of the text', () => {
  it.each(Object.entries(TEXT_FUNCTIONS))('%s', (_name, run) => {
    const slow = FAMILIES.flatMap((family) => {
      const times = growsFaster(run, repeated(family.prefix, family.piece, family.suffix))
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
    [
      'a fence of 100,000 tildes that is none',
      () => TEXT_FUNCTIONS['discord: markup']?.(`${'~'.repeat(100_000)}\`\`\`\n[`),
    ],
    ['16,000 line ends', () => toSentences('\n'.repeat(16_000))],
    ['5 MB without a space', () => toSentences('a'.repeat(5_000_000))],
    ['100,000 marks on one letter', () => toLetters(`a${'\u0301\u0316'.repeat(50_000)}`)],
    ['front matter of 32,000 lists', () => chunkMarkdown(`---\n${'[a]'.repeat(21_000)}\n---\nText.`)],
    ['a heading of 1 MB of brackets', () => chunkMarkdown(`# ${'['.repeat(1_000_000)}\n\nText.`)],
    ['5 MB without a space, cut up', () => chunkPlainText('a'.repeat(5_000_000))],
    ['a word of 1 MB', () => analyse('ab'.repeat(500_000), 'de')],
    ['50,000 headings', () => chunkMarkdown('# a\n'.repeat(50_000))],
    ['an error page of 5 MB of open tags', () => TEXT_FUNCTIONS['wire: error body']?.('<a'.repeat(2_500_000))],
    ['50,000 marks without an entry', () => splitAnswer('a [RREF9] '.repeat(50_000))],
  ])('%s', (_what, run) => {
    expect(cpuMs(run)).toBeLessThan(2000)
  })
})
