import { readMemo } from '../support/speech.ts'
import { ferry, note } from './drops.ts'
import { scenario } from './scenario.ts'

const lighthouse = note('lighthouse.md', 'The lighthouse is open to visitors on Sunday afternoons.')

scenario(
  'a question that the files do not answer goes to a person, into a file and into a cited answer',
  { killedOn: 'discord' },
  async ({ workspace, ada, ben, errors, expect }) => {
    await ben.drops(lighthouse)
    await ada.sees(/lighthouse\.md.*ready/)

    await ada.asks('Who paints the lighthouse?')
    await ada.sees(/I found no passage|I am not sure that/, ({ buttons }) => buttons.includes('Ask a person'))
    await ada.asks('gaps')
    await ada.sees(/Who paints the lighthouse\?.*Ada/)
    await ada.presses('Ask a person')
    const wanted = await ada.sees(/Who knows this\?[^]*Who paints the lighthouse\?/)
    // Who asks is not asked; on the page there is nobody else.
    await expect.poll(() => workspace.called()).toEqual(workspace.service === 'web' ? [] : ['Ben'])
    await ben.says('Old Tomas paints the lighthouse every spring.', { after: wanted.id })
    await ada.sees(/Shall I save this answer/, ({ buttons }) => buttons.includes('Save this answer'))
    await ben.presses('Save this answer')
    await ada.sees(/Saved: the answer of Ben/)
    await ada.sees(/\d{4}-\d{2}-\d{2} Who paints the lighthouse\.md.*ready/)
    await ada.asks('Who paints the lighthouse these days?')
    const cited = await ada.seesAnswer(
      /Old Tomas paints the lighthouse every spring\. ?\[1\]|paints.*\[1\]/,
      ({ text }) => !text.includes('Shall I'),
    )
    expect(cited.text).toMatch(/\[1\].*\.md/)
    await ada.asks('gaps')
    await ada.sees(/No question is open here/)

    expect(await ada.count(/Who knows this\?/)).toBe(1)
    expect(errors()).toEqual([])
  },
)

scenario(
  'an answer is given anew, judged, followed up, kept as a file, spoken and put right',
  { killedOn: 'web' },
  async ({ workspace, ada, ben, act, spoken, errors, expect }) => {
    await ada.drops(ferry)
    await ada.sees(/ferry\.md.*ready/)

    await ada.asks('From which pier does the ferry leave?')
    const answer = await ada.sees(/from pier seven\. ?\[1\]/, ({ buttons }) => buttons.includes('↻'))
    await ada.presses('↻')
    await expect.poll(() => ada.count(/from pier seven\. ?\[1\]/)).toBe(1)
    await ada.presses('👎', '', ['wrong'])
    await ada.says('And when does it leave?', { after: answer.id })
    await ada.sees(/9:40/, ({ id }) => id !== answer.id)

    await ada.pins(answer.id)
    const receipt = await ada.sees(/\d{4}-\d{2}-\d{2}.*\.md.*ready/)
    // Once more is the same event.
    await act(() => workspace.pin('Ada', ada.channel, answer.id))
    await expect.poll(() => ada.count(/\d{4}-\d{2}-\d{2}.*\.md.*ready/)).toBeGreaterThan(0)
    expect(receipt.text).not.toContain('(2)')

    // A message of somebody else among people is kept the same way.
    await ada.pins(await ben.says('The boiler in the tower has the code 4711, and only the keeper changes it.'))
    await ada.sees(/The boiler in the tower.*ready/)
    await ada.asks('Which code of the boiler does the keeper change?')
    await ada.seesAnswer(/The boiler in the tower has the code 4711, and only the keeper[^]*\[1\]/)

    spoken.push('From which pier does the fairy leave?')
    await ada.records(readMemo('lighthouse.ogg'))
    await ada.sees(/🎙️ “From which pier does the fairy leave\?”/, ({ buttons }) => buttons.includes('Edit'))
    await ada.presses('Edit', 'From which pier does the ferry leave?')
    const heard = await ada.sees(/✏️ “From which pier does the ferry leave\?”/)
    await expect.poll(() => ada.count(/🎙️/)).toBe(0)
    expect(await ada.count(/✏️/)).toBe(1)
    await ada.presses('Keep as a file')
    await ada.sees(/From which pier.*\.md.*ready/, ({ id }) => id !== heard.id)

    expect(errors()).toEqual([])
  },
)
