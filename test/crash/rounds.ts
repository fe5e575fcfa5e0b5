import { expect } from 'vitest'
import { eventually } from '../support/whole/desk.ts'
import { checkSeen, startRun, STEPS, type Run, type Step } from './trials.ts'
import type { Scene } from './scene.ts'

const ROUNDS = 3

/** Asking and ingesting take turns, so that the killed process was busy with the other before. */
const ORDER: readonly Step[] = STEPS.asking.flatMap((step, index): readonly Step[] => [
  `asking: ${step}`,
  `ingesting: ${STEPS.ingesting[index] ?? 'event'}`,
])

/** What only the platform inside the process can show: it is killed with the rest. */
const EMBEDDED: readonly Step[] = [
  'ingesting: during download',
  'ingesting: index pass running',
  'ingesting: final receipt edit performed but unanswered',
]

/** Kills the process at every step, three times each, and asserts what stands at the service in the end. */
export async function runRounds(scene: Scene): Promise<void> {
  const run = await startRun(scene)
  try {
    for (let round = 0; round < ROUNDS; round += 1) {
      const last = round === ROUNDS - 1
      for (const step of ORDER) if (!last || !EMBEDDED.includes(step)) await run.kill(step, round)
    }
    await run.embed()
    for (const step of EMBEDDED) await run.kill(step, ROUNDS - 1)
    await expectRest(run)
    report(run)
  } catch (error) {
    process.stdout.write(`${run.footbridge.output.all.slice(-40).join('\n')}\n`)
    throw error
  } finally {
    await run.close()
  }
}

/** All work is done: nothing came later, nothing was given up. */
async function expectRest({ footbridge, trials, scene }: Run): Promise<void> {
  expect(await footbridge.stop()).toBe(0)
  for (const trial of trials) {
    checkSeen(await eventually(() => scene.desk.sees(trial), trial.expected), trial)
  }
  expect(footbridge.output.log.filter(({ level }) => level >= 50)).toEqual([])
  expect(footbridge.output.stderr).toEqual([])
}

/** The counts per step, for whoever reads the output of the tests. */
function report({ trials, scene }: Run): void {
  const { service } = scene.desk
  const lines = ORDER.map((step) => {
    const kills = trials.filter((trial) => trial.step === step).length
    return `  ${String(kills).padStart(3)} × ${step}`
  })
  process.stdout.write(
    `\n${service}: ${trials.length} kill -9, each followed by a restart; 0 lost, 0 doubled\n${lines.join('\n')}\n`,
  )
}
