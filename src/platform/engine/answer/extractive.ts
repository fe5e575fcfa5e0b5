import { randomUUID } from 'node:crypto'
import { messageLanguage } from '#lexicon/text-language.ts'
import type { ChatResponse, ChatStreamEvent, ChatUsage } from '#platform/wire/chat.ts'
import { referenceMark } from '#platform/wire/references.ts'
import type { Ending } from './answer-block.ts'
import type { StreamEvent } from '#platform/wire/stream-events.ts'
import type { Passage, Retrieved } from '../api/retrieve.ts'
import { type Code, codesIn } from '../text/codes.ts'
import { readTables, toCells } from './tables/read-tables.ts'
import { toCellsText } from './tables/table-answer.ts'
import type { Quote } from '../search/types.ts'
import { isOneOfSum, toAsked } from './quotes/asked-kind.ts'
import { flat, forQuestion, hasNoReason, isAboutAnother, toAskedLines } from './quotes/fit-quotes.ts'
import { holdingFirst } from './quotes/holding-first.ts'
import { leastEvidence } from './quotes/least-evidence.ts'
import { nearestPassages } from './quotes/nearest-passages.ts'
import { hasNoThing } from './quotes/asked-thing.ts'
import { hasNoName, lacksNumbered } from './quotes/named.ts'
import { signatureFor } from './quotes/signature.ts'
import { isScattered, lacksOne } from './quotes/whole.ts'
import { toWords } from '../text/words.ts'
import { textsFor } from '../texts.ts'

/** The language of the question, as far as it is known; else English. */
export const answerLanguage = (question: string): string => messageLanguage(question) ?? 'en'

/** Answers of the engine's own model, in OpenAI's shapes. */
export interface Completion {
  readonly model: string
  readonly text: string
  /** The text was cut at the limit of tokens. */
  readonly isCut: boolean
  readonly ending: Ending
  readonly usage: ChatUsage
  readonly now: number
}

const referencesOf = ({ block, references }: Ending) => (block === '' ? {} : { references: [...references] })

const newId = () => `chatcmpl-${randomUUID()}`

const seconds = (now: number) => Math.floor(now / 1000)

const finishOf = ({ isCut }: Completion) => (isCut ? 'length' : 'stop')

export function toResponse(completion: Completion): ChatResponse {
  const { model, text, ending, usage, now } = completion
  const content = `${text}${ending.block}`
  return {
    id: newId(),
    object: 'chat.completion',
    created: seconds(now),
    model,
    choices: [{ index: 0, message: { role: 'assistant', content }, finish_reason: finishOf(completion) }],
    usage,
    ...referencesOf(ending),
  }
}

/** Splits a text into lines or sentences, for streaming. */
const pieces = (text: string) =>
  text.match(/[^\n.!?。！？]*(?:[\n.!?。！？]+\s*|$)/gu)?.filter((piece) => piece !== '') ?? []

/** The events of a streamed answer. */
export function* toEvents(completion: Completion, includeUsage: boolean): Generator<StreamEvent> {
  const base = {
    id: newId(),
    object: 'chat.completion.chunk' as const,
    created: seconds(completion.now),
    model: completion.model,
  }
  const event = (choices: ChatStreamEvent['choices'], more: Partial<ChatStreamEvent> = {}): StreamEvent => ({
    body: { ...base, choices, ...more } satisfies ChatStreamEvent,
  })
  const { ending } = completion
  yield event([{ index: 0, delta: { role: 'assistant', content: '' }, finish_reason: null }])
  for (const piece of pieces(completion.text)) {
    yield event([{ index: 0, delta: { content: piece }, finish_reason: null }])
  }
  if (ending.block !== '')
    yield event([{ index: 0, delta: { content: ending.block }, finish_reason: null }], referencesOf(ending))
  yield event([{ index: 0, delta: {}, finish_reason: finishOf(completion) }])
  if (includeUsage) yield event([], { usage: completion.usage })
}

/** Passages below a refusal. */
const MAX_NEAREST = 3
/** Most sentences that an answer quotes. */
const MAX_QUOTES = 3
/** Least evidence of further sentences, relative to the best one. */
const MIN_SCORE_OF_BEST = 0.5

export interface ExtractiveAnswer {
  readonly text: string
  /** Passages that the text refers to; when it refuses, the nearest ones, to which it does not refer. */
  readonly passages: readonly Passage[]
  readonly refuses: boolean
}

/** The text; where it refuses, with marks of the passages that may help, since no block names them. */
export const withMarks = ({ text, passages, refuses }: ExtractiveAnswer): string =>
  refuses ? [text.trim(), ...passages.map((_, at) => referenceMark(at + 1))].join(' ') : text

/** Evidence that a sentence may lack when it contains the code for which the question asks. */
const NAME_PART = 0.25
/** The same for a word in capitals, in a question of few words: it may be one of many. */
const CAPITALS_PART = 0.12
const FEW_WORDS = 8
/** A longer quotation is one of lines without sentences: a log, a program. The line with the code is enough. */
const MAX_LINES_LENGTH = 160

/** Evidence that an answer needs in addition when its passage lacks the names in the question, or the thing that is asked for. */
const OTHERS_PART = 0.3

/** The same when the words of the question are scattered over its passage. */
const SCATTERED_PART = 0.15

const textOf = ({ file, headings, lead, body }: Passage) => [file, ...headings, lead, body].join('\n')

/** The line of a long quotation that contains a code. */
function toLine(quote: Quote, codes: readonly Code[], body: string): Quote {
  if (quote.text.length <= MAX_LINES_LENGTH) return quote
  const lines = body.split('\n').map(flat)
  const line = lines.find((one) => quote.text.includes(one) && codes.some(({ pattern }) => pattern.test(one)))
  return line === undefined ? quote : { ...quote, text: line }
}

/** Quotes with those first that hold the codes of the question, and the evidence that they need. */
function byCodes(question: string, retrieved: Retrieved) {
  const { quotes, passages } = retrieved
  const least = leastEvidence(retrieved.language)
  const codes = codesIn(question)
  const names = codes.filter(({ isName }) => isName)
  if (codes.length === 0) return { quotes, least }
  const texts = passages.map(textOf)
  if (names.some(({ pattern }) => !texts.some((text) => pattern.test(text)))) return { quotes: [], least }
  const holds = ({ hit, text }: Quote) => {
    const around = [...(passages[hit]?.headings ?? []), text].join('\n')
    return (names.length > 0 ? names : codes).every(({ pattern }) => pattern.test(around))
  }
  const holding = quotes.filter(holds)
  if (holding.length === 0) return { quotes, least }
  // A statement in few words does not ask for the meaning of its capitals.
  const isShort = !/[.!]\s*$/.test(question) && question.trim().split(/\s+/).length <= FEW_WORDS
  const part = names.length > 0 ? NAME_PART : isShort ? CAPITALS_PART : 0
  if (part === 0) return { quotes, least }
  const lines = holding.map((quote) => toLine(quote, codes, passages[quote.hit]?.body ?? ''))
  const others = names.length > 0 ? [] : quotes.filter((quote) => !holding.includes(quote))
  return { quotes: [...lines, ...others], least: least - part }
}

/** Most characters of a title with the text below it. */
const MAX_BELOW_TITLE = 240

/** A quotation of words that the question has itself is a title: the lines below it belong to it. */
function withTextBelow(question: string, quote: Quote, body: string): Quote {
  const asked = new Set(toWords(question).map(({ text }) => text))
  if (quote.text.startsWith('|') || !toWords(quote.text).every(({ text }) => asked.has(text))) return quote
  const lines = body.split('\n').map(flat)
  const at = lines.indexOf(quote.text)
  if (at === -1) return quote
  let text = quote.text
  for (const line of lines.slice(at + 1)) {
    if (line === '') continue
    if (/^[|#]/.test(line) || text.length + line.length > MAX_BELOW_TITLE) break
    text = `${text} ${line}`
  }
  return { ...quote, text }
}

function pick(question: string, found: Retrieved): readonly Quote[] {
  if (isAboutAnother(question, found.passages) || lacksNumbered(question, found)) return []
  const { quotes, least } = byCodes(question, found)
  const best = quotes[0]
  const of = found.passages[best?.hit ?? 0]
  if (best === undefined || of === undefined) return []
  const isOther =
    hasNoName(question, found.language, of) ||
    hasNoThing(question, found.language, of) ||
    // Codes tell enough.
    (least === leastEvidence(found.language) && lacksOne(best, found.language)) ||
    hasNoReason(question, best.text, of)
  if (best.evidence < least + (isOther ? OTHERS_PART : 0)) return []
  if (best.evidence < least + SCATTERED_PART && isScattered(best, of, found.language)) return []
  if (isOneOfSum(question, best.text, of)) return []
  const signature = signatureFor(question, { ...found, quotes })
  if (signature !== undefined) return [signature]
  const seen = new Set<string>()
  // A question for a fact needs no further sentences, unlike one for how something is done.
  const isFact = toAsked(question) !== undefined
  const fitting = forQuestion(question, { ...found, quotes }).map((quote) =>
    withTextBelow(question, quote, found.passages[quote.hit]?.body ?? ''),
  )
  return holdingFirst(question, { ...found, quotes: fitting })
    .filter((quote, at) => {
      if (seen.has(quote.text) || quote.score < best.score * MIN_SCORE_OF_BEST) return false
      if (at > 0 && isFact && quote.isBeside === true) return false
      seen.add(quote.text)
      return true
    })
    .slice(0, MAX_QUOTES)
}

const isRow = (quoted: string) => /^\|.*\|$/.test(quoted)

/** `| soup | 4.20 |` as `item: soup · price: 4.20`, since a row is quoted without its table. */
function toRowText(quoted: string, passage: Passage): string {
  if (!isRow(quoted)) return quoted
  const cells = toCells(quoted)
  const table = readTables(`${passage.lead}${passage.body}`).find(({ rows }) =>
    rows.some((row) => flat(row.raw) === quoted),
  )
  return toCellsText(table?.header ?? [], cells)
}

/** The source of a quotation: of a table its row alone, since a passage of several rows does not tell which one is meant. */
function toCited(quoted: string, passage: Passage): Passage {
  const row = isRow(quoted) ? passage.body.split('\n').find((line) => flat(line) === quoted) : undefined
  return row === undefined ? passage : { ...passage, lead: '', body: row.trim() }
}

/** Marks of footnotes and of bold text. */
const RAW_MARKS = /\[\^[^\]\s]{1,20}\]:?|\*\*/g

const shown = (quoted: string, passage: Passage): string => toRowText(quoted, passage).replaceAll(RAW_MARKS, '').trim()

/**
 * Up to three sentences, verbatim except for marks of markdown, each with the mark of its passage; or the sentence of
 * refusal.
 *
 * @param isToldOfModel the conversation has the notice that there is no language model
 */
export function answerFromPassages(question: string, retrieved: Retrieved, isToldOfModel = false): ExtractiveAnswer {
  const say = textsFor(answerLanguage(question)).files
  if (question.trim() === '') return { text: say.noQuestion, passages: [], refuses: true }
  if (retrieved.nothingIndexed) return { text: say.nothingIndexed, passages: [], refuses: true }
  const quotes = pick(question, retrieved)
  if (quotes.length === 0) {
    const nearest = nearestPassages(question, retrieved, MAX_NEAREST)
    const text = nearest.length === 0 ? say.notInCollection : say.nearest
    return { text, passages: nearest, refuses: true }
  }
  const cited: { readonly of: Passage; readonly passage: Passage }[] = []
  const lines = quotes.flatMap((quote) => {
    const of = retrieved.passages[quote.hit]
    if (of === undefined) return []
    const { text } = toAskedLines(question, quote, of.body)
    const passage = toCited(text, of)
    const known = cited.findIndex((one) => one.of === of && one.passage.body === passage.body)
    const number = known === -1 ? cited.push({ of, passage }) : known + 1
    return [`> ${shown(text, of)} ${referenceMark(number)}`]
  })
  const others = retrieved.passages.filter((passage) => !cited.some(({ of }) => of === passage))
  const passages = [...cited.map(({ passage }) => passage), ...others]
  const head = isToldOfModel ? say.filesSay : say.fromFiles
  return { text: `${head}\n\n${lines.join('\n>\n')}\n`, passages, refuses: false }
}

/** Without a collection there is nothing to answer from. */
export function answerWithoutFiles(question: string): string {
  return textsFor(answerLanguage(question)).files.noModel
}
