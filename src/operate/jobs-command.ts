import { parseArgs, stripVTControlCharacters } from 'node:util'
import { conversationOf, type Inbound } from '#bridge/port/message.ts'
import type { JobAdmin, JobState, StoredJob } from '#bridge/port/store.ts'
import { redactText } from '#start/log.ts'
import { openJobs } from '#store/store.ts'
import { toColumns, UsageError } from '#start/terminal.ts'

/** `jobs --help` prints it. */
export const USAGE = `Usage: footbridge jobs <command>     (in a checkout: npm run jobs -- <command>)
  list              list jobs that failed for good (dead) or wait; --dead or --waiting: only these; --limit 100
  show <id>         show one job; --text adds the message of the person
  retry <id> …      run dead or waiting jobs again now; --dead: all dead ones
  drop <id> …       end dead or waiting jobs without running them; --dead: all dead ones
list and show take --json. All commands also work while Footbridge runs: it notices a change within two seconds.
`

const OPTIONS = {
  dead: { type: 'boolean' },
  waiting: { type: 'boolean' },
  json: { type: 'boolean' },
  text: { type: 'boolean' },
  limit: { type: 'string', default: '100' },
} as const

interface Words {
  readonly ids: readonly string[]
  readonly dead?: boolean
  readonly waiting?: boolean
  readonly json?: boolean
  readonly text?: boolean
  readonly limit: number
}

type Command = (jobs: JobAdmin, words: Words, now: number) => Promise<string>

const COMMANDS: Readonly<Record<string, { readonly mode: 'read' | 'change'; readonly run: Command }>> = {
  list: { mode: 'read', run: list },
  show: { mode: 'read', run: show },
  retry: { mode: 'change', run: retry },
  drop: { mode: 'change', run: drop },
}

/** More dead jobs than a terminal is for; `--dead` changes this many at once. */
const MAX_LISTED = 100_000

/**
 * The `jobs` command, also while Footbridge runs: `list` and `show` read only, `retry` and `drop` change rows as
 * `openJobs` says.
 *
 * @returns what to print, and whether a named job could not be changed
 * @throws {Error} with a sentence for the person at the terminal
 */
export async function runJobs(
  at: { readonly dataDir: string; readonly databaseUrl?: string },
  typed: readonly string[],
  clock: () => number = Date.now,
): Promise<{ readonly text: string; readonly failed?: boolean }> {
  const [name = '', ...rest] = typed
  if (name === '') return { text: USAGE.trimEnd() }
  const command = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined
  if (command === undefined) throw new UsageError(`There is no command ${name}.\n${USAGE.trimEnd()}`)
  const words = parse(rest)
  const store = await openJobs(at, command.mode)
  try {
    const text = await command.run(store.jobs, words, clock())
    return { text, failed: words.ids.length > 0 && text.includes(UNCHANGED) }
  } finally {
    await store.close()
  }
}

function parse(args: readonly string[]): Words {
  try {
    const { values, positionals: ids } = parseArgs({ args: [...args], allowPositionals: true, options: OPTIONS })
    const limit = Number(values.limit)
    if (Number.isInteger(limit) && limit > 0 && limit <= MAX_LISTED) return { ...values, ids, limit }
    throw new Error(`--limit ${values.limit}: write a number from 1 to ${MAX_LISTED}`)
  } catch (error) {
    const why = error instanceof Error ? error.message.split('. ')[0] : String(error)
    throw new Error(`${why}.\n${USAGE.trimEnd()}`, { cause: error })
  }
}

/** One line without the marks by which a terminal can be steered: reasons quote names that people chose. */
const plain = (text: string) =>
  stripVTControlCharacters(redactText(text))
    .replace(/[\p{Cc}\p{Cf}\s]+/gu, ' ')
    .trim()

/** A job without people's texts. */
function describe(job: StoredJob, now: number) {
  const { channel, thread, adapter: service, workspace } = conversationOf(job.inbound)
  return {
    id: job.id,
    state: job.state === 'queued' ? 'waiting' : job.state,
    service,
    workspace,
    channel,
    thread,
    kind: job.inbound.kind,
    acceptedAt: new Date(job.createdAt).toISOString(),
    ageSeconds: Math.max(0, Math.round((now - job.createdAt) / 1000)),
    dueInSeconds: job.state === 'queued' ? Math.max(0, Math.round((job.dueAt - now) / 1000)) : undefined,
    attempts: job.attempt,
    deaths: job.deaths,
    reason: job.reason === undefined ? undefined : plain(job.reason),
  }
}

const toJson = (value: unknown) => JSON.stringify(value, undefined, 2)

/** `95` → `95 s`; the largest unit of which there are two. */
function toSpan(seconds: number): string {
  const [name, size] =
    (
      [
        ['d', 86_400],
        ['h', 3600],
        ['min', 60],
      ] as const
    ).find(([, each]) => seconds >= 2 * each) ?? (['s', 1] as const)
  return `${Math.floor(seconds / size)} ${name}`
}

/** Longer reasons are cut in the table; `show` has them whole. */
const REASON_CHARS = 80
const short = (reason = '') => (reason.length > REASON_CHARS ? `${reason.slice(0, REASON_CHARS - 1)}…` : reason)

async function list(jobs: JobAdmin, { dead, waiting, json, limit }: Words, now: number): Promise<string> {
  const states: readonly JobState[] = dead === waiting ? ['dead', 'queued'] : dead === true ? ['dead'] : ['queued']
  const [found, depth] = [await jobs.list(states, limit), await jobs.depth()]
  const rows = found.map((job) => describe(job, now))
  if (json === true) return toJson({ ...depth, jobs: rows })
  const summary = `${depth.dead} dead, ${depth.waiting} waiting, ${depth.running} running.`
  if (rows.length === 0) return summary
  const head = ['id', 'state', 'service', 'channel', 'kind', 'age', 'attempts', 'reason']
  const cells = rows.map((row) => [
    plain(row.id),
    row.state,
    row.service,
    plain(row.channel) || '–',
    row.kind,
    toSpan(row.ageSeconds),
    String(row.attempts),
    short(row.reason) || '–',
  ])
  const total = (states.includes('dead') ? depth.dead : 0) + (states.includes('queued') ? depth.waiting : 0)
  const more = total > rows.length ? [`The ${rows.length} oldest of ${total} are shown: --limit shows more.`] : []
  return [toColumns([head, ...cells]), '', summary, ...more].join('\n')
}

async function show(jobs: JobAdmin, { ids, json, text }: Words, now: number): Promise<string> {
  const [id] = ids
  if (id === undefined || ids.length > 1) throw new Error(`show takes one id.\n${USAGE.trimEnd()}`)
  const job = await jobs.job(id)
  if (job === undefined) throw new Error(`There is no job ${plain(id)}: list shows the ids.`)
  const { ageSeconds, ...rest } = describe(job, now)
  const fields = {
    ...rest,
    age: toSpan(ageSeconds),
    queue: job.queue,
    text: text === true ? textOf(job.inbound) : undefined,
  }
  if (json === true) return toJson({ ...fields, ageSeconds })
  return toColumns(
    Object.entries(fields).flatMap(([name, value]) => (value === undefined ? [] : [[name, plain(String(value))]])),
  )
}

function textOf(inbound: Inbound): string | undefined {
  if (inbound.kind === 'message' || inbound.kind === 'edit') return inbound.message.text
  if (inbound.kind === 'command') return `/${inbound.command.name} ${inbound.command.argument}`
  return inbound.kind === 'action' ? inbound.action.text : undefined
}

const UNCHANGED = 'nothing was changed'

/** The named jobs, or all dead ones; a line for each. */
async function changeAll(
  jobs: JobAdmin,
  { ids, dead }: Words,
  doing: { readonly change: (id: string) => Promise<boolean>; readonly did: string },
): Promise<string> {
  if (ids.length === 0 && dead !== true)
    throw new Error(`Name a job, or say --dead for all of them.\n${USAGE.trimEnd()}`)
  const chosen = ids.length > 0 ? ids : (await jobs.list(['dead'], MAX_LISTED)).map(({ id }) => id)
  const lines: string[] = []
  for (const id of chosen)
    lines.push((await doing.change(id)) ? `${plain(id)} ${doing.did}` : `${plain(id)} ${await whyNot(jobs, id)}`)
  return lines.length === 0 ? 'No job is dead: nothing to do.' : lines.join('\n')
}

async function whyNot(jobs: JobAdmin, id: string): Promise<string> {
  const job = await jobs.job(id)
  if (job === undefined) return `is not known: ${UNCHANGED}.`
  if (job.state === 'running') return `is running: ${UNCHANGED}. Stop it where it was asked, or wait.`
  return `is over: ${UNCHANGED}.`
}

function retry(jobs: JobAdmin, words: Words, now: number): Promise<string> {
  return changeAll(jobs, words, { change: (id) => jobs.requeue(id, now), did: 'is due now.' })
}

function drop(jobs: JobAdmin, words: Words, now: number): Promise<string> {
  return changeAll(jobs, words, { change: (id) => jobs.discard(id, now), did: 'is dropped: it will not be run.' })
}
