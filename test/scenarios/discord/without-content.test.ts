import type { DiscordWorkspace } from '#test/support/people/discord.ts'
import { ferry, mole } from '../drops.ts'
import { scenario } from '../scenario.ts'

scenario(
  'Discord: refused Message Content, it answers who mentions it or replies, and takes files by mention, command and dialog',
  { on: ['discord'], killedOn: 'discord', workspace: { messageContent: false } },
  async ({ workspace, ada, ben, adaDirect, act, footbridge, errors, expect }) => {
    const { discord } = workspace as DiscordWorkspace
    /** A dialog that nobody acknowledged has failed for the person, who opens it again. */
    const fillIn = async (): Promise<void> => {
      const called = discord.callCommand('add', { user: 'Ada', channel: ada.channel.id })
      if (!(await called.acknowledged)) return fillIn()
      await discord.until(() => called.modal())
      if (!(await discord.submitFiles(called, [ferry]).acknowledged)) await fillIn()
    }
    await act(fillIn)
    await ada.sees(/ferry\.md.*ready/)
    await ada.asks('', { files: [mole] })
    await ada.sees(/mole\.md.*ready/)

    const unheard = await ben.says('From which pier does the ferry leave?')
    await ben.asks('From which pier does the ferry leave?')
    const answer = await ben.seesAnswer(/from pier seven\. ?\[1\]/)
    await ben.calls('Ask about this', { target: unheard })
    await ben.sees(/from pier seven/, ({ only }) => only === 'Ben')
    await ben.asks('When is the mole of the harbour closed?', { after: answer.id })
    await ben.seesAnswer(/closed from November to March/)
    await ben.presses('👎', '', ['outdated'])
    await ben.sees(/Thanks, noted\. Whoever /)
    await ada.calls('settings')
    await ada.sees(/mention/, ({ only }) => only === 'Ada')
    await workspace.say('Ada', adaDirect.channel, { text: 'help' })
    await adaDirect.sees(/Drop a file/)

    expect(await ben.count(/from pier seven/)).toBe(2)
    const told = footbridge.output.log.filter(({ msg }) => /MESSAGE CONTENT|Message Content/.test(msg))
    expect(told.length).toBeGreaterThan(0)
    expect(errors()).toEqual([])
  },
)
