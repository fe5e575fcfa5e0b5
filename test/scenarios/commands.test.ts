import { ferry } from './drops.ts'
import { scenario } from './scenario.ts'

scenario(
  'commands answer their person alone; answers are shared, messages kept, files forgotten',
  { on: ['discord'], killedOn: 'discord' },
  async ({ ada, ben, errors, rough, expect }) => {
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
    expect((await ada.sees(/^\*\*2 files\*\*/)).only).toBe('Ada')
    await ada.calls('Forget', { target: said })
    await ada.sees(/boiler/, ({ buttons, only }) => buttons.includes('Forget it') && only === 'Ada')
    await ada.presses('Forget it')
    await ada.sees(/is forgotten/, ({ buttons }) => buttons.length === 0)

    // Nothing that one person asked for stands open to others, whatever happened on the way.
    if (!rough) expect(await ben.count(/is thinking/)).toBe(0)
    expect((await ben.shown()).filter(({ only }) => only === undefined).map(({ text }) => text)).not.toContainEqual(
      expect.stringMatching(/^\*\*2 files/),
    )
    expect(errors()).toEqual([])
  },
)
