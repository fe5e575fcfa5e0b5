import type { DiscordWorkspace } from '#test/support/people/discord.ts'
import { createPerson } from '#test/support/people/person.ts'
import { ferry } from '../drops.ts'
import { scenario } from '../scenario.ts'

const QUESTION = 'From which pier does the ferry leave?'

scenario(
  'Discord: in a server without Footbridge, somebody who installed it asks their own files, and nobody else sees it',
  { on: ['discord'], killedOn: 'discord' },
  async ({ workspace, adaDirect, act, errors, expect }) => {
    const { discord } = workspace as DiscordWorkspace
    const place = { id: discord.addForeignChannel('elsewhere'), name: 'elsewhere', kind: 'public' } as const
    const [ada, ben] = ['Ada', 'Ben'].map((name) => createPerson(workspace, name, place, { act }))
    if (ada === undefined || ben === undefined) throw new Error('There is nobody.')

    // Discord lists no direct conversation: one that was never heard of is not read up to now after a crash.
    await workspace.say('Ada', adaDirect.channel, { text: 'help' })
    await adaDirect.sees(/Drop a file/)
    await adaDirect.drops(ferry)
    await adaDirect.sees(/ferry\.md.*ready/)

    await ada.calls('ask', { options: { question: QUESTION } })
    const answer = await ada.sees(/from pier seven\. ?\[1\]/, ({ buttons }) => buttons.includes('👍'))
    expect([answer.only, answer.buttons.includes('Share in channel')]).toEqual(['Ada', false])
    await ada.presses('Passages')
    await ada.sees(/^\*\*\[1\] ferry\.md/, ({ only }) => only === 'Ada')

    await ben.calls('ask', { options: { question: QUESTION } })
    await ben.sees(/Not from files: there are none here|no files here yet/, ({ only }) => only === 'Ben')

    // Nobody is asked about it but Ada, who calls on it.
    const said = await workspace.say('Ben', place, { text: 'When does the ferry to the island leave?' })
    await ada.calls('Ask about this', { target: said })
    await ada.sees(/leaves at 9:40.*\[1\]/, ({ only, id }) => only === 'Ada' && id !== answer.id)
    const code = await workspace.say('Ben', place, { text: 'The boiler in the tower has the code 4711, and no other.' })
    await ada.calls('Keep as knowledge', { target: code })
    await ada.sees(/Its receipt is in our direct conversation/, ({ only }) => only === 'Ada')
    await adaDirect.sees(/The boiler in the tower.*ready/)
    await ada.calls('ask', { options: { question: 'Which code does the boiler in the tower have?', share: true } })
    await ben.sees(/\[1\][^]*The boiler in the tower has the code 4711/, ({ only }) => only === undefined)
    await ada.calls('files')
    await ada.sees(/^\*\*2 files\*\*/, ({ only }) => only === 'Ada')

    const open = (await ben.shown()).filter(({ only }) => only === undefined)
    expect(open.map(({ text }) => text)).toEqual([expect.stringContaining('has the code 4711')])
    // All was sent by the interactions: Footbridge writes nothing into a server in which it is not.
    expect(discord.callsTo('POST /channels/:channel/messages').filter(({ path }) => path.includes(place.id))).toEqual(
      [],
    )
    expect(errors()).toEqual([])
  },
)
