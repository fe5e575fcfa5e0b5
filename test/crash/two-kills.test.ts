/** The short form of this folder: one question and one file, each with the process killed amid it. */
import { expect, test } from 'vitest'
import { runRounds } from './rounds.ts'
import { openSlackScene } from './scene.ts'

test('a question and a file outlive a killed process', async () => {
  const steps = ['asking: mid-stream', 'ingesting: upload performed but unanswered'] as const
  expect(await runRounds(await openSlackScene(), [0], steps)).toMatchObject({ kills: 2, wrong: [], alarms: [] })
}, 300_000)
