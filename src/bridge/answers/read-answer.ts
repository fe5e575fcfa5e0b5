import { EXTRACTIVE } from '../channels/models.ts'
import type { ChatRequest, Platform } from '../port/platform.ts'
import { createAnswerReader, type SplitAnswer } from '../references/splitter.ts'
import { createRefusalGate, soundsLikeRefusal, withoutWord } from './refusal.ts'

/** The answer of a platform, before anything in it is believed. */
export interface ReadAnswer {
  readonly end: SplitAnswer
  /** It has marks or a block that could not be read. */
  readonly citesUnread: boolean
  readonly cutByLength: boolean
  /** Some of it was given to be seen while it came. */
  readonly shown: boolean
}

/** Where an answer goes while it comes. */
export interface Out {
  readonly push: (text: string) => void
  /** It is not asked for yet: the platform's limit is waited out. */
  readonly waits: (waitMs: number) => void
}

const CITES = /RREF ?\d|^\W*References:/im

/**
 * Asks, and reads to the end.
 *
 * @param options.out gets what is safe to show, while it comes.
 * @param options.holds nothing of a refusal may be seen, whatever its words. Default false: only the word is held back.
 */
export async function readAnswer(
  platform: Pick<Platform, 'chat'>,
  request: ChatRequest,
  options: {
    readonly question: string
    readonly signal: AbortSignal
    readonly out: Out
    readonly holds?: boolean
  },
): Promise<ReadAnswer> {
  const { question, signal, out, holds = false } = options
  const reader = createAnswerReader(question)
  const gate = createRefusalGate(holds ? 'refusal' : 'word')
  let shown = false
  const show = (text: string) => {
    // Quotes come all at once; and what the built-in model says where it finds nothing is said in our own words.
    if (request.model === EXTRACTIVE) return
    if (text.trim() !== '') shown = true
    out.push(text)
  }
  let cutByLength = false
  let whole = ''
  for await (const event of platform.chat.stream(request, { signal, onWait: out.waits })) {
    if (event.type === 'finish') cutByLength = event.reason === 'length'
    if (event.type !== 'text') continue
    whole += event.text
    show(gate.push(reader.push(event.text)))
  }
  const end = reader.end()
  show(gate.push(end.tail))
  const answer = { end, citesUnread: end.references.length === 0 && CITES.test(whole), cutByLength }
  if (!holds || !saysNothing(answer)) show(gate.end())
  return { ...answer, shown }
}

/**
 * Whether the files do not answer: nothing came with the answer that it could rest on, or it cites nothing and says so.
 * A model that was cut off, and one that cites what we can't read, rest on something: only we can't show it.
 */
export function saysNothing({ end, citesUnread, cutByLength }: Omit<ReadAnswer, 'shown'>): boolean {
  if (end.references.length === 0 && !citesUnread && !cutByLength) return true
  const { text, refuses } = withoutWord(end.text)
  // Some mark the word itself, as if it were a statement.
  if (refuses && !/[\p{L}\p{N}]/u.test(text.replaceAll(/\[\d+\]/g, ''))) return true
  return end.used.size === 0 && (refuses || soundsLikeRefusal(text))
}
