import { expect, test } from 'vitest'
import { runRounds } from './rounds.ts'
import { openSlackScene } from './scene.ts'

test('on Slack no question and no file is lost, and no answer doubled, wherever the process is killed', async () => {
  expect(await runRounds(await openSlackScene())).toMatchObject({ kills: 50, fewest: 5, wrong: [], alarms: [] })
}, 1_800_000)
