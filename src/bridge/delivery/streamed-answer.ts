import type { Action, MessageRef, Reference } from '../port/message.ts'
import {
  conclude,
  createGrowingMessage,
  createPause,
  endStream,
  grow,
  isClosed,
  type AnswerDelivery,
  type GrowingMessage,
} from './growing-message.ts'
import type { Content } from './outbox-sender.ts'
import { splitMarkdown, splitOnce, type SplitLimits } from './split.ts'

/** How an answer ends. */
export interface Ending {
  readonly kind: 'answer' | 'notice' | 'error'
  /** The whole text, marks resolved. */
  readonly text: string
  readonly references?: readonly Reference[]
  readonly passagesTitle?: string
  /** As in `Outgoing`. */
  readonly isUnsure?: true
  readonly model?: string
  /** Small print under its last message. */
  readonly note?: string
  /** Shown under its last message. */
  readonly actions?: readonly Action[]
}

/**
 * Delivers one answer while it is written: by a native stream, else posted and edited, else posted at the end. An
 * answer over the limit continues in the next message.
 */
export interface StreamedAnswer {
  /** Adds visible text. Returns at once; delivery runs in the background. */
  push(text: string): void
  /** Takes back all pushed text. The visible text stays until the end, when the whole answer replaces it. */
  retract(): void
  /** True once the first text is being sent. */
  readonly begun: boolean
  /** Everything pushed so far. */
  readonly text: string
  /** New messages that show it so far. */
  shown(): Promise<readonly MessageRef[]>
  /** Shows the final text and closes the rows; rejects with the first error of delivery. Returns the messages. */
  finish(ending: Ending): Promise<readonly MessageRef[]>
  /** Waits for running calls and leaves the shown text as it is. */
  settle(): Promise<void>
  /** Settles, and ends open streams: another job goes on with these messages. */
  abandon(): Promise<void>
}

const slotOf = (index: number): string => `answer.${index}`
export const FIRST_SLOT = slotOf(0)

/** @param options.resumed messages from before a restart: they are overwritten, not doubled */
// oxlint-disable-next-line max-lines-per-function -- a factory: it only returns methods
export function createStreamedAnswer(
  options: Omit<AnswerDelivery, 'native' | 'pause' | 'growing'> & {
    /** Buttons while the text grows by edits. */
    readonly growing?: readonly Action[]
    readonly resumed: readonly { readonly slot: string; readonly ref?: MessageRef }[]
  },
): StreamedAnswer {
  const { resumed, growing = [], ...surroundings } = options
  // A resumed answer is overwritten once complete: people must not see it shrink and grow again.
  const isResumed = resumed.length > 0
  const native = options.adapter.stream !== undefined && !isResumed
  const delivery: AnswerDelivery = { ...surroundings, growing, native, pause: createPause() }
  const messages: GrowingMessage[] = []
  let text = ''
  let unplaced = ''
  let pump: Promise<void> | undefined
  let failure: unknown
  let isRetracted = false

  function addMessage(): GrowingMessage {
    const slot = slotOf(messages.length)
    const ref = resumed.find((row) => row.slot === slot)?.ref
    const message = createGrowingMessage(slot, delivery.adapter.limits, ref)
    messages.push(message)
    return message
  }

  async function placeAll(): Promise<void> {
    while (unplaced !== '') {
      const piece = unplaced
      unplaced = ''
      await place(messages.at(-1) ?? addMessage(), piece, delivery, addMessage)
    }
  }

  function start(): void {
    if (pump !== undefined || failure !== undefined || isResumed || isRetracted) return
    pump = placeAll()
      .catch((error: unknown) => {
        // The end of the answer is shown in a new message, if at all.
        if (isClosed(error)) isRetracted = true
        else failure = error
      })
      .finally(() => {
        pump = undefined
        if (unplaced !== '') start()
      })
  }

  async function settle(): Promise<void> {
    delivery.pause.end()
    while (pump !== undefined) await pump
  }

  return {
    push(piece) {
      if (piece === '') return
      text += piece
      unplaced += piece
      start()
    },
    retract() {
      text = ''
      unplaced = ''
      isRetracted = true
    },
    get begun() {
      return text.trim() !== ''
    },
    get text() {
      return text
    },
    settle,
    async abandon() {
      await settle()
      await endStreams(messages, delivery)
    },
    async shown() {
      await settle()
      return isResumed ? [] : messages.flatMap(({ ref }) => ref ?? [])
    },
    async finish(ending) {
      await settle()
      if (failure !== undefined) throw failure
      const streamed = messages.map(({ source }) => source)
      // If the final text equals the streamed one, messages closed while streaming are left as they are.
      const isSame = !isRetracted && ending.text.trimEnd() === text.trimEnd() && streamed.length > 0
      const targets = isSame ? streamed : splitMarkdown(ending.text, limitsOf(delivery))
      // Streams of messages that are removed end first: the service counts them as open until then.
      await endStreams(messages.slice(targets.length), delivery)
      const shown = targets.map((_, index) => messages[index] ?? addMessage())
      const known = [...resumed, ...messages].map(({ slot }) => slot)
      return reconcile(shown, targets, ending, { ...delivery, known })
    },
  }
}

const limitsOf = ({ adapter: { limits }, native }: AnswerDelivery): SplitLimits => ({
  limit: native && limits.stream ? limits.stream.textLength : limits.textLength,
  measure: limits.measure,
})

/** Ends open streams with the text that they show. A failure is no loss: the text was shown. */
async function endStreams(messages: readonly GrowingMessage[], delivery: AnswerDelivery): Promise<void> {
  for (const message of messages)
    await endStream(message, delivery, { kind: 'answer', text: message.shown }).catch((error: unknown) =>
      delivery.log.debug({ err: error }, 'The stream of an abandoned answer could not be ended'),
    )
}

/** Adds new text to the open message, and opens the next one when it is full. */
async function place(
  open: GrowingMessage,
  piece: string,
  delivery: AnswerDelivery,
  addMessage: () => GrowingMessage,
): Promise<void> {
  let message = open
  for (let more = piece; ;) {
    const limits = limitsOf(delivery)
    message.source += more
    message.unstreamed += more
    if (message.meter.add(more) <= limits.limit) break
    const min = message.stream ? message.shown.length : 0
    const cut = splitOnce(message.source, { ...limits, min })
    if (cut === undefined) break
    message.source = cut.head
    message.unstreamed = cut.head.slice(message.shown.length)
    await grow(message, delivery, true)
    await endStream(message, delivery)
    message = addMessage()
    more = cut.rest
  }
  await grow(message, delivery)
}

/** Makes the messages show exactly these texts: edits, posts and removes as needed. */
async function reconcile(
  messages: readonly GrowingMessage[],
  targets: readonly string[],
  ending: Ending,
  delivery: AnswerDelivery & { readonly known: readonly string[] },
): Promise<readonly MessageRef[]> {
  const { sender } = delivery
  const refs: MessageRef[] = []
  for (const [index, message] of messages.entries()) {
    const content: Content = { kind: ending.kind, text: targets[index] ?? '' }
    const isLast = index === messages.length - 1
    refs.push(await conclude(message, delivery, isLast ? withEnding(content, ending) : content))
  }
  for (const surplus of surplusSlots(delivery.known, targets.length)) await sender.remove(surplus)
  // The first row is closed last: once it is closed, the whole answer is shown.
  for (const [index, target] of [...targets.entries()].toReversed()) await sender.close(slotOf(index), target)
  return refs
}

/** The presence of these members marks the message as final: absent ones stay absent. */
const withEnding = (
  content: Content,
  { references, passagesTitle, isUnsure, model, note, actions }: Omit<Ending, 'kind' | 'text'>,
): Content => ({
  ...content,
  ...(references && { references }),
  ...(passagesTitle && { passagesTitle }),
  ...(isUnsure && { isUnsure }),
  ...(model && { model }),
  ...(note && { note }),
  ...(actions && { actions }),
})

const surplusSlots = (slots: readonly string[], count: number): ReadonlySet<string> =>
  new Set(slots.filter((slot) => Number(slot.slice('answer.'.length)) >= count))
