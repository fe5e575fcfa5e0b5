import { expect, test } from 'vitest'
import { runRounds } from './rounds.ts'
import { openDiscordScene } from './scene.ts'

test('on Discord no question and no file is lost, and no answer doubled, wherever the process is killed', async () => {
  expect(await runRounds(await openDiscordScene())).toMatchObject({ kills: 50, fewest: 5, wrong: [], alarms: [] })
}, 1_800_000)
