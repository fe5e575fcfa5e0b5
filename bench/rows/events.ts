import { setTimeout as sleep } from 'node:timers/promises'
import { startCluster } from '#test/support/postgres/cluster.ts'
import { openFolder, startFootbridge } from '../footbridge.ts'
import { modelName, questionText, startModel } from '../model.ts'
import { cpuMsOf } from '../process.ts'
import type { Figure, Row, Slice } from '../row.ts'
import { openSlack, type Asking } from '../stage.ts'
import { quantile } from '../statistics.ts'

/** Events a second, tried one after the other; of a thousand 20 are questions and 5 files, the others what people say. */
const RATES = [50, 200, 500, 1000] as const
/** Of each rate, and of the first one, which warms up. */
const TRY_SECONDS = 10
const TICK_MS = 20
const QUESTIONS = 0.02
const FILES = 0.005
const CHANNELS = 200
/** Channels in which people talk and drop files. */
const LOBBIES = 100
/** Answers and acknowledgements that have not come this long after the last event never do. */
const PATIENCE_MS = 20_000
/** Older records are dropped, so that a run may be long: whole answers are counted by then. */
const KEPT_MS = 60_000
const FORGET_EVERY_MS = 5000
const BOTS: readonly string[] = ['sqlite', 'postgres']
const GOALS = { ackMs: 500, signMs: 1000 } as const

interface Tried {
  readonly rate: number
  /** Events that were really sent in a second. */
  readonly sent: number
  readonly ackMs: number
  readonly signMs: number
  readonly late: number
  readonly questions: number
  /** Processor time of the product, answers and files included, for each event. */
  readonly cpuMs: number
}

let lastId = 0
let lastFile = 0

async function tryRate(
  stage: Awaited<ReturnType<typeof openSlack>>,
  rate: number,
  pids: readonly number[],
  seconds = TRY_SECONDS,
): Promise<Tried> {
  const { slack } = stage
  const user = slack.addUser({ name: 'ben' }).id
  const lobbies = Array.from({ length: LOBBIES }, () => slack.addChannel())
  const acks: number[] = []
  const asked: Promise<void>[] = []
  const signs: number[] = []
  let answered = 0
  let forgottenAt = performance.now()
  let missing = 0
  let sent = 0
  const begun = performance.now()
  const cpuMs = () => pids.reduce((sum, pid) => sum + cpuMsOf(pid), 0)
  const cpuBefore = cpuMs()
  const noteAck = async (acked: Promise<unknown>, at: number): Promise<void> => {
    await acked
    missing -= 1
    acks.push(performance.now() - at)
  }
  const noteEnd = async (asking: Asking): Promise<void> => {
    await asking.answered
    answered += 1
    try {
      signs.push(asking.signMs())
    } catch {
      // An answer that took longer than what is kept has no sign.
    }
  }
  const one = (kind: number): void => {
    const before = slack.envelopes.length
    const at = performance.now()
    const channel = lobbies[kind % LOBBIES] ?? ''
    if (kind % Math.round(1 / QUESTIONS) === 0)
      asked.push(noteEnd(stage.ask((lastId += 1) % CHANNELS, lastId, questionText(lastId))))
    else if (kind % Math.round(1 / FILES) === 1) {
      const file = slack.hostFile('The ferry leaves at nine.', `plan ${(lastFile += 1)}.md`, 'text/markdown')
      slack.say({ channel, user, files: [file] })
    } else slack.say({ channel, user, text: 'Lunch at noon?' })
    for (const { acked } of slack.envelopes.slice(before)) {
      missing += 1
      void noteAck(acked, at)
    }
  }
  while (performance.now() - begun < seconds * 1000) {
    for (const due = ((performance.now() - begun) * rate) / 1000; sent < due;) one((sent += 1))
    if (performance.now() - forgottenAt > FORGET_EVERY_MS) {
      stage.forget(KEPT_MS)
      forgottenAt = performance.now()
    }
    await sleep(TICK_MS)
  }
  const lasted = (performance.now() - begun) / 1000
  await Promise.race([Promise.all(asked), sleep(PATIENCE_MS)])
  return {
    rate,
    sent: sent / lasted,
    ackMs: acks.length === 0 ? Infinity : quantile(acks, 0.99),
    signMs: signs.length === 0 ? Infinity : quantile(signs, 0.95),
    late: missing + asked.length - answered,
    questions: asked.length,
    cpuMs: (cpuMs() - cpuBefore) / sent,
  }
}

const isHeld = ({ rate, sent, ackMs, signMs, late }: Tried) =>
  sent > rate * 0.95 && ackMs < GOALS.ackMs && signMs < GOALS.signMs && late === 0

function toFigures(where: string, tries: readonly Tried[]): readonly Figure[] {
  const held = tries.filter(isHeld).at(-1)
  const last = tries.at(-1)
  const detail = tries
    .map(
      ({ rate, sent, ackMs, signMs, late, questions, cpuMs }) =>
        `${rate}/s: sent ${sent.toFixed(0)}/s, ack p99 ${ackMs.toFixed(0)} ms, first sign p95 ${signMs.toFixed(0)} ms, ${late} late of ${questions} questions, ${cpuMs.toFixed(2)} ms of a processor an event`,
    )
    .join('; ')
  return [
    { name: `events a second that are held, ${where}`, value: held?.rate ?? 0, unit: 'events/s', least: 1000, detail },
    {
      name: `acknowledgement p99 at ${last?.rate ?? 0} events a second, ${where}`,
      value: last?.ackMs ?? 0,
      unit: 'ms',
      goal: GOALS.ackMs,
    },
    {
      name: `first sign p95 at ${last?.rate ?? 0} events a second, ${where}`,
      value: last?.signMs ?? 0,
      unit: 'ms',
      goal: GOALS.signMs,
    },
  ]
}

interface Place {
  readonly where: string
  readonly processes: number
  readonly databaseUrl?: string
}

/** Several processes on one Slack; events go to each in turn. Tries end with the first rate that is not held. */
async function measure(
  scope: AsyncDisposableStack,
  { where, processes, databaseUrl }: Place,
  rates: readonly number[],
  seconds: number | undefined,
): Promise<readonly Figure[]> {
  const model = scope.use(await startModel())
  const stage = scope.use(await openSlack(CHANNELS, { spread: processes > 1 }))
  const upstream = { UPSTREAM_BASE_URL: model.baseUrl, UPSTREAM_CHAT_MODEL: modelName, PLATFORM_MODEL: modelName }
  const shared: Readonly<Record<string, string>> =
    databaseUrl === undefined ? {} : { DATABASE_URL: databaseUrl, PLATFORM_API_KEY: 'fb-bench-key-0123456789' }
  const pids: number[] = []
  for (let count = 0; count < processes; count += 1)
    pids.push((await startFootbridge(scope, openFolder(scope), { ...stage.env, ...upstream, ...shared })).pid)
  // The first questions of each process load what answers need.
  await tryRate(stage, RATES[0], pids)
  const tries: Tried[] = []
  for (const rate of rates) {
    const tried = await tryRate(stage, rate, pids, seconds)
    tries.push(tried)
    if (!isHeld(tried)) break
  }
  return toFigures(where, tries)
}

/** Events, a few of them questions and files: on SQLite in one process, on PostgreSQL in three. */
export const eventsRow: Row = {
  name: 'events',
  isLarge: true,
  limitMs: 3_600_000,
  bots: BOTS,
  async run(scope, { bots = BOTS, atOnce: rates = RATES, seconds }: Slice) {
    const figures: Figure[] = []
    if (bots.includes('sqlite')) {
      const alone = new AsyncDisposableStack()
      const place = { where: 'one process on SQLite', processes: 1 }
      figures.push(...(await measure(alone, place, rates, seconds).finally(() => alone.disposeAsync())))
    }
    if (bots.includes('postgres')) {
      const cluster = await startCluster({ durable: true })
      scope.defer(() => cluster.remove())
      const place = { where: 'three processes on PostgreSQL', processes: 3, databaseUrl: cluster.url }
      figures.push(...(await measure(scope, place, rates, seconds)))
    }
    return figures
  },
}
