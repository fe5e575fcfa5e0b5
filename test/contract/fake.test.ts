import { AdapterError } from '#bridge/port/errors.ts'
import type { Attachment } from '#bridge/port/message.ts'
import { createFakeAdapter, type OptionalMember } from '../support/fakes/adapter.ts'
import type { FakeChat, Said, Shown } from '../support/fakes/chat.ts'
import { adapterContract, type AdapterHarness, type FaultKind, type VisibleMessage } from './adapter.ts'

const FAULTS: Record<Exclude<FaultKind, 'held'>, { readonly error: AdapterError; readonly after: boolean }> = {
  'rate-limited': {
    error: new AdapterError('rate-limited', 'Too many messages; try again in a second.', { retryAfterMs: 1000 }),
    after: false,
  },
  'lost-reply': {
    error: new AdapterError('ambiguous', 'The answer of the service was lost; look before sending again.'),
    after: true,
  },
  refused: { error: new AdapterError('forbidden', 'Footbridge is not in this channel; invite it.'), after: false },
  unreachable: { error: new AdapterError('network', 'The chat is not reached; check the network.'), after: false },
}

const toVisible = ({ id, text, outgoing }: Shown, files: readonly string[]): VisibleMessage => ({
  files,
  id,
  text: [text, ...(outgoing.references ?? []).map((each) => `[${each.number}] ${each.file} ${each.place ?? ''}`)].join(
    '\n',
  ),
  // Nothing in this chat calls anybody but who is told of it.
  notifies: outgoing.notify ?? [],
})

function foreignFiles(): readonly Attachment[] {
  return ['https://elsewhere.example/x', 'fake-file:F999'].map((locator, index) => ({
    id: `X${index}`,
    name: 'x.md',
    mimeType: 'text/markdown',
    kind: 'document',
    locator,
  }))
}

function createHarness(without: readonly OptionalMember[]): AdapterHarness {
  const adapter = createFakeAdapter({ without })
  const { chat } = adapter
  chat.room('C1', { members: ['U1', 'U7'], admins: ['U7'] })
  chat.room('D-U1', { members: ['U1'], isPublic: false })
  const said = new Map<string, Said>()
  const rooms = new Set<string>()
  const sent = async (each: Said) => {
    said.set(each.id, each)
    return { id: each.id }
  }
  const told = ({ id }: { id: string }): Said => {
    const each = said.get(id)
    if (each === undefined) throw new Error(`${id} was not said.`)
    return each
  }
  return {
    adapter,
    restart: async () => {
      await adapter.stop()
      return createFakeAdapter({ chat, without })
    },
    close: async () => undefined,
    secrets: [],
    person: 'U1',
    stranger: 'U9',
    admin: async () => 'U7',
    addRoom: async (name) => {
      rooms.add(name)
      chat.room(name, { name, members: ['U1'] })
      return { id: name, mention: `#${name}` }
    },
    leave: async (channel) => chat.room(channel, { members: [] }),
    ...people(chat, sent, told, (text) => [...rooms].filter((name) => text.includes(`#${name}`))),
    visible: async (conversation) =>
      chat.visible(conversation).map((shown) => {
        const file = chat.uploads.get(shown.id)
        return toVisible(shown, file === undefined ? [] : [file.name])
      }),
    massMentions: ['@everyone'],
    downloads: () => chat.downloads(),
    foreign: async () => ({ attachments: foreignFiles(), reached: () => 0 }),
    faults: ['rate-limited', 'held', 'lost-reply', 'refused', 'unreachable'],
    fault(kind) {
      if (kind === 'held') return chat.hold('post')
      const { error, after } = FAULTS[kind]
      chat.fail('post', error, { after })
      return () => undefined
    },
  }
}

function people(
  chat: FakeChat,
  sent: (said: Said) => Promise<{ id: string }>,
  told: (sent: { id: string }) => Said,
  channels: (text: string) => readonly string[],
) {
  const naming = (text: string) => {
    const named = channels(text)
    return named.length === 0 ? {} : { channels: named }
  }
  const file = { name: 'ferry.md', bytes: Uint8Array.of(1), mimeType: 'text/markdown' }
  return {
    mention: (text: string) => sent(chat.mention(text, naming(text))),
    direct: (text: string) => sent(chat.direct(text, naming(text))),
    dropFile: (name: string, bytes: Uint8Array) => sent(chat.drop([{ name, bytes }])),
    voice: (bytes: Uint8Array) => sent(chat.voice(bytes)),
    redeliver: async (each: { id: string }) => void chat.redeliver(told(each)),
    twins: async (text: string, first: 'poorer' | 'fuller') => {
      const id = chat.wire.nextId()
      const poorer = () => chat.mention(text, { id, provisional: true })
      const fuller = () => chat.mention(text, { id, files: [file] })
      for (const tell of first === 'poorer' ? [poorer, fuller] : [fuller, poorer]) tell()
      return { id }
    },
    rewrite: async (each: { id: string }, text: string) => void chat.rewrite(told(each), text),
    unsay: async (each: { id: string }) => void chat.unsay(told(each)),
    press: async (messageId: string, label: string) => void chat.press(messageId, label),
    async fillIn(messageId: string, label: string, text: string) {
      const shown = chat.visible().find(({ id }) => id === messageId)
      const prompt = shown?.outgoing.actions?.find((each) => each.label === label)?.prompt
      chat.press(messageId, label, undefined, text)
      const begin = prompt?.prefill === undefined ? '' : (shown?.text ?? '')
      return { title: prompt?.title ?? '', label: prompt?.label ?? '', text: begin }
    },
    pin: async (messageId: string) => void chat.pin(messageId),
    download: async (messageId: string) => chat.uploads.get(messageId)?.bytes ?? Uint8Array.of(),
    acknowledged: (each: { id: string }) => told(each).acknowledged(),
  }
}

adapterContract('the fake adapter', async () => createHarness([]))
adapterContract('the fake adapter with nothing optional', async () =>
  createHarness(['edit', 'stream', 'upload', 'messageAt', 'people', 'app']),
)
