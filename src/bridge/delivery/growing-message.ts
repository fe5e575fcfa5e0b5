import type { Adapter, AnswerStream, Limits, Meter } from '../port/adapter.ts'
import { AdapterError } from '../port/errors.ts'
import type { Author } from '../port/author.ts'
import type { Action, MessageRef } from '../port/message.ts'
import type { Clock, Log } from '../port/platform.ts'
import type { Content, Sender } from './outbox-sender.ts'

/** One message of an answer that is being written. */
export interface GrowingMessage {
  readonly slot: string
  /** The text that it should show. */
  source: string
  /** Measures `source` as it grows. */
  readonly meter: Meter
  /** The text that it shows. */
  shown: string
  /** The end of `source` that was not streamed yet. Kept apart: slicing it off would copy the whole text each time. */
  unstreamed: string
  ref?: MessageRef
  /** Open while the service streams it. */
  stream?: AnswerStream
  openedAt: number
  editedAt: number
  /** It was shown with references and buttons. */
  hasEnding: boolean
  /** It was shown with the buttons of a text that grows. */
  hasGrowing: boolean
}

/** State of the delivery of one answer, shared by its messages. */
export interface AnswerDelivery {
  readonly adapter: Adapter
  readonly sender: Sender
  readonly asker: Author
  readonly clock: Clock
  readonly log: Log
  readonly pause: Pause
  /** Buttons under a message that grows by edits. */
  readonly growing: readonly Action[]
  /** New messages are streamed natively; false after a stream did not open. */
  native: boolean
}

/** A wait between edits that the end of the answer cuts short. */
export interface Pause {
  readonly isOver: boolean
  wait(ms: number): Promise<void>
  /** Ends the wait under way, and all later ones. */
  end(): void
}

export function createPause(): Pause {
  let isOver = false
  let wake: (() => void) | undefined
  return {
    get isOver() {
      return isOver
    },
    async wait(ms) {
      if (ms <= 0 || isOver) return
      let timer: NodeJS.Timeout | undefined
      await new Promise<void>((resolve) => {
        wake = resolve
        timer = setTimeout(resolve, ms)
      })
      clearTimeout(timer)
    },
    end() {
      isOver = true
      wake?.()
    },
  }
}

const measuringAll = ({ measure }: Limits): Meter => {
  let text = ''
  return { add: (piece) => measure((text += piece)) }
}

export const createGrowingMessage = (slot: string, limits: Limits, ref?: MessageRef): GrowingMessage => ({
  slot,
  source: '',
  meter: limits.meter?.() ?? measuringAll(limits),
  shown: '',
  unstreamed: '',
  ref,
  openedAt: 0,
  editedAt: 0,
  hasEnding: false,
  hasGrowing: false,
})

const contentOf = ({ source }: GrowingMessage): Content => ({ kind: 'answer', text: source })

const isStreamClosed = (error: unknown): boolean => error instanceof AdapterError && error.code === 'stream-closed'
export const isClosed = (error: unknown): boolean => error instanceof AdapterError && error.code === 'closed'

/**
 * Shows the new text: by the stream, by an edit at the service's pace, or not at all before the end.
 *
 * @param isFull the text goes on in the next message
 */
export async function grow(message: GrowingMessage, delivery: AnswerDelivery, isFull = false): Promise<void> {
  const { adapter, sender, clock, pause, native } = delivery
  if (message.source === message.shown) return
  // `trim` copies a text that grew by pieces, so it is called only while nothing is shown.
  if (message.shown === '' && message.source.trim() === '') return
  if (message.stream) return append(message, message.stream, delivery)
  if (message.ref === undefined && native) return openStream(message, delivery)
  if (message.ref === undefined && adapter.edit === undefined) return
  if (message.shown !== '') await pause.wait(message.editedAt + adapter.limits.editIntervalMs - clock())
  // The final text comes with references and buttons, in one edit that no pace delays.
  if (pause.isOver) return
  const { source } = message
  const content = contentOf(message)
  message.hasGrowing = !isFull && delivery.growing.length > 0
  message.ref = await sender.show(
    message.slot,
    message.hasGrowing ? { ...content, actions: delivery.growing, isGrowing: true } : content,
  )
  message.shown = source
  message.editedAt = clock()
}

async function openStream(message: GrowingMessage, delivery: AnswerDelivery): Promise<void> {
  const { adapter, sender, asker, clock, log } = delivery
  const { source } = message
  try {
    message.stream = await sender.open(message.slot, contentOf(message), (outgoing) => {
      if (adapter.stream === undefined) throw new AdapterError('invalid', 'This service has no streams.')
      return adapter.stream(sender.conversation, outgoing, asker)
    })
  } catch (error) {
    if (!(error instanceof AdapterError)) throw error
    log.warn({ err: error }, 'Native stream did not open: the message is posted and edited instead')
    delivery.native = false
    return grow(message, delivery)
  }
  message.ref = message.stream.ref
  message.shown = source
  message.unstreamed = ''
  message.openedAt = clock()
}

async function append(message: GrowingMessage, stream: AnswerStream, delivery: AnswerDelivery): Promise<void> {
  const { adapter, clock, pause } = delivery
  const { source, unstreamed } = message
  message.unstreamed = ''
  try {
    await stream.append(unstreamed)
    message.shown = source
    const isExpired = clock() - message.openedAt > (adapter.limits.stream?.lifetimeMs ?? Infinity)
    if (isExpired && !pause.isOver) await endStream(message, delivery)
  } catch (error) {
    if (!isStreamClosed(error)) throw error
    // The service ended the stream: the same message goes on by edits.
    delete message.stream
    return grow(message, delivery)
  }
}

/** @param last what the message shows at its end; default: its text */
export async function endStream(
  message: GrowingMessage,
  { sender }: AnswerDelivery,
  last: Content = contentOf(message),
): Promise<void> {
  const { stream } = message
  if (stream === undefined) return
  delete message.stream
  try {
    await stream.finish(sender.outgoing(message.slot, last))
    message.shown = last.text
  } catch (error) {
    if (!isStreamClosed(error)) throw error
    message.shown = ''
  }
}

/** Makes the message show exactly this. */
export async function conclude(message: GrowingMessage, delivery: AnswerDelivery, last: Content): Promise<MessageRef> {
  const { text } = last
  if (message.stream && text.startsWith(message.shown)) {
    await endStream(message, delivery, last)
    message.hasEnding = message.shown === text
  } else await endStream(message, delivery, { kind: last.kind, text: message.shown })
  const isPlain = (last.references ?? []).length === 0 && last.actions === undefined && last.note === undefined
  const isShown = message.shown === text && !message.hasGrowing && (isPlain || message.hasEnding)
  message.ref = (isShown ? message.ref : undefined) ?? (await showAgain(message, delivery, last))
  message.shown = text
  message.hasGrowing = false
  return message.ref
}

/** A message that somebody deleted, or that can't be edited since its thread was closed, is replaced: a new one opens the thread. */
async function showAgain({ slot }: GrowingMessage, { sender }: AnswerDelivery, last: Content): Promise<MessageRef> {
  try {
    return await sender.show(slot, last)
  } catch (error) {
    if (!(error instanceof AdapterError) || (error.code !== 'not-found' && !isClosed(error))) throw error
    await sender.remove(slot)
    return sender.show(slot, last)
  }
}
