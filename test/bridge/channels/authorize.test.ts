import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { type Act, createAuthority, type Denial, VISIBILITY_CACHE_MS } from '#bridge/channels/authorize.ts'
import { type ChannelSettings, createSettings } from '#bridge/channels/settings.ts'
import type { People } from '#bridge/port/adapter.ts'
import { AdapterError } from '#bridge/port/errors.ts'
import type { PersonKind } from '#bridge/port/author.ts'
import { createKeyedMutex } from '#lib/keyed-mutex.ts'
import { markdown, setUpBridge } from '#test/support/bridge/set-up.ts'
import { createFakeAdapter, type FakeAdapter } from '#test/support/fakes/adapter.ts'
import { createLogSink } from '#test/support/fakes/log.ts'

const KINDS: readonly PersonKind[] = ['member', 'guest', 'external', 'bot']
const ACTS: readonly Act[] = ['ask', 'drop', 'press', 'command', 'shortcut', 'home']
const PLACES = {
  public: { isPublic: true },
  private: { isPublic: false },
  shared: { isPublic: true, isShared: true },
  direct: { isPublic: false },
} as const

const place = (channel: string) => ({ adapter: 'fake', workspace: 'W1', channel, direct: channel === 'direct' })

function setUp(settings: ChannelSettings = {}) {
  const adapter = createFakeAdapter()
  const kept = new Map<string, string>()
  const preferences = {
    get: async (scope: string, name: string) => kept.get(`${scope} ${name}`),
    set: async (scope: string, name: string, value: string | undefined) =>
      void (value === undefined ? kept.delete(`${scope} ${name}`) : kept.set(`${scope} ${name}`, value)),
  }
  const all = createSettings(preferences, createKeyedMutex())
  const authority = createAuthority({ admins: new Set(['fake:U-boss']), settings: all, preferences })
  const denial = async (personId: string, channel: string, act: Act): Promise<Denial | undefined> => {
    await all.change(place(channel), settings)
    return authority.denial({ adapter, log: createLogSink() }, { conversation: place(channel), personId, act })
  }
  for (const [channel, facts] of Object.entries(PLACES)) adapter.chat.room(channel, facts)
  for (const kind of KINDS) adapter.chat.kinds.set(kind, kind)
  return { adapter, authority, denial }
}

beforeEach(() => void vi.useFakeTimers({ toFake: ['Date'] }))
afterEach(() => void vi.useRealTimers())
const passTime = () => vi.setSystemTime(Date.now() + VISIBILITY_CACHE_MS + 1)

const become = (adapter: FakeAdapter, next: keyof typeof PLACES) => {
  adapter.chat.room('room', PLACES[next])
  passTime()
}

const cells = KINDS.flatMap((kind) => Object.keys(PLACES).flatMap((at) => ACTS.map((act) => [kind, at, act] as const)))

describe('the policy without any setting', () => {
  const { denial } = setUp()
  it.each(cells)('%s in %s: %s', async (kind, at, act) => {
    expect(await denial(kind, at, act)).toBe(kind === 'member' ? undefined : kind)
  })
})

describe('the policy where an administrator lets others ask', () => {
  const { denial } = setUp({ guest: 'ask', external: 'ask', bot: 'nothing' })
  it.each(cells)('%s in %s: %s', async (kind, at, act) => {
    const isRefused = kind === 'bot' || (kind !== 'member' && act === 'drop')
    expect(await denial(kind, at, act)).toBe(isRefused ? kind : undefined)
  })
})

describe('who may add files', () => {
  it('is who administers, where that was chosen', async () => {
    const { denial, adapter } = setUp({ drops: 'admins', guest: 'all' })
    adapter.chat.room('public', { admins: ['U-ada'] })
    expect(await denial('U-ada', 'public', 'drop')).toBeUndefined()
    expect(await denial('U-boss', 'public', 'drop')).toBeUndefined()
    expect(await denial('member', 'public', 'drop')).toBe('admins')
    expect(await denial('guest', 'public', 'drop')).toBe('admins')
    expect(await denial('member', 'public', 'ask')).toBeUndefined()
  })
})

describe('what the chat service does not tell', () => {
  it('counts as no', async () => {
    const { adapter, denial } = setUp()
    expect(await denial('member', 'public', 'ask')).toBeUndefined()
    adapter.describeChannel = async () => undefined
    passTime()
    expect(await denial('member', 'public', 'ask')).toBe('unknown')
    const tell = (kindOf: People['kindOf']) => Object.assign(adapter, { people: { ...adapter.people, kindOf } })
    tell(async () => undefined)
    expect(await denial('member', 'public', 'home')).toBe('unknown')
    tell(async () => Promise.reject(new AdapterError('network', 'The service is away.')))
    await expect(denial('member', 'public', 'ask')).rejects.toThrow('away')
  })
})

describe('knowledge of a channel that more people can read now', () => {
  const BECOMES = [
    ['private', 'public'],
    ['private', 'shared'],
    ['public', 'shared'],
  ] as const
  it.each(BECOMES)('rests when %s becomes %s, until an administrator opens it', async (before, after) => {
    const { adapter, authority, denial } = setUp()
    become(adapter, before)
    expect(await denial('member', 'room', 'ask')).toBeUndefined()
    become(adapter, after)
    for (const act of ['ask', 'press', 'command', 'shortcut'] as const)
      expect(await denial('member', 'room', act)).toBe('frozen')
    expect(await denial('member', 'room', 'drop')).toBeUndefined()
    await authority.open(adapter, place('room'))
    expect(await denial('member', 'room', 'ask')).toBeUndefined()
    // Half a minute long the service is not asked again.
    adapter.chat.room('room', PLACES[before])
    const asked = vi.spyOn(adapter, 'describeChannel')
    await denial('member', 'room', 'ask')
    expect(asked).not.toHaveBeenCalled()
    // Closed and opened once more is a new opening.
    become(adapter, before)
    expect(await denial('member', 'room', 'ask')).toBeUndefined()
    become(adapter, after)
    expect(await denial('member', 'room', 'ask')).toBe('frozen')
  })
})

describe('who is refused', () => {
  const GUEST = { id: 'U-guest', name: 'Gus', language: 'en' }
  const ADA = { id: 'U-ada', name: 'Ada', language: 'en' }
  const at = { adapter: 'fake', workspace: 'W1', channel: 'C1', direct: false }
  async function open() {
    const set = await setUpBridge()
    set.chat.kinds.set(GUEST.id, 'guest')
    set.chat.room('C1', { admins: [ADA.id], isPublic: false })
    const done = async (said: { inbound: { key: string } }) => set.settled(said.inbound.key)
    const texts = () => set.chat.visible(at).map(({ text, outgoing }) => [outgoing.privateTo, text] as const)
    return { ...set, done, texts }
  }

  it('reads why, alone, and nothing of theirs is stored, searched or asked', async () => {
    const { chat, platform, done, texts, store } = await open()
    await done(chat.mention('Where is the mole?', { author: GUEST }))
    await done(chat.drop([markdown('mine.md', '# Mine')], { author: GUEST }))
    await done(chat.drop([markdown('again.md', '# Again')], { author: GUEST }))
    const refused = [GUEST.id, expect.stringMatching(/^Guests may not use me here/)]
    // Drops that do not address us are refused once.
    expect(texts()).toEqual([refused, refused])
    expect(platform.script.requests).toEqual([])
    expect(await store().channels.get('fake:W1:C1')).toBeUndefined()
    await done(chat.mention('access guests ask', { author: GUEST }))
    await done(chat.mention('access guests ask', { author: ADA }))
    expect(texts().at(-1)).toEqual([undefined, 'Done.'])
    platform.script.answer('By the harbour.')
    await done(chat.mention('Where is the mole?', { author: GUEST }))
    expect(texts().at(-1)?.[1]).toMatch(/By the harbour/)
  })

  it('changes nothing by a press, an edit or a mark', async () => {
    const { chat, platform, done, texts } = await open()
    platform.script.answer('By the harbour.')
    const asked = chat.mention('Where is the mole?', { author: ADA })
    await done(asked)
    const answer = chat.visible(at).at(-1)
    await done(chat.press(answer?.id ?? '', '👍', GUEST))
    await done(chat.pin(asked.id, GUEST))
    const said = chat.mention('files', { author: GUEST })
    await done(said)
    await done(chat.rewrite(said, 'Where is the mole?'))
    expect(
      texts()
        .slice(1)
        .map(([to]) => to),
    ).toEqual([GUEST.id, GUEST.id, GUEST.id])
    expect(platform.script.requests).toHaveLength(1)
  })

  it('is everybody while a channel that was private rests, and who administers opens it', async () => {
    const { chat, platform, done, texts } = await open()
    platform.script.answer('By the harbour.', 'By the harbour, I said.')
    await done(chat.mention('Where is the mole?', { author: ADA }))
    chat.room('C1', { admins: [ADA.id], isPublic: true })
    passTime()
    await done(chat.mention('Where is the mole again?', { author: ADA }))
    expect(texts().at(-1)?.[1]).toMatch(/^More people can read this channel/)
    // No thread waits for it: a press would wake only its own.
    expect(chat.marks.filter(({ mark }) => mark === 'asked')).toEqual([])
    const closed = chat.visible(at).at(-1)?.id ?? ''
    await done(chat.press(closed, 'Open the files to everybody here', { id: 'U-ben', name: 'Ben' }))
    expect(texts().at(-1)?.[1]).toMatch(/^Only somebody who administers/)
    await done(chat.press(closed, 'Open the files to everybody here', ADA))
    await done(chat.mention('Where is the mole again?', { author: ADA }))
    expect(texts().at(-1)?.[1]).toMatch(/I said/)
  })
})
