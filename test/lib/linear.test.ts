/** Text functions take time in proportion to the text, whatever stands in it. */
import { createRefusalGate, soundsLikeRefusal, withoutWord } from '../../src/bridge/answers/refusal.ts'
import { carryOver, isSmallTalk, mayDepend } from '../../src/lib/follow-up.ts'
import { toOutline } from '../../src/bridge/answers/outline.ts'
import { readShelfQuestion } from '../../src/bridge/answers/shelf-question.ts'
import { soundsLikeQuestion } from '../../src/bridge/answers/rewrite-question.ts'
import { addressesIn, findAddresses } from '../../src/bridge/references/addresses.ts'
import { withoutLinks } from '../../src/bridge/references/link-syntax.ts'
import { settleLinks } from '../../src/bridge/references/links.ts'
import { findQuote } from '../../src/bridge/references/match-quote.ts'
import { timeIn } from '../../src/bridge/references/place.ts'
import { resolveMarks } from '../../src/bridge/references/marks.ts'
import { toLetters, toSourceText, toSpacedLetters } from '../../src/bridge/references/source-text.ts'
import { createReferenceSplitter } from '../../src/bridge/references/splitter.ts'
import { findSupport, readCitations } from '../../src/bridge/references/support.ts'
import { languageOf, textsFor } from '../../src/bridge/texts/texts.ts'
import { fromTyped, toSpeech } from '../../src/bridge/voice/transcript.ts'
import { toDisplayName, toFileName } from '../../src/lib/file-kind.ts'
import { textLanguage } from '../../src/lib/language.ts'
import { readableSentences, toSentences } from '../../src/lib/sentences.ts'
import { estimateTokens } from '../../src/lib/tokens.ts'
import { buildPrompt, fitPassages } from '../../src/platform/engine/answer/prompt.ts'
import { readTables } from '../../src/platform/engine/answer/tables/read-tables.ts'
import { answerFromTables } from '../../src/platform/engine/answer/tables/table-answer.ts'
import { chunkMarkdown, chunkPlainText, createPageChunker } from '../../src/platform/engine/chunk/document.ts'
import { toQuestion } from '../../src/platform/engine/search/question.ts'
import { detectLanguage } from '../../src/platform/engine/text/languages.ts'
import { analyse } from '../../src/platform/engine/text/terms.ts'
import { describe, expect, it } from 'vitest'

const author = { id: 'ana', name: 'Ana' }
const known = toSourceText('# Canteen\n\nThe canteen is open from nine to five.\n'.repeat(20))

function split(answer: string) {
  const splitter = createReferenceSplitter()
  splitter.push(answer)
  return splitter.end()
}

const FUNCTIONS: Readonly<Record<string, (text: string) => unknown>> = {
  'addresses: find': findAddresses,
  'addresses: in': addressesIn,
  'links: settle': (text) => settleLinks(text, () => false),
  'links: without': withoutLinks,
  'references: split': split,
  'references: split with a block': (text) => split(`A [RREF1].\n\nReferences:\n\n[RREF1] ${text}`),
  'references: plain marks': (text) => resolveMarks(text, [{ number: 1, file: 'a.md' }]),
  'references: source text': toSourceText,
  'references: front matter': (text) => toSourceText(`---\n${text}`),
  'references: letters': toLetters,
  'references: spaced letters': toSpacedLetters,
  'references: body': (text) => findQuote(known, text),
  'references: file': (text) => findQuote({ ...known, letters: toLetters(text) }, known.letters),
  'references: support': (text) => findSupport(text.slice(0, text.length / 4), text.slice(0, 2000), 'When is it open?'),
  'references: citations': (text) => readCitations(`${text}[1] b [2]`)(2),
  'references: time': (text) => timeIn(text, 'x'),
  'answers: word': withoutWord,
  'answers: refusal': soundsLikeRefusal,
  'answers: gate': (text) => createRefusalGate('refusal').push(text),
  'answers: question': soundsLikeQuestion,
  'answers: shelf': readShelfQuestion,
  'answers: outline': (text) => toOutline(text, textsFor('en')),
  'texts: language': (text) => languageOf({ author, text }),
  'voice: speech': toSpeech,
  'voice: typed': fromTyped,
  'engine: markdown': chunkMarkdown,
  'engine: front matter': (text) => chunkMarkdown(`---\n${text}\n---\nThe canteen.\n`),
  'engine: plain text': chunkPlainText,
  'engine: page': (text) => createPageChunker()(1, text),
  'engine: language': detectLanguage,
  'engine: terms': (text) => ['en', 'de', 'und'].map((code) => analyse(text, code)),
  'engine: question': (text) => toQuestion(text, ['en', 'de'], { total: 10, found: () => 1 }),
  'engine: prompt': (text) => {
    const passage = { file: text, place: 'L1', headings: [text], lead: text, body: text, distance: 0, coverage: 1 }
    return buildPrompt([{ role: 'user', content: text }], fitPassages([passage], text.length * 9))
  },
  'engine: table': (text) => {
    const tables = readTables(`| a | b |\n|---|---|\n| ${text} | ${text.slice(0, 100)} |\n${text}`)
    return answerFromTables(text, [{ file: 'a.csv.md', tables }], 'en')
  },
  'lib: small talk': isSmallTalk,
  'lib: follow-up': mayDepend,
  'lib: earlier words': (text) => carryOver(`and ${text}`, [text, 'When does the ferry leave?']),
  'lib: file name': toFileName,
  'lib: display name': toDisplayName,
  'lib: language': textLanguage,
  'lib: sentences': (text) => toSentences(text),
  'lib: readable sentences': readableSentences,
  'lib: tokens': estimateTokens,
}

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
  it.each(Object.entries(FUNCTIONS))('%s', (_name, run) => {
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
    ['16,000 line ends', () => toSentences('\n'.repeat(16_000))],
    ['5 MB without a space', () => toSentences('a'.repeat(5_000_000))],
    ['100,000 marks on one letter', () => toLetters(`a${'\u0301\u0316'.repeat(50_000)}`)],
    ['front matter of 32,000 lists', () => chunkMarkdown(`---\n${'[a]'.repeat(21_000)}\n---\nText.`)],
    ['a heading of 1 MB of brackets', () => chunkMarkdown(`# ${'['.repeat(1_000_000)}\n\nText.`)],
    ['5 MB without a space, cut up', () => chunkPlainText('a'.repeat(5_000_000))],
    ['a word of 1 MB', () => analyse('ab'.repeat(500_000), 'de')],
    ['50,000 headings', () => chunkMarkdown('# a\n'.repeat(50_000))],
    ['50,000 marks without an entry', () => split('a [RREF9] '.repeat(50_000))],
  ])('%s', (_what, run) => {
    expect(timeOf(run, '', 1)).toBeLessThan(2000)
  })
})
