import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { openFolder, startFootbridge } from '../footbridge.ts'
import { longAnswer, modelName, questionText, startModel, type Model } from '../model.ts'
import { cpuMsOf, peakOf, startProgram } from '../process.ts'
import type { Figure, Row, Slice } from '../row.ts'
import { openDiscord, openSlack, type Asking, type Stage } from '../stage.ts'
import { median, quantile } from '../statistics.ts'

const ROUNDS = 3
/** Bursts of one bot in a round: five times the number at once is answered. */
const BURSTS = 5
/** Work behind an answer (rows to close, a typing sign) ends before the next burst. */
const REST_MS = 500
/** An answer with References and marks resolved may be a little shorter than the model's text. */
const WHOLE = 0.98

/**
 * The product with its platform in another process; all in one process; the smallest bot; the Chat SDK, where it is
 * installed (`npm ci --prefix bench/peers/chat-sdk`).
 */
type Contender = 'alone' | 'whole' | 'peer' | 'sdk'

interface Bot {
  readonly stage: Stage
  readonly pid: number
}
type Bots = ReadonlyMap<Contender, Bot>

/** Samples of one bot in one round: milliseconds, one a question. */
interface Samples {
  readonly delay: number[]
  readonly wayIn: number[]
  readonly ack: number[]
  readonly sign: number[]
  readonly tail: number[]
  cpuMs: number
  calls: number
  answers: number
  whole: number
}

const noSamples = (): Samples => ({
  delay: [],
  wayIn: [],
  ack: [],
  sign: [],
  tail: [],
  cpuMs: 0,
  calls: 0,
  answers: 0,
  whole: 0,
})

interface Plan {
  readonly name: string
  readonly service: 'Slack' | 'Discord'
  readonly characters: number
  readonly atOnce: readonly number[]
  /** Of the processor time at 100 at once, as a multiple of the smallest bot's: bridge alone, all in one process. */
  readonly goals?: readonly [alone: number, whole: number]
  /** Default: the limits of the service are off. */
  readonly limited?: boolean
  /** So many servers, each with its part of the channels; default one. */
  readonly servers?: number
}

const SDK = new URL('../peers/chat-sdk/', import.meta.url)

async function openBots(scope: AsyncDisposableStack, model: Model, plan: Plan, slice: Slice): Promise<Bots> {
  const isWanted = (contender: Contender) => slice.bots?.includes(contender) ?? true
  const channels = Math.max(...plan.atOnce)
  const crowd = plan.servers && { guilds: plan.servers, channels: Math.ceil(channels / plan.servers) }
  const limits = { crowd: crowd || undefined, ...(plan.limited === true ? {} : { limits: { edits: Infinity } }) }
  const open = async () =>
    scope.use<Stage>(await (plan.service === 'Slack' ? openSlack(channels) : openDiscord(channels, limits)))
  const bots = new Map<Contender, Bot>()
  async function addOurs(contender: Contender, env: Readonly<Record<string, string>>) {
    if (!isWanted(contender)) return
    const stage = await open()
    const settings = { ...stage.env, PLATFORM_MODEL: modelName, ...env }
    const { pid } = await startFootbridge(scope, openFolder(scope), settings)
    bots.set(contender, { stage, pid })
  }
  async function addPeer(contender: Contender, script: URL) {
    if (!isWanted(contender)) return
    const stage = await open()
    const args = [...stage.peerArgs, model.baseUrl]
    const { pid } = scope.use(await startProgram({ script: fileURLToPath(script), args, ready: /^ready$/ }))
    bots.set(contender, { stage, pid })
  }
  await addOurs('alone', { PLATFORM_BASE_URL: model.baseUrl, PLATFORM_API_KEY: 'bench-key-0123456789' })
  await addOurs('whole', { UPSTREAM_BASE_URL: model.baseUrl, UPSTREAM_CHAT_MODEL: modelName })
  await addPeer('peer', new URL(`../peers/${plan.service.toLowerCase()}.ts`, import.meta.url))
  // The SDK's Discord adapter always connects to Discord itself.
  if (plan.service === 'Slack' && existsSync(new URL('node_modules', SDK)))
    await addPeer('sdk', new URL('slack.js', SDK))
  return bots
}

let lastId = 0

async function askAtOnce(stage: Stage, count: number) {
  const asked = Array.from({ length: count }, (_, channel) => {
    lastId += 1
    return stage.ask(channel, lastId, questionText(lastId))
  })
  const ends = await Promise.all(asked.map(({ answered }) => answered))
  await new Promise((resolve) => setTimeout(resolve, REST_MS))
  return asked.map((asking, index) => ({ asking, endedAt: ends[index] ?? Number.NaN }))
}

function note(into: Samples, model: Model, asking: Asking, endedAt: number, characters: number): void {
  into.delay.push(asking.firstVisibleAt() - asking.at - model.ownMs(asking.id))
  into.wayIn.push(model.askedAt(asking.id) - asking.at)
  into.sign.push(asking.signMs())
  into.tail.push(endedAt - model.endedAt(asking.id))
  const ack = asking.ackMs()
  if (ack !== undefined) into.ack.push(ack)
  into.answers += 1
  into.whole += Number(asking.characters() >= WHOLE * characters)
}

type Rounds = ReadonlyMap<Contender, readonly Samples[]>

/** A round of warming up, then the rounds, the bots in turn. */
async function measure(
  bots: Bots,
  model: Model,
  { atOnce, characters, rounds: count = ROUNDS, bursts = BURSTS }: Slice & { atOnce: number; characters: number },
): Promise<Rounds> {
  const rounds = new Map([...bots.keys()].map((contender): [Contender, Samples[]] => [contender, []]))
  for (let round = -1; round < count; round += 1) {
    for (const [contender, { stage, pid }] of bots) {
      const samples = noSamples()
      const [cpu, calls] = [cpuMsOf(pid), stage.calls()]
      for (let burst = 0; burst < bursts; burst += 1)
        for (const { asking, endedAt } of await askAtOnce(stage, atOnce))
          note(samples, model, asking, endedAt, characters)
      samples.cpuMs = (cpuMsOf(pid) - cpu) / samples.answers
      samples.calls = (stage.calls() - calls) / samples.answers
      if (round >= 0) rounds.get(contender)?.push(samples)
    }
  }
  return rounds
}

const ms = (value: number) => `${value.toFixed(value < 100 ? 1 : 0)} ms`
const all = (rounds: readonly Samples[], of: (samples: Samples) => readonly number[]) => rounds.flatMap(of)
const spread = (rounds: readonly Samples[], of: (samples: Samples) => readonly number[]) =>
  `${ms(median(all(rounds, of)))} / ${ms(quantile(all(rounds, of), 0.95))}`

/** Median over the rounds of ours beside the other in the same round. */
const ratio = (ours: readonly Samples[], other: readonly Samples[], of: (samples: Samples) => number) =>
  median(ours.map((samples, round) => of(samples) / of(other[round] ?? samples)))

const p50 = (pick: (samples: Samples) => readonly number[]) => (samples: Samples) => median(pick(samples))

const NAMES = { alone: 'bridge alone', whole: 'all in one process' } as const

function toFigures(plan: Plan, atOnce: number, rounds: Rounds): readonly Figure[] {
  const of = (contender: Contender) => rounds.get(contender) ?? []
  const [peer, sdk] = [of('peer'), of('sdk')]
  const cpu = (contender: Contender) => ms(median(of(contender).map(({ cpuMs }) => cpuMs)))
  const isBurst = atOnce === 100
  return (['alone', 'whole'] as const).flatMap((contender, index): readonly Figure[] => {
    const ours = of(contender)
    if (ours.length === 0) return []
    const where = `${plan.service}, ${plan.characters} characters, ${atOnce} at once, ${NAMES[contender]}`
    const figure = (name: string, value: number, goal: number | undefined, detail: string): Figure => ({
      name: `${name}, ${where}`,
      value,
      unit: '×',
      goal,
      detail,
    })
    const times = { delay: 'added delay', wayIn: 'event to model', sign: 'first sign', tail: 'tail' } as const
    const details = Object.entries(times).map(([key, name]) => {
      const pick = (samples: Samples) => samples[key as keyof typeof times]
      return `${name} p50 / p95 ${spread(ours, pick)}, smallest bot ${spread(peer, pick)}`
    })
    const total = (pick: 'answers' | 'whole') => ours.reduce((sum, samples) => sum + samples[pick], 0)
    return [
      figure(
        'processor time an answer',
        ratio(ours, peer, ({ cpuMs }) => cpuMs),
        isBurst ? plan.goals?.[index] : undefined,
        `ours ${cpu(contender)}, smallest bot ${cpu('peer')}; requests an answer ${median(ours.map(({ calls }) => calls)).toFixed(1)}, ${median(peer.map(({ calls }) => calls)).toFixed(1)}`,
      ),
      ...(sdk.length === 0
        ? []
        : [
            figure(
              'processor time beside the Chat SDK',
              ratio(ours, sdk, ({ cpuMs }) => cpuMs),
              isBurst ? 0.5 : undefined,
              `Chat SDK ${cpu('sdk')}, added delay ${spread(sdk, ({ delay }) => delay)}`,
            ),
          ]),
      figure(
        'added delay',
        ratio(
          ours,
          peer,
          p50(({ delay }) => delay),
        ),
        contender === 'alone' ? 1.5 : undefined,
        details.join('; '),
      ),
      figure(
        'event to model, p95 of its p50',
        ratio(ours, ours, () => 1) *
          (quantile(
            all(ours, ({ wayIn }) => wayIn),
            0.95,
          ) /
            median(all(ours, ({ wayIn }) => wayIn))),
        atOnce >= 100 ? 2 : undefined,
        '',
      ),
      ...(all(ours, ({ ack }) => ack).length === 0
        ? []
        : [
            figure(
              'acknowledgement p99',
              ratio(ours, peer, ({ ack }) => quantile(ack, 0.99)),
              isBurst ? 2 : undefined,
              `p50 / p95 ours ${spread(ours, ({ ack }) => ack)}, smallest bot ${spread(peer, ({ ack }) => ack)}`,
            ),
          ]),
      {
        name: `answers whole, ${where}`,
        value: (100 * total('whole')) / total('answers'),
        unit: '%',
        least: 100,
        detail: `${total('answers')} answers`,
      },
    ]
  })
}

function memoryOf(plan: Plan, bots: Bots): readonly Figure[] {
  const peaks = [...bots].map(([contender, { pid }]) => [contender, peakOf(pid)] as const)
  const of = (contender: Contender) => peaks.find(([name]) => name === contender)?.[1] ?? Number.NaN
  const name = `peak memory, ${plan.service}, ${plan.characters} characters, up to ${Math.max(...plan.atOnce)} at once`
  const detail = peaks.map(([contender, megabytes]) => `${contender} ${megabytes.toFixed(0)} MB`).join(', ')
  const ours = (['alone', 'whole'] as const).filter((contender) => bots.has(contender))
  return ours.map((contender) => ({
    name: `${name}, ${NAMES[contender]}`,
    value: of(contender) / of('peer'),
    unit: '×',
    goal: 1.3,
    detail,
  }))
}

const row = (plan: Plan): Row => ({
  name: plan.name,
  isLarge: true,
  limitMs: 1_800_000,
  async run(scope, slice) {
    const model = scope.use(await startModel(longAnswer(plan.characters)))
    const { characters } = plan
    const wanted = { ...plan, atOnce: slice.atOnce === undefined ? plan.atOnce : [slice.atOnce] }
    const bots = await openBots(scope, model, wanted, slice)
    const figures: Figure[] = []
    for (const atOnce of wanted.atOnce)
      figures.push(...toFigures(plan, atOnce, await measure(bots, model, { ...slice, atOnce, characters })))
    return [...figures, ...memoryOf(wanted, bots)]
  },
})

const PLANS: readonly Plan[] = [
  { name: 'load-slack', service: 'Slack', characters: 6000, atOnce: [1, 10, 100], goals: [1.7, 2.5] },
  { name: 'load-slack-600', service: 'Slack', characters: 600, atOnce: [1, 10, 100] },
  { name: 'load-slack-20000', service: 'Slack', characters: 20_000, atOnce: [100] },
  { name: 'load-slack-400', service: 'Slack', characters: 20_000, atOnce: [400] },
  // One message of Discord's: bots split longer answers in ways of their own.
  { name: 'load-discord', service: 'Discord', characters: 1800, atOnce: [1, 10, 100], goals: [2.5, 4] },
  { name: 'load-discord-600', service: 'Discord', characters: 600, atOnce: [1, 10, 100] },
  { name: 'load-discord-6000', service: 'Discord', characters: 6000, atOnce: [1, 10, 100] },
  { name: 'load-discord-limits', service: 'Discord', characters: 20_000, atOnce: [100], limited: true },
  { name: 'load-discord-servers', service: 'Discord', characters: 20_000, atOnce: [100], limited: true, servers: 20 },
  { name: 'load-discord-400', service: 'Discord', characters: 20_000, atOnce: [400] },
]

/** Streamed answers, many at once, beside other bots on the same double. */
export const loadRows: readonly Row[] = PLANS.map(row)
