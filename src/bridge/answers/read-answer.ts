import { EXTRACTIVE } from '../channels/models.ts'
import { isStopped } from '../delivery/job-context.ts'
import { NoAnswerError } from '../port/errors.ts'
import type { ChatRequest, Platform, ReferenceField } from '../port/platform.ts'
import { settleLinks } from '../references/links.ts'
import { createAnswerReader, readEntries, type SplitAnswer, withEntries, withPlaces } from '../references/splitter.ts'
import { createRefusalGate, soundsLikeRefusal, withoutMarkerWord } from './refusal.ts'

/** A platform's answer before its references are checked. */
export interface ReadAnswer {
  readonly end: SplitAnswer
  /** It has marks or a References block that could not be parsed. */
  readonly hasUnparsedCitations: boolean
  readonly cutByLength: boolean
  /** A filter of the model or its server ended it. */
  readonly cutByFilter: boolean
  /** The model declined to go on, in its own words. */
  readonly refusal?: string
  /** A person stopped it: it is not whole. */
  readonly isStopped: boolean
  /** A part of it was streamed to people. */
  readonly shown: boolean
}

/** Output of an answer while it streams. */
export interface AnswerSink {
  readonly push: (text: string) => void
  /** Takes back all that was pushed: it was the model's thinking. */
  readonly retract?: () => void
  /** Called when the request waits for the platform's limit. */
  readonly onWait: (waitMs: number) => void
}

// Within one line: empty lines without end must not be read again and again.
const CITATION = /RREF ?\d|^[^\w\n\r\u2028\u2029]*References:/im

/** Whether a text cites, or begins a References block. */
export const hasCitations = (text: string): boolean => CITATION.test(text)

/** Time limit for the references of a stopped answer, milliseconds. */
const ENTRIES_MS = 5000

/**
 * Asks the platform and reads the answer to its end, or to where a person stopped it.
 *
 * @param options.out gets the text that is safe to show, while it streams.
 * @param options.holdsRefusals hold back a refusal in any words. Default false: only the marker word is held back.
 * @throws {Error} of the platform; also when it was stopped before anything was shown.
 * @throws {NoAnswerError} when the model gave none: it is no "not found".
 */
export async function readAnswer(
  platform: Pick<Platform, 'chat'>,
  request: ChatRequest,
  options: {
    readonly question: string
    readonly signal: AbortSignal
    readonly out: AnswerSink
    readonly holdsRefusals?: boolean
  },
): Promise<ReadAnswer> {
  const { question, signal, out, holdsRefusals = false } = options
  const open = () => ({
    reader: createAnswerReader(question),
    gate: createRefusalGate(holdsRefusals ? 'refusal' : 'word'),
  })
  let { reader, gate } = open()
  let shown = false
  const show = (text: string) => {
    // The built-in model answers at once, and its refusal is replaced by our own sentence.
    if (request.model === EXTRACTIVE) return
    if (text.trim() !== '') shown = true
    out.push(text)
  }
  let reason: string | undefined
  let stopped = false
  let whole = ''
  const fields: ReferenceField[] = []
  let [refusal, tool]: [string, string?] = ['']
  try {
    for await (const event of platform.chat.stream(request, { signal, onWait: out.onWait })) {
      if (event.type === 'finish') ({ reason } = event)
      else if (event.type === 'references') fields.push(...event.references)
      else if (event.type === 'refusal') refusal += event.text
      else if (event.type === 'progress') tool ??= event.toolCall?.name
      else if (event.type === 'retract') {
        ;({ reader, gate } = open())
        whole = ''
        shown = false
        out.retract?.()
      }
      if (event.type !== 'text') continue
      whole += event.text
      show(gate.push(reader.push(event.text)))
    }
  } catch (error) {
    if (!isStopped(signal) || !shown) throw error
    stopped = true
  }
  const read = reader.end()
  show(gate.push(read.tail))
  const end =
    stopped && read.references.length === 0
      ? await withMissingEntries(platform, request, read)
      : { ...read, references: withPlaces(read.references, fields) }
  const hasUnparsedCitations = end.references.length === 0 && hasCitations(whole)
  const cut = toCut(reason, refusal)
  if (end.text === '' && !stopped) refuseSilence({ ...cut, tool })
  const answer = { end, hasUnparsedCitations, ...cut, isStopped: stopped }
  if (!holdsRefusals || !isUnanswered(answer)) show(gate.end())
  return { ...answer, shown }
}

function toCut(reason: string | undefined, refusal: string) {
  const declined = settleLinks(refusal.trim(), () => false)
  return {
    cutByLength: reason === 'length',
    cutByFilter: reason === 'content_filter',
    ...(declined === '' ? {} : { refusal: declined }),
  }
}

/** @throws {NoAnswerError} where the model said why there is no text, or did something else */
function refuseSilence(why: {
  readonly refusal?: string
  readonly cutByFilter: boolean
  readonly tool?: string
}): void {
  if (why.refusal !== undefined) throw new NoAnswerError('declined', why.refusal)
  if (why.cutByFilter) throw new NoAnswerError('filtered', '')
  if (why.tool !== undefined) throw new NoAnswerError('tool-call', why.tool)
}

/** The block comes at the end of an answer. The same search gives the same entries: one token of answer is enough. */
async function withMissingEntries(
  platform: Pick<Platform, 'chat'>,
  request: ChatRequest,
  end: SplitAnswer,
): Promise<SplitAnswer> {
  if (request.collection === undefined) return end
  let text = ''
  const fields: ReferenceField[] = []
  try {
    const signal = AbortSignal.timeout(ENTRIES_MS)
    for await (const event of platform.chat.stream({ ...request, maxTokens: 1 }, { signal })) {
      if (event.type === 'retract') text = ''
      if (event.type === 'text') text += event.text
      if (event.type === 'references') fields.push(...event.references)
    }
  } catch {
    // The stopped text is shown without them.
    return end
  }
  return withEntries(end, withPlaces(readEntries(text), fields))
}

/**
 * Whether the files do not answer: no passages came, or the answer cites none and is a refusal. An answer that was cut
 * off, or whose citations can't be parsed, has sources: they just can't be shown.
 */
export function isUnanswered(answer: Omit<ReadAnswer, 'shown'>): boolean {
  const { end, hasUnparsedCitations } = answer
  if (answer.isStopped || answer.refusal !== undefined) return false
  const isCut = answer.cutByLength || answer.cutByFilter
  if (end.references.length === 0 && !hasUnparsedCitations && !isCut) return true
  const { text, refuses } = withoutMarkerWord(end.text)
  // Some models put a citation mark after the marker word.
  if (refuses && !/[\p{L}\p{N}]/u.test(text.replaceAll(/\[\d+\]/g, ''))) return true
  return end.used.size === 0 && (refuses || soundsLikeRefusal(text))
}
