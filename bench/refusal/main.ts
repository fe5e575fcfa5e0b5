import { parseArgs } from 'node:util'
import { questionsIn, withoutCourtesies } from '#lexicon/asked.ts'
import { answerFromPassages } from '#platform/engine/answer/extractive.ts'
import { type Library, openLibrary } from '../quality/library.ts'
import { mean } from '../quality/measures.ts'
import { retrieveFrom } from '../quality/retrieved.ts'
import { type Half, halfOf, halves, readSciFact, readXquad, type XquadQuestion } from '../quality/sets.ts'
import { FORM_LANGUAGES, formsOf } from './forms.ts'

const QUESTIONS = 250
const SIZES = [60, 240, 1000, 8339]

const say = (text: string) => void process.stdout.write(`${text}\n`)
const percent = (values: readonly boolean[]) => `${(100 * mean(values.map(Number))).toFixed(1)} %`

async function refusesOne(library: Library, index: string, question: string): Promise<boolean> {
  return answerFromPassages(question, await retrieveFrom(library, index, question)).refuses
}

/** Whether a message is refused, as a chat does it. */
async function refuses(library: Library, index: string, text: string): Promise<boolean> {
  const whole = withoutCourtesies(text)
  if (!(await refusesOne(library, index, whole))) return false
  const [alone, ...more] = questionsIn(text)
  return alone === undefined || more.length > 0 || alone === whole || refusesOne(library, index, alone)
}

async function shareRefused(library: Library, index: string, texts: readonly string[]): Promise<string> {
  const refused: boolean[] = []
  // oxlint-disable-next-line no-await-in-loop -- the index answers one question at a time
  for (const text of texts) refused.push(await refuses(library, index, text))
  return percent(refused)
}

/** So many of them, spread evenly. */
const spread = <One>(all: readonly One[], count: number): readonly One[] =>
  all.filter((_, at) => Math.floor((at * count) / all.length) !== Math.floor(((at - 1) * count) / all.length))

/** The same order for the same length. */
const mixed = <One>(all: readonly One[]): readonly One[] =>
  all
    .map((one, at) => ({ one, key: Math.imul(at + 1, 2_654_435_761) >>> 0 }))
    .toSorted((left, right) => left.key - right.key)
    .map(({ one }) => one)

/** Questions of XQuAD that its paragraphs answer, as people type them. */
async function measureForms(library: Library, language: string): Promise<void> {
  const { paragraphs, questions } = readXquad(language)
  await library.fill(
    language,
    paragraphs.map(({ text }) => text),
  )
  const asked = spread(questions, QUESTIONS).map(({ text }) => formsOf(language, text))
  const shares: string[] = []
  for (const form of Object.keys(asked[0] ?? {})) {
    const texts = asked.map((forms) => forms[form] ?? '')
    // oxlint-disable-next-line no-await-in-loop -- one form after the other
    shares.push(await shareRefused(library, language, texts))
  }
  say(`| ${language} | ${shares.join(' | ')} |`)
}

const MIN_PARAGRAPH_CHARS = 40

/** An abstract as two paragraphs. */
function inHalves(text: string): readonly string[] {
  const sentences = text.split(/(?<=[.!?])\s+/)
  const middle = Math.ceil(sentences.length / 2)
  const parts = [sentences.slice(0, middle), sentences.slice(middle)]
  return parts.map((part) => part.join(' ')).filter((part) => part.length >= MIN_PARAGRAPH_CHARS)
}

const textOf = ({ text }: XquadQuestion) => text

/** One half of XQuAD's articles among abstracts of SciFact: its questions are answered, those of the other half are not. */
async function measureSizes(library: Library, half: Half): Promise<void> {
  const { paragraphs, questions } = readXquad('en')
  const abstracts = mixed(readSciFact().docs.flatMap(({ text }) => inHalves(text)))
  const own = mixed(paragraphs.map((one, at) => ({ ...one, at })).filter(({ article }) => halfOf(article) === half))
  const others = spread(
    questions.filter(({ article }) => halfOf(article) !== half),
    QUESTIONS,
  )
  for (const size of SIZES) {
    const held = own.slice(0, size)
    const index = `${half === 'tuning' ? 'tuning' : 'held-out'}-${size}`
    const texts = [...held.map(({ text }) => text), ...abstracts].slice(0, size)
    // oxlint-disable-next-line no-await-in-loop -- one collection after the other
    await library.fill(index, texts)
    const there = new Set(held.map(({ at }) => at))
    const good = spread(
      questions.filter(({ paragraph }) => there.has(paragraph)),
      QUESTIONS,
    )
    // oxlint-disable-next-line no-await-in-loop -- as above
    const refused = await shareRefused(library, index, good.map(textOf))
    // oxlint-disable-next-line no-await-in-loop -- as above
    const kept = await shareRefused(library, index, others.map(textOf))
    say(`| ${texts.length} | ${half} | ${refused} | ${(100 - Number.parseFloat(kept)).toFixed(1)} % |`)
  }
}

/** What is refused: good questions as people type them (XQuAD in each language), and questions by the size of a collection. */
async function main(args: readonly string[]): Promise<void> {
  const { values } = parseArgs({
    args: [...args],
    options: { languages: { type: 'string', default: FORM_LANGUAGES.join(',') }, sizes: { type: 'boolean' } },
  })
  await using library = await openLibrary()
  if (values.sizes === true) {
    say('| paragraphs | half | good ones refused | others answered |\n|---|---|---|---|')
    // oxlint-disable-next-line no-await-in-loop -- one half after the other
    for (const half of halves) await measureSizes(library, half)
    return
  }
  const forms = Object.keys(formsOf('en', ''))
  say(`| refused | ${forms.join(' | ')} |\n|---|${'---|'.repeat(forms.length)}`)
  // oxlint-disable-next-line no-await-in-loop -- one language after the other
  for (const language of values.languages.split(',')) await measureForms(library, language)
}

try {
  await main(process.argv.slice(2))
} catch (error) {
  say(error instanceof Error ? error.message : String(error))
  process.exitCode = 1
}
