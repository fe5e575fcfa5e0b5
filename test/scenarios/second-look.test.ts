import { promptText } from '../doubles/upstream/script.ts'
import { note } from './drops.ts'
import { scenario } from './scenario.ts'

const QUESTION = 'Who covers my supper far from here?'
const travel = note('travel.md', 'A flat meal allowance of nineteen euros is paid after eight hours.')

scenario(
  'a question in other words than the file’s is answered by a second look',
  {
    on: ['slack', 'discord'],
    rules: [
      [/Give other words/, 'meal, allowance, trip'],
      [/flat meal allowance/, 'Nineteen euros a day [RREF1].'],
      [/Who covers my supper/, 'NOT_IN_FILES'],
    ],
  },
  async ({ workspace, footbridge, ada, upstream, alarms, expect }) => {
    await ada.drops(travel)
    await ada.sees(/ready/)
    await ada.asks(QUESTION)
    const seen = await ada.sees(/Nineteen euros a day \[1\][^]*travel\.md/)
    expect(seen.text).toContain('L1-3')
    const asked = upstream.requests.map(promptText).filter((prompt) => prompt.includes(QUESTION))
    expect(asked).toHaveLength(3)
    expect(asked[0]).toContain('The search found no passage')
    expect(asked[1]).not.toContain('meal')
    expect(asked[2]).toMatch(/flat meal allowance[^]*Who covers my supper far from here\?\n\nmeal allowance trip$/)
    expect((await ada.transcript()).join('\n')).not.toMatch(/NOT_IN|Not in/)
    // Both have one sign for all work: a session of Slack has no words.
    const sign = workspace.service === 'slack' ? /processing/ : /typing/
    expect(workspace.signs?.().join('\n')).toMatch(sign)

    await footbridge.restart({ SECOND_LOOK: 'off' })
    await ada.asks(QUESTION)
    await ada.sees(/I found no passage with these words\.\*\* I looked for the words of your question in 1 file/)
    expect(alarms()).toEqual([])
  },
)
