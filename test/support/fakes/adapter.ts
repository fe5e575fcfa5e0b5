import { AdapterError } from '#bridge/port/errors.ts'
import type { Adapter, AnswerStream, Limits } from '#bridge/port/adapter.ts'
import type { ConversationRef, Message, MessageRef, Outgoing } from '#bridge/port/message.ts'
import { createFakeChat, sameConversation, type FakeChat, type FakeWire, type Shown } from './chat.ts'

const OPTIONAL = ['edit', 'stream', 'upload', 'messageAt', 'mark', 'people', 'app'] as const
export type OptionalMember = (typeof OPTIONAL)[number]

export interface FakeAdapterOptions {
  /** Default `fake`; also the name in every conversation of a chat made here. */
  readonly name?: string
  /** The chat to connect to, when it outlives this adapter. */
  readonly chat?: FakeChat
  /** Capabilities that this service lacks. */
  readonly without?: readonly OptionalMember[]
  /** Default: 2,000 UTF-16 units a message, 11,000 a stream, edits at any pace. */
  readonly limits?: Partial<Limits>
}

export type FakeAdapter = Adapter & { readonly chat: FakeChat }

const LIMITS: Limits = {
  textLength: 2000,
  measure: (markdown) => markdown.length,
  editIntervalMs: 0,
  stream: { textLength: 11_000, lifetimeMs: 300_000 },
}

/** An adapter in memory: keeps the whole port, idempotent by `sendId`, and fails as its chat is told to. */
export function createFakeAdapter(options: FakeAdapterOptions = {}): FakeAdapter {
  const name = options.name ?? 'fake'
  const chat = options.chat ?? createFakeChat(name)
  const limits = { ...LIMITS, ...options.limits }
  const has = OPTIONAL.filter((member) => options.without?.includes(member) !== true)
  const optional = optionalMembers(name, chat.wire, limits)
  return {
    ...connection(name, chat.wire, limits),
    ...lookUps(chat.wire),
    ...Object.fromEntries(has.map((member) => [member, optional[member]])),
    chat,
  }
}

function refuseLong(text: string, limits: Limits): void {
  const length = limits.measure(text)
  if (length > limits.textLength) {
    throw new AdapterError('too-long', `The text has ${length} units; ${limits.textLength} are allowed.`)
  }
}

/** Makes the message, or finds the one that this send has made before. */
function show(wire: FakeWire, conversation: ConversationRef, outgoing: Outgoing, finished: boolean): MessageRef {
  const id = wire.sends.get(outgoing.sendId) ?? wire.nextId()
  if (!wire.sends.has(outgoing.sendId)) {
    wire.sends.set(outgoing.sendId, id)
    wire.shown.set(id, { id, conversation, text: outgoing.text, outgoing, finished })
    wire.record({ verb: finished ? 'post' : 'stream', id, conversation, text: outgoing.text, outgoing })
  }
  return { conversation, id }
}

/** The members that send, and the connection. */
function connection(name: string, wire: FakeWire, limits: Limits) {
  let disconnect: (() => void) | undefined
  const underWay = new Set<Promise<unknown>>()
  return {
    name,
    limits,
    isConnected: () => disconnect !== undefined,
    async start(receive, suggest = () => Promise.resolve([])) {
      await wire.call('start', () => {
        disconnect = wire.connect(receive, suggest)
      })
    },
    async stop() {
      disconnect?.()
      disconnect = undefined
      await Promise.allSettled(underWay)
    },
    async post(conversation, outgoing) {
      refuseLong(outgoing.text, limits)
      const call = wire.call('post', () => show(wire, conversation, outgoing, true))
      underWay.add(call)
      return call.finally(() => underWay.delete(call))
    },
    async open(attachment, signal) {
      signal.throwIfAborted()
      const [scheme, id] = attachment.locator.split(':')
      if (scheme !== 'fake-file') {
        throw new AdapterError('invalid', `${attachment.name} is not kept by this service; drop it here again.`)
      }
      return wire.call('open', () => {
        const file = wire.files.get(id ?? '')
        if (file === undefined) throw new AdapterError('not-found', `${attachment.name} is gone; drop it again.`)
        return new Blob([Uint8Array.from(file.bytes)]).stream()
      })
    },
    async remove({ id, conversation }) {
      await wire.call('remove', () => {
        if (wire.shown.delete(id)) wire.record({ verb: 'remove', id, conversation, text: '' })
      })
    },
    async status(conversation, text, signal) {
      if (signal.aborted) return
      const line = { id: '', conversation, text }
      wire.record({ verb: 'status', ...line })
      signal.addEventListener('abort', () => wire.record({ verb: 'status-end', ...line }), { once: true })
    },
  } satisfies Partial<Adapter>
}

function lookUps(wire: FakeWire) {
  return {
    async find(conversation, { sendId, known }) {
      return wire.call('find', () => {
        const id = wire.sends.get(sendId)
        return id === undefined || known.includes(id) || !wire.shown.has(id) ? undefined : { conversation, id }
      })
    },
    async history(conversation, before) {
      return wire.call('history', () => {
        const all: Message[] = [...wire.messages.values()].filter((each) =>
          sameConversation(each.conversation, conversation),
        )
        const end = all.findIndex((each) => each.id === before)
        return end === -1 ? all : all.slice(0, end)
      })
    },
    async permalink({ conversation, id }) {
      return `https://chat.example/${conversation.channel}/${id}`
    },
    async read({ id }) {
      return wire.call('read', () => wire.messages.get(id))
    },
    async isMember(conversation, personId) {
      return wire.call('isMember', () => {
        const { members } = wire.room(conversation.channel)
        return members === undefined || members.includes(personId)
      })
    },
    async isAdmin(conversation, personId) {
      return wire.call('isAdmin', () => wire.room(conversation.channel).admins?.includes(personId) ?? false)
    },
    async describeChannel(conversation) {
      return wire.call('describeChannel', () => {
        const { name = conversation.channel, isPublic = true, isShared } = wire.room(conversation.channel)
        return { name, isPublic, isShared }
      })
    },
  } satisfies Partial<Adapter>
}

function shownOf(wire: FakeWire, ref: MessageRef): Shown {
  const shown = wire.shown.get(ref.id)
  if (shown === undefined) throw new AdapterError('not-found', 'The message is gone; post a new one.')
  return shown
}

function optionalMembers(name: string, wire: FakeWire, limits: Limits): Required<Pick<Adapter, OptionalMember>> {
  return {
    async edit(ref, outgoing) {
      refuseLong(outgoing.text, limits)
      await wire.call('edit', () => {
        const { id, conversation } = shownOf(wire, ref)
        wire.shown.set(id, { id, conversation, text: outgoing.text, outgoing, finished: true })
        wire.record({ verb: 'edit', id, conversation, text: outgoing.text, outgoing })
      })
    },
    async stream(conversation, first) {
      refuseLong(first.text, limits)
      const ref = await wire.call('stream', () => show(wire, conversation, first, false))
      return answerStream(wire, limits, ref)
    },
    async upload(conversation, file, outgoing) {
      refuseLong(outgoing.text, limits)
      const bytes = new Uint8Array(await file.bytes.arrayBuffer())
      return wire.call('upload', () => {
        const ref = show(wire, conversation, outgoing, true)
        wire.uploads.set(ref.id, { name: file.name, bytes, mimeType: file.mimeType })
        return ref
      })
    },
    async messageAt(url) {
      const [, channel = '', id = '', file] =
        /^https:\/\/chat\.example\/([^/]+)\/([^/]+)(?:\/([^/]+))?$/.exec(url) ?? []
      const conversation = (wire.shown.get(id) ?? wire.messages.get(id))?.conversation
      return conversation?.channel === channel
        ? { conversation, id, file: file && decodeURIComponent(file) }
        : undefined
    },
    async mark({ id }, mark, isSet) {
      wire.marks.push({ id, mark, isSet })
    },
    people: {
      workspaceKind: 'company',
      async kindOf(_, personId) {
        return wire.call('kindOf', () => wire.kinds.get(personId) ?? 'member')
      },
      describe: async () => undefined,
    },
    app: {
      async showCards(message, cards) {
        wire.cards.set(message.id, cards)
      },
      async showDetails(_, ticket, details) {
        wire.details.set(ticket, details)
      },
      showOverview: async () => {},
      async channelsOf(workspace, personId) {
        const theirs = [...wire.rooms].filter(([, { members }]) => members?.includes(personId) !== false)
        return theirs.map(([channel, { name: label = channel }]) => ({
          name: label,
          conversation: { adapter: name, workspace, channel, direct: false },
        }))
      },
      isInstalled: async () => false,
    },
  }
}

/** A stream appends and never rewrites; two calls at once are a fault of the caller, and told so. */
function answerStream(wire: FakeWire, limits: Limits, ref: MessageRef): AnswerStream {
  let busy = false
  const alone = async (call: 'append' | 'finish', carryOut: () => void) => {
    if (busy) throw new Error('Calls to a stream are made one after the other: await the last one first.')
    busy = true
    try {
      await wire.call(call, carryOut)
    } finally {
      busy = false
    }
  }
  const grow = (delta: string) => {
    const shown = shownOf(wire, ref)
    if (shown.finished) throw new AdapterError('stream-closed', 'The stream is over; post a new message.')
    const text = shown.text + delta
    if (limits.measure(text) > (limits.stream?.textLength ?? limits.textLength)) {
      throw new AdapterError('stream-closed', 'The streamed message is full; go on in a new message.')
    }
    wire.shown.set(ref.id, { ...shown, text })
    return text
  }
  return {
    ref,
    append: (delta) =>
      alone('append', () => {
        grow(delta)
        wire.record({ verb: 'append', ...ref, text: delta })
      }),
    finish: (last) =>
      alone('finish', () => {
        const { text: before } = shownOf(wire, ref)
        const text = grow(last.text.startsWith(before) ? last.text.slice(before.length) : '')
        wire.shown.set(ref.id, { ...shownOf(wire, ref), text, outgoing: last, finished: true })
        wire.record({ verb: 'finish', ...ref, text, outgoing: last })
      }),
  }
}
