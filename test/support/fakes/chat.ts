/**
 * A chat service in memory: the acts of people in it, their views, and its failures. It outlives the adapters that
 * connect to it, so a restart of Footbridge is a second `createFakeAdapter({ chat })` on the same chat.
 */
import { channelKey } from '#bridge/port/keys.ts'
import type { Author, PersonKind } from '#bridge/port/author.ts'
import type {
  Attachment,
  AttachmentKind,
  CommandCall,
  ConversationRef,
  Inbound,
  InboundOf,
  Message,
  Outgoing,
} from '#bridge/port/message.ts'
import type { Card, Details } from '#bridge/port/forms.ts'
import type { Receive, Suggest } from '#bridge/port/adapter.ts'

/** A mark that was told about a message or its thread. */
export interface Mark {
  readonly id: string
  readonly mark: 'seen' | 'solved' | 'asked'
  readonly isSet: boolean
}

/** A message of Footbridge as a person sees it now. */
export interface Shown {
  readonly id: string
  readonly conversation: ConversationRef
  /** The text as shown last; of a streamed message, everything that was appended. */
  readonly text: string
  readonly outgoing: Outgoing
  /** False while a native stream is under way. */
  readonly finished: boolean
}

/** One call that changed what is seen, in order. */
export interface TranscriptLine {
  readonly verb: 'post' | 'edit' | 'remove' | 'stream' | 'append' | 'finish' | 'status' | 'status-end'
  readonly id: string
  readonly conversation: ConversationRef
  readonly text: string
  readonly outgoing?: Outgoing
}

/** Something a person did. */
export interface Said {
  /** Id of the message in the chat service. */
  readonly id: string
  readonly inbound: Inbound
  /** Settles as `receive` does; a rejection reaches only those who await it. */
  readonly taken: Promise<void>
  acknowledged(): boolean
}

export interface FakeFile {
  /** The service's own transcript of a recording. */
  readonly captions?: string
  readonly name: string
  readonly bytes: Uint8Array
  readonly mimeType?: string
  readonly kind?: AttachmentKind
  readonly durationMs?: number
  /** The client made it of a long text. */
  readonly isPaste?: true
  /** Default: a new one. The same id again is the same file, shared once more. */
  readonly id?: string
}

export interface SayOptions {
  /** Default `C1`; of a direct message `D-<author>`. */
  readonly channel?: string
  readonly thread?: string
  readonly author?: Author
  readonly files?: readonly FakeFile[]
  readonly addressed?: boolean
  readonly mentionsOthers?: boolean
  readonly replyTo?: string
  readonly isAmongPeople?: boolean
  /** Sent while Footbridge was away, too long ago. */
  readonly missed?: true
  /** People whom the text mentions. */
  readonly mentions?: readonly Author[]
  /** Messages that the text links to. */
  readonly linked?: readonly Said[]
  /** Ids of channels that the text names. */
  readonly channels?: readonly string[]
  /** The poorer account of a message whose fuller twin follows under the same key. */
  readonly provisional?: boolean
  /** Default: the next one. The same id again is the same message. */
  readonly id?: string
}

export interface CallOptions extends Pick<SayOptions, 'channel' | 'thread' | 'author' | 'files'> {
  readonly shared?: boolean
  readonly direct?: boolean
  /** A message on which the command is called. */
  readonly target?: Said
  /** Id of the channel that the argument names. */
  readonly of?: string
}

export type FakeCall =
  | 'start'
  | 'post'
  | 'edit'
  | 'remove'
  | 'stream'
  | 'append'
  | 'finish'
  | 'find'
  | 'history'
  | 'open'
  | 'read'
  | 'isMember'
  | 'isAdmin'
  | 'describeChannel'
  | 'kindOf'
  | 'upload'

/** A channel as the service knows it. */
export interface FakeRoom {
  /** Default: its id. */
  readonly name?: string
  /** Default `W1`. */
  readonly workspace?: string
  /** Default true. */
  readonly isPublic?: boolean
  /** Default false. */
  readonly isShared?: boolean
  /** Ids of people; absent: everybody. */
  readonly members?: readonly string[]
  /** Default: nobody. */
  readonly admins?: readonly string[]
}

export interface FakeChat {
  /** A message that nobody addressed to us. */
  say(text: string, options?: SayOptions): Said
  mention(text: string, options?: SayOptions): Said
  direct(text: string, options?: SayOptions): Said
  drop(files: readonly FakeFile[], options?: SayOptions & { readonly text?: string }): Said
  /** @param options.captions what the service wrote down of it */
  voice(bytes: Uint8Array, options?: SayOptions & { readonly durationMs?: number; readonly captions?: string }): Said
  rewrite(said: Said, text: string): Said
  unsay(said: Said): Said
  /** Takes a file out of a message that stays. */
  detach(said: Said, file: string): Said
  /** Deletes a file wherever it was shared; the messages stay. */
  deleteFile(id: string, workspace?: string): Said
  /** Presses the button with this label. @throws when the message does not show it. */
  press(messageId: string, label: string, author?: Author, text?: string): Said
  /** Marks a message, theirs or ours, with 📌. */
  pin(messageId: string, author?: Author): Said
  /** Calls a slash command, or a command on a message (`target`). */
  call(name: CommandCall['name'], argument?: string, options?: CallOptions): Said
  /** Completes what somebody types as the argument of a command. */
  suggest: Suggest
  /** Changes what the service knows of a channel. */
  room(channel: string, room: FakeRoom): void
  /** Files that we handed out, by the message that holds them. */
  readonly uploads: ReadonlyMap<string, FakeFile>
  stop(conversation: ConversationRef, author?: Author): Said
  /** The service tells the same event once more. */
  redeliver(said: Said): Said
  /** The messages of a conversation now, or of all. */
  visible(conversation?: ConversationRef): readonly Shown[]
  readonly transcript: readonly TranscriptLine[]
  /** The next `times` (default 1) calls fail; `after`: each is carried out, and only its answer is lost. */
  fail(call: FakeCall, error: Error, options?: { readonly times?: number; readonly after?: boolean }): void
  /** Calls wait until the returned function is called. */
  hold(call: FakeCall): () => void
  /** How often bytes of a file were asked for. */
  downloads(): number
  /** For the adapter. */
  readonly wire: FakeWire
  /** Cards under messages of people, by the message. */
  readonly cards: ReadonlyMap<string, readonly Card[]>
  /** Marks of messages and of their threads, in order. */
  readonly marks: readonly Mark[]
  /** Somebody opens the card of this address; gives what they see then. */
  openCard(
    conversation: ConversationRef,
    url: string,
    author?: Author,
    reference?: InboundOf<'details'>['reference'],
  ): () => Details | undefined
  /** A message of somebody has links. */
  link(said: Said, ...urls: readonly string[]): Said
  /** Kinds of people; default: members. */
  readonly kinds: Map<string, PersonKind>
}

/** The adapter's side of the chat. */
export interface FakeWire {
  /** Runs one call as the script wants it: held, failed before, or failed after it was carried out. */
  call<T>(call: FakeCall, carryOut: () => T): Promise<T>
  connect(receive: Receive, suggest: Suggest): () => void
  nextId(): string
  readonly shown: Map<string, Shown>
  /** sendId → message id. */
  readonly sends: Map<string, string>
  readonly files: ReadonlyMap<string, FakeFile>
  readonly messages: ReadonlyMap<string, Message>
  readonly uploads: Map<string, FakeFile>
  room(channel: string): FakeRoom
  readonly rooms: ReadonlyMap<string, FakeRoom>
  readonly cards: Map<string, readonly Card[]>
  readonly marks: Mark[]
  readonly details: Map<string, Details>
  readonly kinds: Map<string, PersonKind>
  record(line: TranscriptLine): void
}

export const ANNA: Author = Object.freeze({ id: 'U1', name: 'Anna', language: 'en' })

/** True when both are the same channel and the same thread. */
export function sameConversation(a: ConversationRef, b: ConversationRef): boolean {
  return channelKey(a) === channelKey(b) && a.thread === b.thread
}

interface Fault {
  readonly error: Error
  readonly after: boolean
}

const noSuggestions: Suggest = () => Promise.resolve([])

function createWire(): FakeWire &
  Pick<FakeChat, 'fail' | 'hold'> & { receivers: Set<Receive> } & {
    files: Map<string, FakeFile>
    messages: Map<string, Message>
    lines: TranscriptLine[]
    rooms: Map<string, FakeRoom>
    suggest(): Suggest
  } {
  const faults = new Map<FakeCall, Fault[]>()
  const holds = new Map<FakeCall, Promise<void>>()
  const receivers = new Set<Receive>()
  const lines: TranscriptLine[] = []
  const rooms = new Map<string, FakeRoom>()
  let last = 0
  let suggestions = noSuggestions
  return {
    rooms,
    kinds: new Map(),
    cards: new Map(),
    marks: [],
    details: new Map(),
    room: (channel) => rooms.get(channel) ?? {},
    uploads: new Map(),
    receivers,
    lines,
    shown: new Map(),
    sends: new Map(),
    files: new Map(),
    messages: new Map(),
    nextId: () => `m${++last}`,
    record: (line) => void lines.push(line),
    suggest: () => suggestions,
    connect(receive, suggest) {
      receivers.add(receive)
      suggestions = suggest
      return () => void receivers.delete(receive)
    },
    fail(call, error, { times = 1, after = false } = {}) {
      faults.set(call, [...(faults.get(call) ?? []), ...Array.from({ length: times }, () => ({ error, after }))])
    },
    hold(call) {
      const { promise, resolve } = Promise.withResolvers<void>()
      holds.set(call, promise)
      return () => {
        if (holds.get(call) === promise) holds.delete(call)
        resolve()
      }
    },
    async call(call, carryOut) {
      // Every call really leaves the caller's turn, as one over a socket does.
      await Promise.resolve()
      await holds.get(call)
      const fault = faults.get(call)?.shift()
      if (fault !== undefined && !fault.after) throw fault.error
      const result = carryOut()
      if (fault !== undefined) throw fault.error
      return result
    },
  }
}

/** Opens an empty chat. */
export function createFakeChat(name = 'fake'): FakeChat {
  const wire = createWire()
  let downloads = 0
  let lastFile = 0
  let lastKey = 0

  const deliver = (inbound: Inbound, id: string): Said => {
    let acknowledged = false
    const tellAll = async () => {
      const all = await Promise.all([...wire.receivers].map((receive) => receive(structuredClone(inbound))))
      acknowledged = all.length > 0
    }
    const taken = tellAll()
    taken.catch(() => undefined)
    return { id, inbound, taken, acknowledged: () => acknowledged }
  }
  const attachCaptions = (captions: string): string => {
    const id = `F${++lastFile}`
    wire.files.set(id, { name: 'captions.vtt', bytes: new TextEncoder().encode(captions) })
    return `fake-file:${id}`
  }
  const attach = (file: FakeFile): Attachment => {
    const id = file.id ?? `F${++lastFile}`
    wire.files.set(id, file)
    return {
      id,
      name: file.name,
      mimeType: file.mimeType ?? 'application/octet-stream',
      kind: file.kind ?? 'document',
      sizeBytes: file.bytes.byteLength,
      ...(file.durationMs === undefined ? {} : { durationMs: file.durationMs }),
      locator: `fake-file:${id}`,
      ...(file.isPaste === true ? { isPaste: true as const } : {}),
      ...(file.captions === undefined ? {} : { captions: attachCaptions(file.captions) }),
    }
  }
  const compose = (text: string, direct: boolean, options: SayOptions): Message => {
    const author = options.author ?? ANNA
    const id = options.id ?? wire.nextId()
    return {
      id,
      conversation: {
        adapter: name,
        workspace: direct ? '@me' : 'W1',
        channel: options.channel ?? (direct ? `D-${author.id}` : 'C1'),
        ...(options.thread === undefined ? {} : { thread: options.thread }),
        direct,
      },
      author,
      text,
      addressed: options.addressed ?? direct,
      mentionsOthers: options.mentionsOthers ?? false,
      ...(options.replyTo === undefined ? {} : { replyTo: options.replyTo }),
      ...(options.isAmongPeople === undefined ? {} : { isAmongPeople: options.isAmongPeople }),
      ...(options.missed === undefined ? {} : { missed: options.missed }),
      ...(options.mentions === undefined
        ? {}
        : { mentions: options.mentions.map(({ id: person, name: called }) => ({ id: person, name: called })) }),
      attachments: (options.files ?? []).map(attach),
      ...(options.linked === undefined
        ? {}
        : { linked: options.linked.map((said) => ({ conversation: messageOf(said).conversation, id: said.id })) }),
      ...(options.channels === undefined
        ? {}
        : {
            channels: options.channels.map((channel) => ({
              name: wire.room(channel).name ?? channel,
              conversation: { adapter: name, workspace: wire.room(channel).workspace ?? 'W1', channel, direct: false },
            })),
          }),
      sentAt: new Date(Date.UTC(2026, 0, 1) + Number(id.replace(/\D/g, '')) * 1000).toISOString(),
    }
  }
  const tell = (text: string, direct: boolean, options: SayOptions): Said => {
    const message = compose(text, direct, options)
    wire.messages.set(message.id, message)
    const key = `${name}:${channelKey(message.conversation)}:${message.id}`
    return deliver(
      { kind: 'message', key, message, ...(options.provisional === true ? { provisional: true } : {}) },
      message.id,
    )
  }
  const messageOf = (said: Said): Message => {
    const message = wire.messages.get(said.id)
    if (message === undefined) throw new Error(`${said.id} was not said in this chat.`)
    return message
  }

  return {
    say: (text, options = {}) => tell(text, false, options),
    mention: (text, options = {}) => tell(text, false, { addressed: true, ...options }),
    direct: (text, options = {}) => tell(text, true, options),
    drop: (files, { text = '', ...options } = {}) => tell(text, false, { ...options, files }),
    voice: (bytes, { durationMs = 2000, captions, ...options } = {}) =>
      tell('', false, {
        addressed: true,
        ...options,
        files: [{ name: 'voice-message.ogg', bytes, mimeType: 'audio/ogg', kind: 'voice', durationMs, captions }],
      }),
    rewrite(said, text) {
      const message = { ...messageOf(said), text }
      wire.messages.set(said.id, message)
      return deliver({ kind: 'edit', key: `${name}:edit:${said.id}:${++lastKey}`, message }, said.id)
    },
    unsay(said) {
      const { conversation } = messageOf(said)
      wire.messages.delete(said.id)
      return deliver({ kind: 'delete', key: `${name}:delete:${said.id}`, conversation, messageId: said.id }, said.id)
    },
    detach(said, file) {
      const before = messageOf(said)
      const message = { ...before, attachments: before.attachments.filter(({ name: it }) => it !== file) }
      wire.messages.set(said.id, message)
      const left = message.attachments.map(({ id }) => id)
      const key = `${name}:files:${said.id}:${left.join(',')}`
      const { conversation } = message
      return deliver({ kind: 'files-left', key, conversation, messageId: said.id, left }, said.id)
    },
    deleteFile(id, workspace = 'W1') {
      wire.files.delete(id)
      return deliver(
        { kind: 'file-gone', key: `${name}:file-gone:${id}`, adapter: name, workspace, attachmentId: id },
        '',
      )
    },
    press(messageId, label, author = ANNA, text) {
      const shown = wire.shown.get(messageId)
      const action = shown?.outgoing.actions?.find((each) => each.label === label)
      if (shown === undefined || action === undefined) throw new Error(`${messageId} shows no button "${label}".`)
      const key = `${name}:action:${++lastKey}`
      const { conversation } = shown
      const { id, value } = action
      return deliver(
        {
          kind: 'action',
          key,
          conversation,
          author,
          messageId,
          isPrivate: shown.outgoing.privateTo !== undefined,
          action: { id, value, ...(text === undefined ? {} : { text }) },
        },
        messageId,
      )
    },
    pin(messageId, author = ANNA) {
      const conversation = wire.shown.get(messageId)?.conversation ?? wire.messages.get(messageId)?.conversation
      if (conversation === undefined) throw new Error(`${messageId} is not in this chat.`)
      return deliver({ kind: 'pin', key: `${name}:pin:${++lastKey}`, conversation, author, messageId }, messageId)
    },
    call(command, argument = '', { shared, direct = false, target, of, ...options } = {}) {
      const { conversation, author, id, sentAt, attachments } = compose('', direct, options)
      const named = of === undefined ? undefined : { name: wire.room(of).name ?? of, channel: of }
      return deliver(
        {
          kind: 'command',
          key: `${name}:command:${id}`,
          conversation,
          author,
          messageId: id,
          ticket: `ticket:${id}`,
          sentAt,
          command: {
            name: command,
            argument,
            shared,
            attachments,
            target: target && messageOf(target),
            channel: named && {
              name: named.name,
              conversation: { adapter: name, workspace: 'W1', channel: named.channel, direct: false },
            },
          },
        },
        id,
      )
    },
    suggest: (asked) => wire.suggest()(asked),
    room: (channel, room) => void wire.rooms.set(channel, room),
    uploads: wire.uploads,
    kinds: wire.kinds,
    cards: wire.cards,
    marks: wire.marks,
    stop: (conversation, author = ANNA) =>
      deliver({ kind: 'stop', key: `${name}:stop:${++lastKey}`, conversation, author }, ''),
    link(said, ...urls) {
      const { id: messageId, conversation, author } = messageOf(said)
      return deliver(
        { kind: 'links', key: `${name}:links:${++lastKey}`, conversation, author, messageId, urls },
        said.id,
      )
    },
    openCard(conversation, url, author = ANNA, reference) {
      const ticket = `ticket-${++lastKey}`
      void deliver(
        { kind: 'details', key: `${name}:details:${lastKey}`, conversation, author, url, reference, ticket },
        '',
      )
      return () => wire.details.get(ticket)
    },
    redeliver: (said) => deliver(said.inbound, said.id),
    visible: (conversation) =>
      [...wire.shown.values()].filter(
        (each) => conversation === undefined || sameConversation(each.conversation, conversation),
      ),
    transcript: wire.lines,
    fail: wire.fail,
    hold: wire.hold,
    downloads: () => downloads,
    wire: {
      ...wire,
      call: (call, carryOut) => {
        if (call === 'open') downloads += 1
        return wire.call(call, carryOut)
      },
    },
  }
}
