import { ferry } from './drops.ts'
import { scenario } from './scenario.ts'

const MANY = Array.from({ length: 400 }, (_, at) => `Word ${at} of many. `).join('')

scenario(
  'commands answer their person alone; answers are shared, messages kept, files forgotten',
  { on: ['slack', 'discord'], killedOn: 'slack' },
  async ({ workspace, ada, ben, errors, rough, expect }) => {
    await ada.drops(ferry)
    await ada.sees(/ferry\.md.*ready/)

    await ada.calls('ask', { options: { question: 'From which pier does the ferry leave?' } })
    const answer = await ada.sees(/from pier seven\. ?\[1\]/, ({ buttons }) => buttons.includes('Share in channel'))
    expect(answer.only).toBe('Ada')
    await ada.presses('Share in channel')
    const shared = await ben.sees(/^\*\*Ada\*\* asked: From which pier/)
    expect(shared.only).toBeUndefined()
    await ben.says('And when does it leave?', { after: shared.id })
    await ben.sees(/9:40/, ({ id }) => id !== shared.id && id !== answer.id)

    const said = await ben.says('The boiler in the tower has the code 4711, and only the keeper changes it.')
    await ada.calls('Keep as knowledge', { target: said })
    const receipt = await ben.sees(/The boiler in the tower.*ready/)
    expect(receipt.only).toBeUndefined()

    await ada.calls('files')
    const list = await ada.sees(/^\*\*2 files\*\*/)
    expect(list.only).toBe('Ada')
    const [, kept = ''] = /\*\*([^*]*boiler[^*]*)\*\*/.exec(list.text) ?? []
    // In Slack's menu of a message there is no such entry.
    if (workspace.service === 'slack') await ada.calls('forget', { options: { file: kept } })
    else await ada.calls('Forget', { target: said })
    await ada.sees(/boiler/, ({ buttons, only }) => buttons.includes('Forget it') && only === 'Ada')
    await ada.presses('Forget it')
    await ada.sees(/is forgotten/, ({ buttons }) => buttons.length === 0)

    // Nothing that one person asked for is open to others, whatever happened on the way.
    if (!rough) expect(await ben.count(/is thinking/)).toBe(0)
    expect((await ben.shown()).filter(({ only }) => only === undefined).map(({ text }) => text)).not.toContainEqual(
      expect.stringMatching(/^\*\*2 files/),
    )
    expect(errors()).toEqual([])
  },
)

scenario(
  'passages are looked at, settings chosen in a panel, and an answer stopped while it grows',
  { on: ['discord'], killedOn: 'discord', rules: [[/Which words are there/, MANY, 60]] },
  async ({ ada, errors, expect }) => {
    await ada.drops(ferry)
    await ada.sees(/ferry\.md.*ready/)

    await ada.asks('From which pier does the ferry leave?')
    await ada.sees(/from pier seven\. ?\[1\]/, ({ buttons }) => buttons.includes('Passages'))
    await ada.presses('Passages')
    const panel = await ada.sees(/^\*\*\[1\] ferry\.md/)
    expect(panel.only).toBe('Ada')

    await ada.calls('settings')
    await ada.sees(/Mentions and follow-ups/, ({ buttons }) => buttons.includes('Change settings'))
    await ada.presses('Change settings')
    const menus = await ada.sees(/Channel settings/)
    expect(menus.only).toBe('Ada')
    await ada.chooses('Mentions only')
    await ada.sees(/settings of #ferry are saved/)
    await ada.calls('settings')
    await ada.sees(/What I answer: \*\*Mentions only\*\*/)

    await ada.asks('Which words are there in the timetable of the ferry?')
    // The sentence on a stop does not depend on the moment in which Footbridge was killed.
    await ada.sees(/Word 9 of many/, ({ buttons }) => buttons.includes('Stop'))
    await ada.presses('Stop')
    await ada.sees(/_Stopped\._/, ({ buttons }) => !buttons.includes('Stop'))
    expect(await ada.count(/_Stopped\._/)).toBe(1)
    expect(await ada.count(/Word 399 of many/)).toBe(0)
    expect((await ada.shown()).flatMap(({ buttons }) => buttons)).not.toContain('Stop')
    expect(errors()).toEqual([])
  },
)
