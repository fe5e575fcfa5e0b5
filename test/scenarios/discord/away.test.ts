import type { DiscordWorkspace } from '#test/support/people/discord.ts'
import { ferry, mole, note } from '../drops.ts'
import { scenario } from '../scenario.ts'

const CLOSED = 'When is the mole of the harbour closed?'
const seals = note('seals.md', 'The seals of the harbour are fed at noon.')

scenario(
  'Discord: what people did while Footbridge was away is carried out when it is back; a press that failed is not',
  { on: ['discord'], killedOn: 'discord' },
  async ({ workspace, footbridge, ada, ben, adaDirect, act, errors, expect }) => {
    const { discord } = workspace as DiscordWorkspace
    const dropped = await ada.drops(ferry, mole)
    await ada.sees(/ferry\.md.*ready[^]*mole\.md.*ready/)
    const regretted = await ada.drops(seals)
    await ada.sees(/seals\.md.*ready/)
    const question = await ada.asks('From which pier does the ferry leave?')
    const answer = await ada.seesAnswer(/from pier seven\. ?\[1\]/)
    const withdrawn = await ben.asks('When does the ferry to the island leave?')
    const stray = await ben.seesAnswer(/leaves at 9:40/, ({ id }) => id !== answer.id)
    const said = await ben.says('The boiler in the tower has the code 4711, and only the keeper changes it.')
    await adaDirect.says('help')
    await adaDirect.sees(/Drop a file/)
    await ada.calls('forget', { options: { file: 'mole.md' } })
    const offer = await ada.sees(/Forget .*mole\.md/, ({ buttons }) => buttons.includes('Forget it'))

    await footbridge.kill9()
    discord.edit(question, `<@${discord.botUserId}> ${CLOSED}`)
    discord.remove(withdrawn)
    discord.remove(regretted)
    discord.detach(dropped, 'ferry.md')
    discord.react(said, 'Ada')
    await workspace.say('Ben', ben.channel, { text: 'gaps', mention: true })
    await workspace.say('Ada', adaDirect.channel, { text: 'language' })
    // After three seconds Discord tells her that this failed.
    expect(await discord.pressButton(offer.id, 'Forget it', 'Ada').acknowledged).toBe(false)
    await act(() => footbridge.restart())

    await ada.seesAnswer(/closed from November to March\. ?\[1\]/, ({ id }) => id === answer.id)
    await expect
      .poll(async () => (await ada.shown()).some(({ id }) => id === stray.id), { timeout: 60_000 })
      .toBe(false)
    await ada.sees(/🗑️ \*+ferry\.md\*+ — removed: the file was deleted here[^]*mole\.md\*+ — ready/)
    await ada.sees(/The boiler in the tower.*ready/)
    await ben.sees(/No question is open here/)
    await adaDirect.sees(/I speak English to you/)
    await ada.asks('When are the seals of the harbour fed?')
    await ada.sees(/I found no passage|I am not sure that/)
    expect(await ada.count(/seals\.md.*ready/)).toBe(0)

    expect((await ada.shown()).find(({ id }) => id === offer.id)?.buttons).toContain('Forget it')
    await ada.presses('Forget it')
    await ada.sees(/mole\.md.*is forgotten/)
    for (const once of [
      /^The mole of the harbour is closed/,
      /The boiler in the tower.*ready/,
      /No question is open/,
      /is forgotten/,
    ])
      expect(await ada.count(once)).toBe(1)
    expect(errors()).toEqual([])
  },
)
