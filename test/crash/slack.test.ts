import { expect, test } from 'vitest'
import { roundsOfToday, runRounds } from './rounds.ts'
import { openSlackScene } from './scene.ts'

test('on Slack no question and no file is lost, and no answer doubled, wherever the process is killed', async () => {
  const rounds = roundsOfToday()
  const result = await runRounds(await openSlackScene(), rounds)
  expect(result).toMatchObject({ kills: 10 * rounds.length, fewest: rounds.length, wrong: [], alarms: [] })
}, 1_800_000)
