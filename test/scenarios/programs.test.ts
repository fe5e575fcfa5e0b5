import { timeOf } from '#adapters/discord/rest.ts'
import type { ChatWorkspace } from '../support/people/workspace.ts'
import { ferry, mole, note } from './drops.ts'
import { scenario } from './scenario.ts'

const MINUTE_MS = 60_000
const lamp = note('lamp.md', 'The lamp of the lighthouse is green.')

/** Ids of both services hold the time; Slack's double counts the messages of a second. */
const sentAt = ({ service }: ChatWorkspace, id: string) =>
  service === 'slack' ? Math.floor(Number(id)) * 1000 : timeOf(id)

scenario(
  'a program is nobody until it is admitted: then its file is knowledge, its question is answered once a minute, and its file goes with its message',
  { on: ['slack', 'discord'], killedOn: 'slack' },
  async ({ workspace, ada, ben, act, errors, expect }) => {
    const chat = workspace as ChatWorkspace
    const { channel } = ada
    const says = (text: string) => act(() => chat.sayAsProgram('Deploy', channel, { text, mention: true }))
    const drops = (file: typeof ferry) => act(() => chat.sayAsProgram('Deploy', channel, { files: [file] }))
    await says('From which pier does the ferry leave?')
    await drops(mole)
    await ben.asks('access bots all')
    await ben.sees(/Only somebody who administers this channel/)

    await ada.asks(`access bots ${chat.programId('Deploy')} all`)
    await ada.sees(/^Done\./)
    const dropped = await drops(ferry)
    await ada.sees(/ferry\.md.*ready/)
    await ada.asks('Is the mole of the harbour closed?')
    await ada.sees(/no passage|not sure|found nothing|does not/i)
    const first = await says('From which pier does the ferry leave?')
    await ada.seesAnswer(/from pier seven\. ?\[1\]/)
    await ada.drops(lamp)
    await ada.sees(/lamp\.md.*ready/)
    await says('Which colour is the lamp of the lighthouse?')
    expect(await ada.count(/from pier seven/)).toBe(1)
    await ada.asks('When does the ferry to the island leave?')
    await ada.seesAnswer(/leaves at 9:40.*\[1\]/s)
    // A killed run may take longer than the minute.
    const second = (await ada.shown()).filter(({ text }) => text.includes('lighthouse is green'))
    expect(second.length).toBeLessThanOrEqual(1)
    const passed = second.map(({ id }) => sentAt(chat, id) - sentAt(chat, first))
    expect(Math.min(...passed, MINUTE_MS)).toBe(MINUTE_MS)

    await workspace.remove(channel, dropped)
    await expect.poll(() => ada.count(/ferry\.md.*ready/), { timeout: 60_000 }).toBe(0)
    expect(errors()).toEqual([])
  },
)
