import { EXTRACTIVE } from '../channels/models.ts'
import type { ChatRequest, Platform } from '../port/platform.ts'
import { createAnswerReader, type SplitAnswer } from '../references/splitter.ts'
import { createRefusalGate, soundsLikeRefusal, withoutWord } from './refusal.ts'

/** A platform's answer before its references are checked. */
export interface ReadAnswer {
  readonly end: SplitAnswer
  /** It has marks or a References block that could not be parsed. */
  readonly citesUnread: boolean
  readonly cutByLength: boolean
  /** A part of it was streamed to people. */
  readonly shown: boolean
}

/** Output of an answer while it streams. */
export interface Out {
  readonly push: (text: string) => void
  /** Called when the request waits for the platform's limit. */
  readonly waits: (waitMs: number) => void
}

const CITES = /RREF ?\d|^\W*References:/im

/**
 * Asks the platform and reads the answer to its end.
 *
 * @param options.out gets the text that is safe to show, while it streams.
 * @param options.holds hold back a refusal in any words. Default false: only the marker word is held back.
 */
export async function readAnswer(
  platform: Pick<Platform, 'chat'>,
  request: ChatRequest,
  options: { readonly question: string; readonly signal: AbortSignal; readonly out: Out; readonly holds?: boolean },
): Promise<ReadAnswer> {
  const { question, signal, out, holds = false } = options
  const reader = createAnswerReader(question)
  const gate = createRefusalGate(holds ? 'refusal' : 'word')
  let shown = false
  const show = (text: string) => {
    // The built-in model answers at once, and its refusal is replaced by our own sentence.
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
 * Whether the files do not answer: no passages came, or the answer cites none and is a refusal. An answer that was cut
 * off, or whose citations can't be parsed, has sources: they just can't be shown.
 */
export function saysNothing({ end, citesUnread, cutByLength }: Omit<ReadAnswer, 'shown'>): boolean {
  if (end.references.length === 0 && !citesUnread && !cutByLength) return true
  const { text, refuses } = withoutWord(end.text)
  // Some models put a citation mark behind the marker word.
  if (refuses && !/[\p{L}\p{N}]/u.test(text.replaceAll(/\[\d+\]/g, ''))) return true
  return end.used.size === 0 && (refuses || soundsLikeRefusal(text))
}
