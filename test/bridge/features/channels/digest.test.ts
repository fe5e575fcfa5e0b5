import { expect, it } from 'vitest'
import { postDigests } from '../../../../src/bridge/features/channels/digest.ts'
import type { JobServices } from '../../../../src/bridge/features/feature.ts'
import { createSettings } from '../../../../src/bridge/channels/settings.ts'
import { createFakeAdapter } from '../../../support/fakes/adapter.ts'
import { markdown, setUpBridge } from '../../../support/bridge/set-up.ts'

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
  const settings = createSettings(store().preferences)
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
    await postDigests(services, log)
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
