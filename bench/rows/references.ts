import type { Reference } from '#bridge/port/message.ts'
import { startUpstreamDouble } from '#test/doubles/upstream/double.ts'
import type { ChatAnswer, UpstreamRequest } from '#test/doubles/upstream/script.ts'
import { encode } from '../documents/encoder.ts'
import { giveOtherWords } from '../documents/other-words.ts'
import { papers, type Paper } from '../documents/papers.ts'
import { questions, unanswerable, type Question } from '../documents/questions.ts'
import { markNothing, passagesOf, readPassages, refuse } from '../documents/reader.ts'
import { openScene, type Scene } from '../documents/scene.ts'
import type { Figure, Row } from '../row.ts'
import { quantile } from '../statistics.ts'

const chatModel = 'scripted-reader'
const embeddingModel = 'scripted-encoder'
const builtIn = 'extractive'
const refusal = /Not in (?:this channel’s|your) files|I found no passage|I am not sure that/

const paperOf = ({ file }: Question): Paper => {
  const paper = papers.find(({ name }) => name === file)
  if (paper === undefined) throw new Error(`No paper is called ${file}.`)
  return paper
}

const letters = (text: string) => text.normalize('NFKC').replace(/[^\p{L}\p{N}]/gu, '')

/** Whether the passage is from the section that answers. */
const isRight = (question: Question, { file, passage }: Reference) =>
  file === question.file && holdsAnswer(question, passage)

function holdsAnswer(question: Question, text: string): boolean {
  const section = paperOf(question).sections.find(({ heading }) => heading === question.section)
  const words = section === undefined ? [question.section] : section.lines
  const passage = letters(text)
  return words.every((line) => line.split(/\s*\|\s*/).every((cell) => passage.includes(letters(cell))))
}

/** Whether the place of a right reference leads there: the page of a PDF, the heading, the lines of a text. */
function isExact(question: Question, { place = '', passage }: Reference): boolean {
  const { sections } = paperOf(question)
  const index = sections.findIndex(({ heading }) => heading === question.section)
  if (question.file.endsWith('.pdf')) return place === `p.${index + 1}`
  // A table of one sheet has no places in it.
  if (index === -1) return place === ''
  if (/\.(?:md|txt)$/.test(question.file)) return /^L\d+(?:-\d+)?$/.test(place) && passage.includes(question.section)
  return place.startsWith('§ ') && place.endsWith(question.section)
}

/** Additions to search by words. */
type Help = 'none' | 'vectors' | 'other words'

/** The scripted model: how it reads now, how many questions it gave other words for, and whether they are spoiled. */
interface Model {
  reads: (request: UpstreamRequest) => ChatAnswer
  otherWords: number
  spoiled: boolean
}

/** A good reader: it refuses when the answer is not among its passages, so query expansion happens when needed. */
const readWell = (question: Question) => (request: UpstreamRequest) =>
  passagesOf(request).some(({ body }) => holdsAnswer(question, body)) ? markNothing() : refuse()

interface Tally {
  asked: number
  first: number
  third: number
  exact: number
  right: number
}

const emptyTally = (): Tally => ({ asked: 0, first: 0, third: 0, exact: 0, right: 0 })

/** All passages that were read, in the order of retrieval. */
async function askAll(scene: Scene, model: Model, help: Help, asked = questions) {
  const tallies = new Map<string, Tally>()
  let entries = 0
  const missed: string[] = []
  for (const question of asked) {
    model.reads = help === 'other words' ? readWell(question) : markNothing
    const { references } = await scene.ask(question.text, chatModel)
    entries += references.length
    const tally = tallies.get(question.kind) ?? emptyTally()
    tallies.set(question.kind, tally)
    const right = references.findIndex((reference) => isRight(question, reference))
    tally.asked += 1
    if (right === 0) tally.first += 1
    if (right !== -1 && right < 3) tally.third += 1
    else missed.push(question.text)
    const found = references[right]
    if (found === undefined) continue
    tally.right += 1
    if (isExact(question, found)) tally.exact += 1
    else missed.push(`${question.text} (place: ${found.place ?? 'none'})`)
  }
  return { tallies, entries, missed }
}

/** Citations and refusals of the scripted reader. */
async function askReader(scene: Scene, model: Model) {
  model.reads = readPassages
  let cited = 0
  let right = 0
  let supported = 0
  let answered = 0
  for (const question of questions) {
    const { references } = await scene.ask(question.text, chatModel)
    cited += references.length
    const here = references.filter((reference) => isRight(question, reference)).length
    right += here
    if (here > 0) answered += 1
    supported += references.filter(({ support }) => support !== undefined).length
  }
  let refused = 0
  for (const text of unanswerable) {
    if (refusal.test((await scene.ask(text, chatModel)).text)) refused += 1
  }
  return { cited, right, supported, answered, refused }
}

async function askBuiltIn(scene: Scene) {
  let answered = 0
  let right = 0
  const inWords = questions.filter(({ kind }) => kind === 'words')
  for (const question of inWords) {
    const { references } = await scene.ask(question.text, builtIn)
    if (references.length === 0) continue
    answered += 1
    if (references.some((reference) => isRight(question, reference))) right += 1
  }
  let refused = 0
  for (const text of unanswerable) if (refusal.test((await scene.ask(text, builtIn)).text)) refused += 1
  return { answered, right, refused, asked: inWords.length }
}

const percent = (part: number, of: number) => (of === 0 ? 0 : (100 * part) / of)

function sum(tallies: Iterable<Tally>): Tally {
  const all = emptyTally()
  for (const tally of tallies) {
    for (const key of ['asked', 'first', 'third', 'exact', 'right'] as const) all[key] += tally[key]
  }
  return all
}

/** @param least what is wanted of each share, in percent; undefined: told, not wanted. */
function toFigures(name: string, tally: Tally, least: number | undefined): readonly Figure[] {
  const detail = `${tally.asked} questions`
  const wanted = least === undefined ? {} : { least }
  return [
    { name: `${name}, right passage first`, value: percent(tally.first, tally.asked), unit: '%', detail },
    { name: `${name}, among the first three`, value: percent(tally.third, tally.asked), unit: '%', detail, ...wanted },
  ]
}

/** Number of questions with query expansion, and its result when half of the other words are useless. */
async function toLooks(title: string, scene: Scene, model: Model, looks: number): Promise<readonly Figure[]> {
  model.spoiled = true
  const hard = questions.filter(({ kind }) => kind !== 'words')
  const { tallies } = await askAll(scene, model, 'other words', hard)
  model.spoiled = false
  const detail = `${looks} of ${questions.length} questions; each asks the platform twice more`
  const value = percent(looks, questions.length)
  return [
    { name: `${title}, took a second look`, value, unit: '%', detail },
    ...toFigures(`${title}, eight useless words among them`, sum(tallies.values()), undefined),
  ]
}

/** Time that an answer waits for the check of its entries; a PDF is converted when it is first cited. */
function toWaits(title: string, waits: readonly number[]): readonly Figure[] {
  return [
    { name: `${title}, checking, median`, value: quantile(waits, 0.5), unit: 'ms', detail: `${waits.length} answers` },
    { name: `${title}, checking, longest`, value: Math.max(...waits), unit: 'ms', goal: 3000 },
  ]
}

function row(name: string, title: string, help: Help): Row {
  return {
    name,
    limitMs: 240_000,
    async run(scope) {
      const model: Model = { reads: markNothing, otherWords: 0, spoiled: false }
      const upstream = await startUpstreamDouble({
        models: [chatModel, embeddingModel],
        answerBy(request) {
          const words = giveOtherWords(request, model.spoiled)
          if (words !== undefined) model.otherWords += 1
          return words ?? model.reads(request)
        },
      })
      scope.defer(() => upstream.close())
      upstream.embedBy(encode)
      const env = {
        UPSTREAM_BASE_URL: upstream.baseUrl,
        UPSTREAM_CHAT_MODEL: chatModel,
        ...(help === 'vectors' ? { UPSTREAM_EMBEDDING_MODEL: embeddingModel } : {}),
      }
      const scene = await openScene(scope, env, { secondLook: help === 'other words' })
      const { tallies, entries, missed } = await askAll(scene, model, help)
      const looks = model.otherWords
      const reader = await askReader(scene, model)
      const own = await askBuiltIn(scene)
      const further = help === 'other words' ? await toLooks(title, scene, model, looks) : []
      const all = sum(tallies.values())
      const dropped = scene.dropped()
      process.stdout.write(missed.map((text) => `     missed: ${text}\n`).join(''))
      return [
        ...toWaits(title, scene.checkedMs()),
        ...toFigures(title, all, help === 'none' ? undefined : 90),
        ...['words', 'paraphrase', 'across'].flatMap((kind) =>
          toFigures(
            `${title}, ${kind}`,
            tallies.get(kind) ?? emptyTally(),
            help !== 'none' || kind === 'words' ? 90 : undefined,
          ),
        ),
        ...further,
        {
          name: `${title}, page or section exact`,
          value: percent(all.exact, all.right),
          unit: '%',
          least: 90,
          detail: `${all.right} right passages`,
        },
        {
          name: `${title}, references that resolve`,
          value: percent(entries, entries + dropped),
          unit: '%',
          least: 100,
          detail: `${entries} entries, ${dropped} answers with one that was not believed`,
        },
        {
          name: `${title}, citations that are right`,
          value: percent(reader.right, reader.cited),
          unit: '%',
          detail: `${reader.cited} citations of the scripted reader, ${reader.supported} with their sentence`,
        },
        {
          name: `${title}, answered rightly by the scripted reader`,
          value: percent(reader.answered, all.asked),
          unit: '%',
          detail: `${all.asked} questions`,
        },
        {
          name: `${title}, refused by the scripted reader`,
          value: percent(reader.refused, unanswerable.length),
          unit: '%',
          least: 90,
          detail: `${unanswerable.length} questions that nothing answers`,
        },
        {
          name: `${title}, refused by the built-in model`,
          value: percent(own.refused, unanswerable.length),
          unit: '%',
          least: 90,
          detail: `${unanswerable.length} questions that nothing answers`,
        },
        {
          name: `${title}, quoted rightly by the built-in model`,
          value: percent(own.right, own.answered),
          unit: '%',
          detail: `answered ${own.answered} of ${own.asked} asked in the papers’ words`,
        },
      ]
    },
  }
}

/**
 * From dropped papers to references under answers: by words alone, with vectors of a scripted encoder, and by words with a
 * second look in other words, which a scripted model gives.
 */
export const referenceRows: readonly Row[] = [
  row('references', 'references, words alone', 'none'),
  row('references-vectors', 'references, with scripted vectors', 'vectors'),
  row('references-other-words', 'references, words and scripted other words', 'other words'),
]
