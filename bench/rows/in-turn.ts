import { setTimeout as sleep } from 'node:timers/promises'
import { startOtlpReceiver } from '#test/support/otlp.ts'
import { startCluster } from '#test/support/postgres/cluster.ts'
import { openFolder, startFootbridge } from '../footbridge.ts'
import { longAnswer, modelName, questionText, startModel } from '../model.ts'
import { cpuMsOf } from '../process.ts'
import type { Row, Slice } from '../row.ts'
import { openSlack, stageChannels, type Asking, type Stage } from '../stage.ts'
import { median } from '../statistics.ts'

// One process of bridge and platform against another one that differs by a setting, in turn.

const ROUNDS = 5
const bursts = 4
/** Spans are sent each second, and other work after an answer ends before. */
const restMs = 1_200

let lastId = 0

async function askAll(stage: Stage): Promise<readonly Asking[]> {
  const asked = Array.from({ length: stageChannels }, (_, channel) => {
    lastId += 1
    return stage.ask(channel, lastId, questionText(lastId))
  })
  await Promise.all(asked.map(({ answered }) => answered))
  return asked
}

interface Measured {
  /** Median of the rounds: processor time of an answer. */
  readonly cpuMs: number
  /** Median of the answers: from the event to the first visible text, less the model's own time. */
  readonly delayMs: number
}

/** The two settings, each measured in turn. */
async function inTurn(
  scope: AsyncDisposableStack,
  settings: readonly [Readonly<Record<string, string>>, Readonly<Record<string, string>>],
  { rounds = ROUNDS }: Slice,
): Promise<readonly [Measured, Measured]> {
  const model = scope.use(await startModel(longAnswer(2_000)))
  const open = async (env: Readonly<Record<string, string>>) => {
    const stage = scope.use(await openSlack())
    const upstream = { UPSTREAM_BASE_URL: model.baseUrl, UPSTREAM_CHAT_MODEL: modelName, PLATFORM_MODEL: modelName }
    const { pid } = await startFootbridge(scope, openFolder(scope), { ...stage.env, ...upstream, ...env })
    await stage.drop(0, 'ferry.md', 'text/markdown', 'The ferry leaves at 9:40 from pier seven every day.')
    return { stage, pid, cpuMs: [] as number[], delayMs: [] as number[] }
  }
  const one = await open(settings[0])
  const other = await open(settings[1])
  for (let round = -2; round < rounds; round += 1) {
    for (const each of round % 2 === 0 ? [one, other] : [other, one]) {
      const before = cpuMsOf(each.pid)
      const asked: Asking[] = []
      for (let burst = 0; burst < bursts; burst += 1) asked.push(...(await askAll(each.stage)))
      await sleep(restMs)
      if (round < 0) continue
      each.cpuMs.push((cpuMsOf(each.pid) - before) / asked.length)
      each.delayMs.push(...asked.map((asking) => asking.firstVisibleAt() - asking.at - model.ownMs(asking.id)))
    }
  }
  const measured = ({ cpuMs, delayMs }: typeof one): Measured => ({ cpuMs: median(cpuMs), delayMs: median(delayMs) })
  return [measured(one), measured(other)]
}

const ROW = { isLarge: true, limitMs: 600_000 } as const

/** Processor time of an answer with traces and without. */
export const tracesRow: Row = {
  ...ROW,
  name: 'traces',
  async run(scope, slice) {
    const receiver = await startOtlpReceiver()
    scope.defer(() => receiver.close())
    const [off, on] = await inTurn(scope, [{}, { OTEL_EXPORTER_OTLP_ENDPOINT: receiver.endpoint }], slice)
    const answers = new Set(receiver.spans.filter(({ name }) => name === 'slack finish').map(({ traceId }) => traceId))
    const spans = receiver.spans.filter(({ traceId }) => answers.has(traceId)).length / answers.size
    return [
      {
        name: 'processor time of an answer with traces',
        value: on.cpuMs / off.cpuMs,
        unit: '×',
        goal: 1.05,
        detail: `${on.cpuMs.toFixed(1)} ms, without ${off.cpuMs.toFixed(1)} ms; ${spans.toFixed(0)} spans an answer`,
      },
    ]
  },
}

/** An answer of a process that stores everything on PostgreSQL, against one on SQLite. */
export const databaseRow: Row = {
  ...ROW,
  name: 'answer-postgres',
  async run(scope, slice) {
    const cluster = await startCluster({ durable: true })
    scope.defer(() => cluster.remove())
    const [folder, server] = await inTurn(scope, [{}, { DATABASE_URL: cluster.url }], slice)
    const detail = (pick: keyof Measured) => `${server[pick].toFixed(1)} ms, on SQLite ${folder[pick].toFixed(1)} ms`
    return [
      {
        name: 'processor time of an answer on PostgreSQL, the server aside',
        value: server.cpuMs / folder.cpuMs,
        unit: '×',
        goal: 1.3,
        detail: detail('cpuMs'),
      },
      {
        name: 'added delay of an answer on PostgreSQL beside SQLite, ten at once',
        value: server.delayMs - folder.delayMs,
        unit: 'ms',
        goal: 20,
        detail: detail('delayMs'),
      },
    ]
  },
}
