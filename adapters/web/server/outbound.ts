import { randomUUID } from 'node:crypto'
import type { AnswerStream, SentFile } from '#bridge/port/adapter.ts'
import { AdapterError } from '#bridge/port/errors.ts'
import type { ConversationRef, MessageRef, Outgoing } from '#bridge/port/message.ts'
import type { Clock } from '#bridge/port/platform.ts'
import type { EventHub, Statuses } from './live-events.ts'
import { kindOfUpload } from '#adapters/shared/files.ts'
import { DIRECT, OWN_ID, OWN_NAME, PERSON_ID, placeOnPage } from './inbound.ts'
import type { WebMessage } from '../protocol.ts'
import type { MessageBody, NewMessage, StoredMessage } from './store/messages.ts'
import type { WebStore } from './store/store.ts'

export const TEXT_LENGTH = 1_000_000

export interface Outbound {
  post(conversation: ConversationRef, outgoing: Outgoing): Promise<MessageRef>
  edit(ref: MessageRef, outgoing: Outgoing): Promise<void>
  /** With a file to download. */
  upload(conversation: ConversationRef, file: SentFile, outgoing: Outgoing): Promise<MessageRef>
  remove(ref: MessageRef): Promise<void>
  stream(conversation: ConversationRef, first: Outgoing): Promise<AnswerStream>
  find(conversation: ConversationRef, sendId: string): Promise<MessageRef | undefined>
}

export interface OutboundServices {
  readonly store: WebStore
  readonly hub: EventHub
  readonly streamingTexts: StreamingTexts
  readonly statuses: Statuses
  readonly clock: Clock
  /** Throws after a stop: a late caller learns that its call was not carried out. */
  readonly assertRunning: () => void
}

/** Messages of the bridge: stores the row first, then publishes the event to the browsers. */
export function createOutbound(parts: OutboundServices): Outbound {
  const { store, hub, streamingTexts, statuses, assertRunning } = parts
  const { messages } = store
  const rows = createOwnRows(parts)
  const { announce, insert, change, own } = rows
  return {
    async post(conversation, outgoing) {
      assertRunning()
      refuseTooLong(outgoing.text)
      statuses.clear(conversation)
      const sent = await messages.bySendId(outgoing.sendId)
      if (sent) return { conversation, id: sent.id }
      const id = await insert(conversation, outgoing, false)
      await announce(id)
      return { conversation, id }
    },
    async edit(ref, outgoing) {
      assertRunning()
      refuseTooLong(outgoing.text)
      await change((await own(ref)).id, outgoing, false)
      await announce(ref.id)
    },
    async upload(conversation, { name, mimeType, bytes }, outgoing) {
      assertRunning()
      refuseTooLong(outgoing.text)
      const sent = await messages.bySendId(outgoing.sendId)
      if (sent) return { conversation, id: sent.id }
      const fileId = randomUUID()
      const file = { id: fileId, name, mimeType, kind: kindOfUpload(name, mimeType) }
      await store.uploads.write(file, bytes.stream(), Number.MAX_SAFE_INTEGER)
      assertRunning()
      statuses.clear(conversation)
      const id = await insert(conversation, outgoing, false, [fileId])
      await announce(id)
      return { conversation, id }
    },
    async remove(ref) {
      assertRunning()
      const message = await messages.get(ref.id)
      if (!message?.ours) return
      streamingTexts.end(message.id)
      await messages.remove(message.id)
      hub.publish({ type: 'removed', channel: message.channel, id: message.id })
      await announceChat(parts, message.channel)
    },
    stream: (conversation, first) => startStream(parts, rows, conversation, first),
    async find(conversation, sendId) {
      assertRunning()
      const sent = await messages.bySendId(sendId)
      return sent?.channel === placeOnPage(conversation).channel ? { conversation, id: sent.id } : undefined
    },
  }
}

const gone = () => new AdapterError('not-found', 'This channel or chat is not on the page any more.')

/** A chat moves to the top of the list, and its first message gives its title. */
export async function announceChat({ store, hub }: Pick<OutboundServices, 'store' | 'hub'>, id: string): Promise<void> {
  const channel = await store.channels.get(id)
  if (channel?.direct) hub.publish({ type: 'channel', channel })
}

/** Stores our own messages and publishes them to the browsers. */
// oxlint-disable-next-line max-lines-per-function -- a factory: it only returns methods
function createOwnRows({ store, hub, streamingTexts, clock }: OutboundServices) {
  const { messages } = store
  /** Messages that belong to no chat go to the first one. If it was removed, it comes back, except for a reply to a removed message. */
  const beginAnew = async ({ replyTo }: Outgoing) => {
    const answered = replyTo ? await messages.get(replyTo) : undefined
    const isThere = answered !== undefined && (await store.channels.get(answered.channel)) !== undefined
    if (replyTo && !isThere) throw gone()
    await store.channels.revive(DIRECT)
  }
  return {
    announce: async (id: string): Promise<void> => {
      const message = await messages.get(id)
      if (message) hub.publish({ type: 'message', message: toPage(message, streamingTexts) })
    },
    insert: async (
      conversation: ConversationRef,
      outgoing: Outgoing,
      streaming: boolean,
      files?: readonly string[],
    ): Promise<string> => {
      const { channel, thread } = placeOnPage(conversation)
      if (channel === DIRECT && !(await store.channels.get(DIRECT))) await beginAnew(outgoing)
      const place = await store.channels.get(channel)
      if (!place) throw gone()
      const id = `f${randomUUID()}`
      const message: NewMessage = {
        id,
        channel,
        thread,
        ours: true,
        authorId: OWN_ID,
        authorName: OWN_NAME,
        kind: outgoing.kind,
        text: outgoing.text,
        body: toBody(outgoing),
        sendId: outgoing.sendId,
        streaming,
        accepted: true,
        sentAt: clock(),
      }
      await messages.insert(message, files)
      // The channel was removed meanwhile: its removal did not see this message.
      if (!(await store.channels.get(channel))) {
        await messages.remove(id)
        throw gone()
      }
      // Footbridge speaks first: the chat is in the list, too.
      if (place.direct && place.name === '') {
        await store.channels.useChat(channel)
        await announceChat({ store, hub }, channel)
      }
      return id
    },
    change: async (id: string, outgoing: Outgoing, streaming: boolean): Promise<void> => {
      streamingTexts.end(id)
      await messages.change(id, { text: outgoing.text, kind: outgoing.kind, body: toBody(outgoing), streaming })
    },
    /** @throws {AdapterError} `not-found`. */
    own: async (ref: MessageRef): Promise<StoredMessage> => {
      const message = await messages.get(ref.id)
      if (message?.ours) return message
      throw new AdapterError('not-found', 'The message is not on the page any more; send a new one.')
    },
  }
}

async function startStream(
  { store, hub, streamingTexts, statuses, assertRunning }: OutboundServices,
  { announce, insert, change, own }: ReturnType<typeof createOwnRows>,
  conversation: ConversationRef,
  first: Outgoing,
): Promise<AnswerStream> {
  assertRunning()
  refuseTooLong(first.text)
  statuses.clear(conversation)
  // The same send after a restart overwrites the same message.
  const sent = await store.messages.bySendId(first.sendId)
  if (sent) await change(sent.id, first, true)
  const id = sent?.id ?? (await insert(conversation, first, true))
  streamingTexts.start(id, first.text)
  await announce(id)
  return {
    ref: { conversation, id },
    async append(delta) {
      assertRunning()
      if (delta === '') return
      const at = streamingTexts.append(id, delta)
      if (at === undefined) {
        throw new AdapterError('stream-closed', 'This answer was ended before; edit the message instead.')
      }
      hub.publish({ type: 'delta', channel: placeOnPage(conversation).channel, id, at, text: delta })
    },
    async finish(last) {
      assertRunning()
      refuseTooLong(last.text)
      await change((await own({ conversation, id })).id, last, false)
      await announce(id)
    },
  }
}

/** The page's view of a row, with the current streamed text. */
export function toPage(message: StoredMessage, streamingTexts: StreamingTexts): WebMessage {
  const { authorId: _authorId, language: _language, timeZone: _timeZone, ...seen } = message
  return { ...seen, text: streamingTexts.of(message.id) ?? message.text }
}

function toBody({ references, isUnsure, model, receipt, actions, replyTo, privateTo, notify }: Outgoing): MessageBody {
  return {
    references,
    isUnsure,
    model,
    receipt,
    actions,
    replyTo,
    private: privateTo === PERSON_ID || undefined,
    notifies: notify?.includes(PERSON_ID) || undefined,
  }
}

function refuseTooLong(text: string): void {
  if (text.length > TEXT_LENGTH) {
    throw new AdapterError(
      'too-long',
      `The page shows at most ${TEXT_LENGTH} characters in one message; split the text.`,
    )
  }
}

/** Save interval of streamed text; after a crash the bridge completes the message. */
const SAVE_EVERY_MS = 250

/** The text of streaming messages: in memory at once, on disk a moment later. */
export interface StreamingTexts {
  start(id: string, text: string): void
  /** Length of the text before this piece; undefined when the message does not grow. */
  append(id: string, piece: string): number | undefined
  of(id: string): string | undefined
  end(id: string): void
  /** Saves all unsaved text. */
  flush(): Promise<void>
}

export function createStreamingTexts(save: (id: string, text: string) => Promise<void>): StreamingTexts {
  const texts = new Map<string, string>()
  const unsaved = new Set<string>()
  let timer: NodeJS.Timeout | undefined

  const flush = async () => {
    clearTimeout(timer)
    timer = undefined
    const ids = [...unsaved]
    unsaved.clear()
    for (const id of ids) {
      const text = texts.get(id)
      if (text !== undefined) await save(id, text)
    }
  }
  return {
    start: (id, text) => void texts.set(id, text),
    append(id, piece) {
      const before = texts.get(id)
      if (before === undefined) return undefined
      texts.set(id, before + piece)
      unsaved.add(id)
      timer ??= setTimeout(() => void flush().catch(() => undefined), SAVE_EVERY_MS).unref()
      return before.length
    },
    of: (id) => texts.get(id),
    end(id) {
      texts.delete(id)
      unsaved.delete(id)
    },
    flush,
  }
}
