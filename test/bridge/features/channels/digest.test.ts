import { expect, it } from 'vitest'
import { postDigests } from '#bridge/features/channels/digest.ts'
import type { JobServices } from '#bridge/features/feature.ts'
import { createSettings } from '#bridge/channels/settings.ts'
import { createFakeAdapter } from '#test/support/fakes/adapter.ts'
import { markdown, setUpBridge } from '#test/support/bridge/set-up.ts'

it('a channel that wants it gets one summary a week: new files, open questions, old files', async () => {
  const { chat, platform, settled, store, log } = await setUpBridge({ admins: new Set(['fake:U1']) })
  await settled(chat.mention('settings digest on').inbound.key)
  await settled(chat.drop([markdown('mole.md', '# Mole')]).inbound.key)
  platform.script.answer('NOT_IN_FILES')
  await settled(chat.mention('Who paints the mole?').inbound.key)
  let collection = (await store().channels.get('fake:W1:C1'))?.collection ?? ''
  let isClosed = false
  const describeChannel = async () => ({ name: 'ferry', isPublic: true, isClosed })
  const adapter = { ...createFakeAdapter({ chat }), describeChannel }
  const settings = createSettings(store().preferences, store().sharing.mutex('settings'))
  let now = Date.now()
  const services = {
    store: store(),
    settings,
    clock: () => now,
    adapterOf: () => adapter,
    authority: { isFrozen: async () => false },
    channels: { of: async () => ({ collection }) },
  } as unknown as JobServices
  const posted = async (afterDays: number) => {
    now += afterDays * 24 * 3600_000
    const before = chat.visible().length
    await postDigests(services, log, new AbortController().signal)
    return chat
      .visible()
      .slice(before)
      .map(({ text }) => text)
  }
  now = Date.parse('2026-01-01')
  expect(await posted(0)).toEqual([])
  expect(await posted(6)).toEqual([])
  const [first] = await posted(1.5)
  expect(first).toMatch(/^\*\*The week in this channel\*\*[^]*1 new file: mole\.md/)
  expect(first).toContain('Who paints the mole?')
  expect(await posted(1)).toEqual([])
  isClosed = true
  expect(await posted(8)).toEqual([])
  isClosed = false
  expect(await posted(400)).toEqual([expect.stringMatching(/Not renewed for half a year: mole\.md/)])
  // It uses the files of another channel from now on.
  await settled(chat.drop([markdown('buoy.md', '# Buoy')], { channel: 'C2' }).inbound.key)
  collection = (await store().channels.get('fake:W1:C2'))?.collection ?? ''
  expect(await posted(8)).toEqual([expect.stringMatching(/^(?!.*mole)[^]*buoy\.md/)])
  await settled(chat.mention('settings digest off').inbound.key)
  expect(await posted(30)).toEqual([])
})

it('a chat service that does not answer for a summary does not hold up the start', async () => {
  const { chat, settled, shows, store, restart } = await setUpBridge({ admins: new Set(['fake:U1']) })
  await settled(chat.mention('settings digest on').inbound.key)
  await settled(chat.drop([markdown('mole.md', '# Mole')]).inbound.key)
  await store().preferences.set('fake:W1:C1', 'digest-at', String(Date.now() - 8 * 24 * 3600_000))
  const release = chat.hold('describeChannel')
  await restart()
  release()
  expect((await shows(/The week in this channel/)).text).toContain('mole.md')
})

it('several settings that are changed at once are all stored', async () => {
  const { store } = await setUpBridge()
  const settings = createSettings(store().preferences, store().sharing.mutex('settings'))
  const first = { adapter: 'fake', workspace: 'W1', channel: 'C1', direct: false }
  const second = { ...first, channel: 'C2' }
  const changes = [{ digest: true }, { language: 'de' }, { drops: 'admins' }] as const
  await Promise.all([...changes.map((each) => settings.change(first, each)), settings.change(second, { digest: true })])
  expect(await settings.of(first)).toEqual({ digest: true, language: 'de', drops: 'admins' })
  expect(await settings.withDigest()).toEqual([first, second])
})
