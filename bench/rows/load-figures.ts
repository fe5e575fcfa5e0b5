import { formatValue, type Figure } from '../row.ts'
import { median, quantile } from '../statistics.ts'

/**
 * The product with its platform in another process; all in one process; the smallest bot; the Chat SDK, where it is
 * installed (`npm ci --prefix bench/peers/chat-sdk`).
 */
export type Contender = 'alone' | 'whole' | 'peer' | 'sdk'

/** Samples of one bot in one round: milliseconds, one a question. */
export interface Samples {
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

export const noSamples = (): Samples => ({
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

export type Rounds = ReadonlyMap<Contender, readonly Samples[]>

/** The load, as the names of the figures say it. */
export interface Asked {
  readonly service: 'Slack' | 'Discord'
  readonly characters: number
  readonly atOnce: number
  /** Of the processor time at 100 at once, as a multiple of the smallest bot's: bridge alone, all in one process. */
  readonly goals?: readonly [alone: number, whole: number]
}

const NAMES: Readonly<Record<Contender, string>> = {
  alone: 'bridge alone',
  whole: 'all in one process',
  peer: 'smallest bot',
  sdk: 'Chat SDK',
}
const OURS = ['alone', 'whole'] as const
const TIMES = { delay: 'added delay', wayIn: 'event to model', sign: 'first sign', tail: 'tail' } as const

const ms = (value: number) => formatValue({ value, unit: 'ms' })
type Pick = (samples: Samples) => readonly number[]
const all = (rounds: readonly Samples[], pick: Pick) => rounds.flatMap(pick)
const spread = (rounds: readonly Samples[], pick: Pick) =>
  `${ms(median(all(rounds, pick)))} / ${ms(quantile(all(rounds, pick), 0.95))}`
const cpu = (rounds: readonly Samples[]) => median(rounds.map(({ cpuMs }) => cpuMs))
const calls = (rounds: readonly Samples[]) => median(rounds.map((samples) => samples.calls)).toFixed(1)
const ack: Pick = (samples) => samples.ack
const p50 = (pick: Pick) => (samples: Samples) => median(pick(samples))

/** Median over the rounds of our figure divided by the other's in the same round. */
const ratio = (ours: readonly Samples[], other: readonly Samples[], of: (samples: Samples) => number) =>
  median(ours.map((samples, round) => of(samples) / of(other[round] ?? samples)))

/** Figures of every measured bot: ours against the smallest one, and each by itself where that one is missing. */
export function toFigures(asked: Asked, rounds: Rounds): readonly Figure[] {
  const of = (contender: Contender) => rounds.get(contender) ?? []
  const ours = OURS.filter((contender) => of(contender).length > 0)
  if (of('peer').length > 0 && ours.length > 0) return ours.flatMap((contender) => besidePeer(asked, contender, of))
  return [...rounds.keys()].flatMap((contender) => [
    ...byItself(asked, contender, of(contender)),
    ...(ours.some((one) => one === contender) ? besideSdk(asked, contender, of) : []),
  ])
}

type Of = (contender: Contender) => readonly Samples[]

const whereOf = ({ service, characters, atOnce }: Asked, contender: Contender) =>
  `${service}, ${characters} characters, ${atOnce} at once, ${NAMES[contender]}`

function besidePeer(asked: Asked, contender: Contender, of: Of): readonly Figure[] {
  const [ours, peer, where] = [of(contender), of('peer'), whereOf(asked, contender)]
  const isBurst = asked.atOnce === 100
  const figure = (name: string, value: number, goal: number | undefined, detail: string): Figure => ({
    name: `${name}, ${where}`,
    value,
    unit: '×',
    goal,
    detail,
  })
  const details = Object.entries(TIMES).map(([key, name]) => {
    const pick = (samples: Samples) => samples[key as keyof typeof TIMES]
    return `${name} p50 / p95 ${spread(ours, pick)}, smallest bot ${spread(peer, pick)}`
  })
  const areAcked = [...ours, ...peer].every((samples) => samples.ack.length > 0)
  return [
    figure(
      'processor time an answer',
      ratio(ours, peer, ({ cpuMs }) => cpuMs),
      isBurst ? asked.goals?.[contender === 'alone' ? 0 : 1] : undefined,
      `ours ${ms(cpu(ours))}, smallest bot ${ms(cpu(peer))}; requests an answer ${calls(ours)}, ${calls(peer)}`,
    ),
    ...besideSdk(asked, contender, of),
    figure(
      'added delay',
      ratio(
        ours,
        peer,
        p50(({ delay }) => delay),
      ),
      1.5,
      details.join('; '),
    ),
    steadiness(asked, contender, ours),
    ...(areAcked
      ? [
          figure(
            'acknowledgement p99',
            ratio(ours, peer, (samples) => quantile(samples.ack, 0.99)),
            isBurst ? 2 : undefined,
            `p50 / p95 ours ${spread(ours, ack)}, smallest bot ${spread(peer, ack)}`,
          ),
        ]
      : []),
    wholeness(asked, contender, ours),
  ]
}

function besideSdk(asked: Asked, contender: Contender, of: Of): readonly Figure[] {
  const sdk = of('sdk')
  if (sdk.length === 0) return []
  return [
    {
      name: `processor time beside the Chat SDK, ${whereOf(asked, contender)}`,
      value: ratio(of(contender), sdk, ({ cpuMs }) => cpuMs),
      unit: '×',
      goal: asked.atOnce === 100 ? 0.5 : undefined,
      detail: `Chat SDK ${ms(cpu(sdk))}, added delay ${spread(sdk, ({ delay }) => delay)}`,
    },
  ]
}

function byItself(asked: Asked, contender: Contender, rounds: readonly Samples[]): readonly Figure[] {
  const where = whereOf(asked, contender)
  const { delay: _, ...further } = TIMES
  const details = Object.entries(further).map(([key, name]) => {
    return `${name} p50 / p95 ${spread(rounds, (samples) => samples[key as keyof typeof TIMES])}`
  })
  const delays = all(rounds, ({ delay }) => delay)
  return [
    {
      name: `processor time an answer, ${where}`,
      value: cpu(rounds),
      unit: 'ms',
      detail: `requests an answer ${calls(rounds)}`,
    },
    {
      name: `added delay p50, ${where}`,
      value: median(delays),
      unit: 'ms',
      detail: [`p95 ${ms(quantile(delays, 0.95))}`, ...details].join('; '),
    },
    steadiness(asked, contender, rounds),
    wholeness(asked, contender, rounds),
  ]
}

function steadiness(asked: Asked, contender: Contender, rounds: readonly Samples[]): Figure {
  const waited = all(rounds, ({ wayIn }) => wayIn)
  return {
    name: `event to model, p95 of its p50, ${whereOf(asked, contender)}`,
    value: quantile(waited, 0.95) / median(waited),
    unit: '×',
    goal: asked.atOnce >= 100 ? 2 : undefined,
  }
}

function wholeness(asked: Asked, contender: Contender, rounds: readonly Samples[]): Figure {
  const total = (pick: 'answers' | 'whole') => rounds.reduce((sum, samples) => sum + samples[pick], 0)
  return {
    name: `answers whole, ${whereOf(asked, contender)}`,
    value: (100 * total('whole')) / total('answers'),
    unit: '%',
    least: OURS.some((one) => one === contender) ? 100 : undefined,
    detail: `${total('answers')} answers`,
  }
}

/** @param peaks megabytes that each bot held at most */
export function memoryFigures(asked: Asked, peaks: ReadonlyMap<Contender, number>): readonly Figure[] {
  const { service, characters, atOnce } = asked
  const ours = OURS.filter((contender) => peaks.has(contender))
  const peer = peaks.get('peer')
  const isCompared = peer !== undefined && ours.length > 0
  const detail = [...peaks].map(([contender, megabytes]) => `${contender} ${megabytes.toFixed(0)} MB`).join(', ')
  return (isCompared ? ours : [...peaks.keys()]).map((contender) => ({
    name: `peak memory, ${service}, ${characters} characters, up to ${atOnce} at once, ${NAMES[contender]}`,
    value: (peaks.get(contender) ?? Number.NaN) / (isCompared ? peer : 1),
    unit: isCompared ? '×' : 'MB',
    goal: isCompared ? 1.3 : undefined,
    detail,
  }))
}
