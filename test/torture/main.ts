import { parseArgs } from 'node:util'
import { absences } from './absences.ts'
import { discordCalls } from './calls.ts'
import { floods } from './flood.ts'
import { fuzz } from './fuzz.ts'
import { kills } from './kills.ts'
import { AN_HOUR, outage, platformFaults, soak } from './load.ts'
import { moveThereAndBack } from './move.ts'
import { FAULTS, processes } from './processes.ts'
import { randomKills } from './random-kills.ts'
import { type Row, toTable } from './row.ts'
import { discordFaults, slackFaults } from './services.ts'
import { cutStreams, repeatedEvents } from './streams.ts'
import { textFunctions } from './text-functions.ts'
import { workspaces } from './workspaces.ts'

const USAGE = `Usage: npm run torture -- [options]
  --kills=<n>      times fifty kills on Slack and on Discord (0)
  --random=<n>     kills at random times, on Slack and on Discord (0)
  --tries=<n>      families of text (20000)
  --inputs=<n>     hostile names, files and payloads (1000)
  --hours=<n>      of load under faults of the platform, at each rate of 0, 1 and 5 %: 1,800 acts each (0.1)
  --questions=<n>  to a platform that drops every one (200)
  --minutes=<n>    soak (0)
  --repeats=<n>    questions whose events come three times (10)
  --processes=<n>  rounds with three processes on one PostgreSQL; 1400: a thousand kills, 200 freezes, 100 ends of the
                   database. Ctrl-C ends them with what there is (0)
  --faults=<list>  only these of kill, freeze, database, upgrade (all)
  --move=<n>       files, and ten times as many messages, that go to PostgreSQL and back (0)
  --workspaces=<n> calls of 200 Slack workspaces in three processes on one PostgreSQL (0)
  --calls=<n>      calls of three processes to Discord, with the limits of the bot and of each channel (0)
  --absent=<s>     seconds that each chat service is away amid work, after 70 s at the start in each of its ways (0)
  --services=<n>   times each fault of Slack and of Discord, with a question each (1)
  --floods=<n>     floods over HTTP: 0 leaves them out (1)
  --seed=<n>       (1)
  --only=<part>    kills (kills-slack, kills-discord), random (random-slack, random-discord), text, fuzz, floods, faults, outage, soak, streams, events, services, absences, processes, workspaces, calls, move
What was measured, and with which options: docs/figures.md
`

const number = (fallback: number) => ({ type: 'string', default: String(fallback) }) as const

const { values } = parseArgs({
  options: {
    kills: number(0),
    random: number(0),
    tries: number(20_000),
    inputs: number(1000),
    hours: number(0.1),
    questions: number(200),
    minutes: number(0),
    repeats: number(10),
    services: number(1),
    floods: number(1),
    processes: number(0),
    workspaces: number(0),
    calls: number(0),
    move: number(0),
    absent: number(0),
    seed: number(1),
    faults: { type: 'string' },
    only: { type: 'string' },
    help: { type: 'boolean', default: false },
  },
})
/** A chat service is away for this long while the process starts, seconds. */
const START_S = 70
const seed = Number(values.seed)
const faults = values.faults === undefined ? FAULTS : FAULTS.filter((fault) => values.faults?.includes(fault))

const PARTS: readonly (readonly [name: string, times: number, run: () => Promise<Row>])[] = [
  ['kills-slack', Number(values.kills), () => kills('Slack', Number(values.kills))],
  ['kills-discord', Number(values.kills), () => kills('Discord', Number(values.kills))],
  ['random-slack', Number(values.random), () => randomKills('Slack', Number(values.random), seed)],
  ['random-discord', Number(values.random), () => randomKills('Discord', Number(values.random), seed)],
  ['processes', Number(values.processes), () => processes(Number(values.processes), faults)],
  ['move', Number(values.move), () => moveThereAndBack(Number(values.move), Number(values.move) * 10)],
  ['workspaces', Number(values.workspaces), () => workspaces({ count: 200, calls: Number(values.workspaces), seed })],
  ['calls', Number(values.calls), () => discordCalls({ calls: Number(values.calls), seed })],
  ['events', Number(values.repeats), () => repeatedEvents(Number(values.repeats))],
  ['streams', 1, cutStreams],
  ['absences', Number(values.absent), () => absences('Slack', START_S, Number(values.absent))],
  ['absences', Number(values.absent), () => absences('Discord', START_S, Number(values.absent))],
  ['services', Number(values.services), () => slackFaults(Number(values.services))],
  ['services', Number(values.services), () => discordFaults(Number(values.services))],
  ...[0, 0.01, 0.05].map(
    (faultRate) =>
      [
        'faults',
        Number(values.hours),
        () => platformFaults({ faultRate, acts: Math.round(Number(values.hours) * AN_HOUR) }),
      ] as const,
  ),
  ['outage', Number(values.questions), () => outage(Number(values.questions))],
  ['soak', Number(values.minutes), () => soak(Number(values.minutes))],
  ['floods', Number(values.floods), () => floods()],
  ['text', Number(values.tries), () => textFunctions(Number(values.tries), seed)],
  ['fuzz', Number(values.inputs), () => fuzz(Number(values.inputs), seed)],
]

async function main(): Promise<void> {
  if (values.help) {
    process.stdout.write(USAGE)
    return
  }
  const rows: Row[] = []
  for (const [name, times, run] of PARTS) {
    if (times === 0 || (values.only !== undefined && !name.startsWith(values.only))) continue
    // oxlint-disable-next-line no-await-in-loop -- one after the other: each measures the machine
    const row = await run()
    rows.push(row)
    process.stdout.write(`${row.part}: ${row.wrong.length === 0 ? 'passed' : `${row.wrong.length} wrong`}\n`)
    for (const line of row.wrong.slice(0, 50)) process.stdout.write(`  ${line}\n`)
  }
  process.stdout.write(`\n${toTable(rows)}\n`)
  if (rows.some(({ wrong }) => wrong.length > 0)) process.exitCode = 1
}

await main()
