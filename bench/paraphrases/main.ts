import { readFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { searchByDictionary } from '#platform/engine/answer/quotes/by-dictionary.ts'
import { openDictionary, type Dictionary } from '#platform/engine/dictionary/dictionary.ts'
import { answerFromPassages } from '#platform/engine/answer/extractive.ts'
import { searchInOtherWords } from '#platform/engine/answer/other-words.ts'
import type { OtherWords } from '#platform/engine/search/types.ts'
import { openLibrary, type Library } from '../quality/library.ts'
import { retrieveFrom } from '../quality/retrieved.ts'

const say = (text: string) => void process.stdout.write(`${text}\n`)

const read = (name: string) => readFileSync(new URL(name, import.meta.url), 'utf8').trim()

/** The files of one organisation, and the language of what stands around them. */
const ORGANISATIONS = { housing: 'en', clinic: 'en', schule: 'de' } as const

const VERDICTS = ['right', 'shown', 'wrong', 'nothing'] as const
type Verdict = (typeof VERDICTS)[number]

const silent = () => undefined

interface Asked {
  readonly organisation: string
  readonly kind: string
  readonly question: string
  readonly verdict: Verdict
  readonly text: string
}

/** Right: quoted. Shown: among the passages that may help. A question that the files don't answer is right unless quoted. */
async function ask(library: Library, dictionary: Dictionary | undefined, line: string): Promise<Asked> {
  const [organisation = '', kind = '', question = '', words = '-'] = line.split('\t')
  const retrieve = (text: string, others?: OtherWords) => retrieveFrom(library, organisation, text, others)
  const own = await searchInOtherWords(question, await retrieve(question), (text) => retrieve(text))
  const found = await searchByDictionary(question, own, dictionary, (others) => retrieve(question, others))
  const { text, refuses, passages } = answerFromPassages(question, found)
  const asked = { organisation, kind, question, text: refuses ? passages.map(({ body }) => body).join('\n') : text }
  if (words === '-') return { ...asked, verdict: refuses ? 'right' : 'wrong' }
  const right = new RegExp(words)
  if (!refuses) return { ...asked, verdict: right.test(text) ? 'right' : 'wrong' }
  return { ...asked, verdict: passages.some(({ body }) => right.test(body)) ? 'shown' : 'nothing' }
}

/**
 * Questions that use none of the words of the files, or another language, asked of three small organisations; each has
 * its file among 42 paragraphs of other things. `--show` prints all answers; `--dictionary` names
 * a further one, `--no-dictionary` leaves out the one that comes with Footbridge, too.
 */
async function main(args: readonly string[]): Promise<void> {
  const { values } = parseArgs({
    args: [...args],
    options: {
      show: { type: 'boolean' },
      dictionary: { type: 'string', multiple: true, default: [] },
      'no-dictionary': { type: 'boolean' },
    },
  })
  const log = { debug: silent, info: silent, warn: (fields: object) => say(JSON.stringify(fields)), error: silent }
  const dictionary = values['no-dictionary'] === true ? undefined : openDictionary(values.dictionary, log)
  await using library = await openLibrary()
  for (const [name, language] of Object.entries(ORGANISATIONS)) {
    const others = readFileSync(new URL(`../quality/other-field/${language}.md`, import.meta.url), 'utf8')
    // oxlint-disable-next-line no-await-in-loop -- one collection after the other
    await library.fill(name, [read(`${name}.md`), ...others.trim().split('\n\n')])
  }
  const asked: Asked[] = []
  // oxlint-disable-next-line no-await-in-loop -- the index answers one question at a time
  for (const line of read('questions.txt').split('\n')) asked.push(await ask(library, dictionary, line))
  say(`| files | questions | of | ${VERDICTS.join(' | ')} |\n|---|---|---|${'---|'.repeat(VERDICTS.length)}`)
  for (const [name, of] of Map.groupBy(asked, ({ organisation, kind }) => `${organisation} | ${kind}`)) {
    const counts = VERDICTS.map((verdict) => of.filter((one) => one.verdict === verdict).length)
    say(`| ${name} | ${of.length} | ${counts.join(' | ')} |`)
  }
  await dictionary?.close()
  if (values.show === true)
    for (const one of asked)
      say(`\n${one.verdict.toUpperCase()} ${one.organisation}: ${one.question}\n${one.text.slice(0, 600)}`)
}

await main(process.argv.slice(2))
