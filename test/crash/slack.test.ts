import { expect, test } from 'vitest'
import { runRounds } from './rounds.ts'
import { openSlackScene } from './scene.ts'

test('on Slack no question and no file is lost, and no answer doubled, wherever the process is killed', async () => {
  await expect(runRounds(await openSlackScene())).resolves.toBeUndefined()
}, 240_000)
