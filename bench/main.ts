import { readFileSync, writeFileSync } from 'node:fs'
import { cpus, loadavg } from 'node:os'
import { parseArgs } from 'node:util'
import { measureSync } from './disk.ts'
import { profileInto } from './footbridge.ts'
import { formatValue, runRow, verdict, type Figure, type Row } from './row.ts'
import { conversionRow } from './rows/conversion.ts'
import { delayRows } from './rows/delay.ts'
import { dropsRow } from './rows/drops.ts'
import { eventsRow } from './rows/events.ts'
import { firstByteRow } from './rows/first-byte.ts'
import { indexRow } from './rows/index-build.ts'
import { installRow } from './rows/install.ts'
import { databaseRow, tracesRow } from './rows/in-turn.ts'
import { ingestRow } from './rows/ingest.ts'
import { loadRows } from './rows/load.ts'
import { callsRow, manyServersRows } from './rows/many-servers.ts'
import { mcpRow } from './rows/mcp.ts'
import { memoryRow } from './rows/memory.ts'
import { openAnswersRow } from './rows/open-answers.ts'
import { postgresIndexRow } from './rows/postgres-index.ts'
import { ragRow } from './rows/rag.ts'
import { referenceRows } from './rows/references.ts'
import { retrievalRows } from './rows/retrieval.ts'
import { startUpRow } from './rows/start-up.ts'
import { streamsRow } from './rows/streams.ts'
import { uploadRow } from './rows/upload.ts'
import { parseSlice, refuseUnknownBots } from './slice.ts'

const rows: readonly Row[] = [
  ...delayRows,
  ...loadRows,
  openAnswersRow,
  installRow,
  startUpRow,
  memoryRow,
  ingestRow,
  dropsRow,
  conversionRow,
  indexRow,
  ...retrievalRows,
  ragRow,
  mcpRow,
  postgresIndexRow,
  ...referenceRows,
  firstByteRow,
  streamsRow,
  uploadRow,
  tracesRow,
  databaseRow,
  eventsRow,
  ...manyServersRows,
  callsRow,
]

const resultsFile = new URL('results.md', import.meta.url)

interface Measured {
  readonly figure: Figure
  readonly load: string
}

const say = (text: string) => void process.stdout.write(`${text}\n`)

function conditions(): string {
  const memory = /MemTotal:\s+(\d+)/.exec(readFileSync('/proc/meminfo', 'utf8'))?.[1] ?? '0'
  const machine = `${cpus().length} cores (${cpus()[0]?.model.trim() ?? 'unknown'}), ${Math.round(Number(memory) / 1e6)} GB`
  return `Node ${process.version}, ${machine}, fsync ${measureSync().toFixed(2)} ms, ${new Date().toISOString().slice(0, 16)}Z`
}

const goalOf = ({ goal, least, unit }: Figure) =>
  goal !== undefined ? `≤ ${goal} ${unit}` : least === undefined ? '' : `≥ ${least} ${unit}`

function describe({ figure, load }: Measured): string {
  const goal = goalOf(figure) === '' ? '' : ` (goal ${goalOf(figure)})`
  const detail = figure.detail === undefined ? '' : `; ${figure.detail}`
  return `${verdict(figure).padEnd(4)} ${figure.name}: ${formatValue(figure)}${goal}${detail}; load ${load}`
}

function toPage(measured: readonly Measured[], command: string, where: string): string {
  const lines = measured.map(
    ({ figure, load }) =>
      `| ${figure.name} | ${formatValue(figure)} | ${goalOf(figure)} | ${verdict(figure)} | ${figure.detail ?? ''} | ${load} |`,
  )
  return [
    '# Last figures',
    '',
    `\`${command}\`: ${where}. Load is the one-minute average when the row began, this bench included.`,
    'What the rows measure stands in [docs/bench.md](../docs/bench.md).',
    '',
    '| figure | value | goal | | made from | load |',
    '|---|---|---|---|---|---|',
    ...lines,
    '',
  ].join('\n')
}

const OPTIONS = {
  save: { type: 'boolean' },
  large: { type: 'boolean' },
  profile: { type: 'string' },
  'at-once': { type: 'string' },
  bots: { type: 'string' },
  rounds: { type: 'string' },
  bursts: { type: 'string' },
  seconds: { type: 'string' },
} as const

/** Rows by name; without one all, the large ones only with `--large`. `--save` keeps the figures in `bench/results.md`; `--profile DIR` CPU profiles of the product; the others run a `Slice`. */
async function main(args: readonly string[]): Promise<void> {
  const { values, positionals } = parseArgs({ args: [...args], options: OPTIONS, allowPositionals: true })
  const slice = parseSlice(values)
  const unknown = positionals.filter((name) => !rows.some((row) => row.name === name))
  if (unknown.length > 0) {
    throw new Error(`There is no row ${unknown.join(', ')}. There are: ${rows.map((row) => row.name).join(', ')}.`)
  }
  const isWanted = ({ name, isLarge = false }: Row) =>
    positionals.length === 0 ? !isLarge || values.large === true : positionals.includes(name)
  const wanted = rows.filter(isWanted)
  refuseUnknownBots(wanted, slice)
  if (values.profile !== undefined) profileInto(values.profile)
  const where = conditions()
  say(`# ${where}`)
  const measured: Measured[] = []
  for (const row of wanted) {
    const load = (loadavg()[0] ?? 0).toFixed(1)
    try {
      for (const figure of await runRow(row, row.limitMs, slice)) {
        measured.push({ figure, load })
        say(describe({ figure, load }))
      }
    } catch (error) {
      say(`fail ${row.name}: ${error instanceof Error ? error.message : String(error)}`)
      process.exitCode = 1
    }
  }
  if (values.save === true) {
    writeFileSync(resultsFile, toPage(measured, ['npm run bench --', ...args].join(' '), where))
  }
}

for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1))
try {
  await main(process.argv.slice(2))
} catch (error) {
  say(error instanceof Error ? error.message : String(error))
  process.exitCode = 1
}
// A row that ran out of time may still hold something open.
process.exit()
