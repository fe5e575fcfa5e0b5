import type { ChatWorkspace } from '../support/people/workspace.ts'
import { ferry, mole } from './drops.ts'
import { scenario } from './scenario.ts'

scenario(
  'a program is nobody until it is admitted: then its file is knowledge, its question is answered once a minute, and its file goes with its message',
  { on: ['slack', 'discord'], killedOn: 'slack' },
  async ({ workspace, ada, ben, act, rough, errors, expect }) => {
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
    await says('From which pier does the ferry leave?')
    await ada.seesAnswer(/from pier seven\. ?\[1\]/)
    await says('When does the ferry to the island leave?')
    await ada.asks('When does the ferry to the island leave?')
    await ada.seesAnswer(/leaves at 9:40.*\[1\]/s)
    // A killed run takes minutes.
    if (!rough) expect(await ada.count(/leaves at 9:40/)).toBe(1)

    await workspace.remove(channel, dropped)
    await expect.poll(() => ada.count(/ferry\.md.*ready/), { timeout: 60_000 }).toBe(0)
    expect(errors()).toEqual([])
  },
)
