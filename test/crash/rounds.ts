import { env } from 'node:process'
import { createPerson } from '../support/people/person.ts'
import { dayOf } from '../support/today.ts'
import type { Scene } from './scene.ts'
import { judge, startRun, STEPS, type Outcome, type Run, type Step } from './trials.ts'

/** A round kills at every step; they differ in the moment, and in the part of a call that is carried out. */
const ALL_ROUNDS = [0, 1, 2, 3, 4]

/**
 * Rounds of one run of the tests: the first one, one with and one without an opening whose answer is lost, by turns from day
 * to day. `CRASH=all`: all five.
 */
export function roundsOfToday(now = Date.now()): readonly number[] {
  if (env['CRASH'] === 'all') return ALL_ROUNDS
  const later = dayOf(now) % 2 === 0 ? 0 : 2
  return [0, 1 + later, 2 + later]
}

/** Asking and ingesting take turns, so that the killed process was busy with the other before. */
const ORDER: readonly Step[] = STEPS.asking.flatMap((step, index): readonly Step[] => [
  `asking: ${step}`,
  `ingesting: ${STEPS.ingesting[index] ?? 'event'}`,
])

/** Steps of the platform inside the process: it is killed with the rest. */
const EMBEDDED: readonly Step[] = [
  'ingesting: during download',
  'ingesting: index pass running',
  'ingesting: final receipt edit performed but unanswered',
]

export interface Result {
  readonly kills: number
  /** Kills at the step with the fewest. */
  readonly fewest: number
  readonly drainMs: readonly number[]
  /** Messages with something lost or doubled, with the step of the kill. */
  readonly wrong: readonly string[]
  /** Lines that tell of a failure of Footbridge itself. */
  readonly alarms: readonly string[]
}

/** Kills the process at every step in each round, and tells what the service shows when all has come to rest. */
export async function runRounds(
  scene: Scene,
  rounds: readonly number[] = ALL_ROUNDS,
  /** Default: every step. */
  steps: readonly Step[] = ORDER,
): Promise<Result> {
  const run = await startRun(scene)
  const last = rounds.at(-1) ?? 0
  try {
    for (const round of rounds)
      for (const step of steps) if (round !== last || !EMBEDDED.includes(step)) await run.kill(step, round)
    const embedded = EMBEDDED.filter((step) => steps.includes(step))
    if (embedded.length > 0) await run.embed()
    for (const step of embedded) await run.kill(step, last)
    await run.footbridge.stop()
    return await conclude(run)
  } finally {
    await run.close()
  }
}

/** Judged anew at rest: a second message may have come late. */
async function conclude({ trials, scene, footbridge }: Run): Promise<Result> {
  const { workspace } = scene
  const outcomes = await Promise.all(
    trials.map(async (trial) => {
      const seen = await createPerson(workspace, 'Ada', trial.channel).transcript()
      return { ...trial, seen, outcome: judge(seen, trial.expected) }
    }),
  )
  const count = (step: Step, outcome?: Outcome) =>
    outcomes.filter((one) => one.step === step && (outcome === undefined || one.outcome === outcome)).length
  const table = ORDER.map((step) => {
    const kills = String(count(step)).padStart(3)
    return `  ${kills} killed, ${count(step, 'lost')} lost, ${count(step, 'doubled')} doubled: ${step}`
  })
  process.stdout.write(
    `\n${workspace.service}: ${trials.length} kill -9, each followed by a restart\n${table.join('\n')}\n`,
  )
  const wrong = outcomes.filter(({ outcome }) => outcome !== 'right')
  return {
    kills: trials.length,
    fewest: Math.min(...ORDER.map((step) => count(step))),
    drainMs: trials.map((trial) => trial.drainMs),
    wrong: wrong.map(({ step, outcome, seen }) => `${outcome} at ${step}:\n${seen.join('\n')}`),
    alarms: [
      ...footbridge.output.stderr,
      ...footbridge.output.log.filter(({ level }) => level >= 50).map(({ msg }) => msg),
    ],
  }
}
