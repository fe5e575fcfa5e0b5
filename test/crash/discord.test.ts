import { expect, test } from 'vitest'
import { runRounds } from './rounds.ts'
import { openDiscordScene } from './scene.ts'

test('on Discord no question and no file is lost, and no answer doubled, wherever the process is killed', async () => {
  await expect(runRounds(await openDiscordScene())).resolves.toBeUndefined()
}, 240_000)
