import { parseArgs } from 'node:util'
import { fuzz } from './fuzz.ts'
import { kills } from './kills.ts'
import { platformFaults, soak } from './load.ts'
import { type Row, toTable } from './row.ts'
import { cutStreams, repeatedEvents } from './streams.ts'
import { textFunctions } from './text-functions.ts'

const USAGE = `Usage: npm run torture -- [options]
  --kills=<n>      times fifty kills on Slack and on Discord (0)
  --tries=<n>      families of text (20000)
  --inputs=<n>     hostile names, files and payloads (1000)
  --questions=<n>  under faults of the platform, at each rate of 0, 1 and 5 % (200)
  --minutes=<n>    soak (0)
  --repeats=<n>    questions whose events come three times (10)
  --seed=<n>       (1)
  --only=<part>    kills, text, fuzz, faults, soak, streams, events
What was measured, and with which options: docs/figures.md
`

const number = (fallback: number) => ({ type: 'string', default: String(fallback) }) as const

const { values } = parseArgs({
  options: {
    kills: number(0),
    tries: number(20_000),
    inputs: number(1000),
    questions: number(200),
    minutes: number(0),
    repeats: number(10),
    seed: number(1),
    only: { type: 'string' },
    help: { type: 'boolean', default: false },
  },
})
const seed = Number(values.seed)

const PARTS: readonly (readonly [name: string, times: number, run: () => Promise<Row>])[] = [
  ['kills', Number(values.kills), () => kills('Slack', Number(values.kills))],
  ['kills', Number(values.kills), () => kills('Discord', Number(values.kills))],
  ['events', Number(values.repeats), () => repeatedEvents(Number(values.repeats))],
  ['streams', 1, cutStreams],
  ...[0, 0.01, 0.05].map(
    (faultRate) =>
      [
        'faults',
        Number(values.questions),
        () => platformFaults({ faultRate, questions: Number(values.questions), seed }),
      ] as const,
  ),
  ['soak', Number(values.minutes), () => soak(Number(values.minutes), seed)],
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
    if (times === 0 || (values.only !== undefined && values.only !== name)) continue
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
