import { runRounds } from '../crash/rounds.ts'
import { openDiscordScene, openSlackScene } from '../crash/scene.ts'
import { measure } from './row.ts'

const SCENES = { Slack: openSlackScene, Discord: openDiscordScene } as const

/** `kill -9` at every named step, `runs` times fifty on each chat service. */
export const kills = (service: keyof typeof SCENES, runs: number) =>
  measure(`kill -9 at ten named steps, ${service}`, async () => {
    let killed = 0
    const wrong: string[] = []
    const drains: number[] = []
    for (let run = 0; run < runs; run += 1) {
      const result = await runRounds(await SCENES[service]())
      killed += result.kills
      drains.push(...result.drainMs)
      wrong.push(...result.wrong, ...result.alarms)
    }
    const sorted = drains.toSorted((one, other) => one - other)
    const p95 = sorted[Math.floor(sorted.length * 0.95)] ?? 0
    return {
      tried: `${killed} kills`,
      found: { 'lost or doubled': wrong.length, 's from start to rest, p95': (p95 / 1000).toFixed(1) },
      wrong,
    }
  })
