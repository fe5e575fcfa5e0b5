import { fileURLToPath } from 'node:url'
import { openFolder, startFootbridge } from '../footbridge.ts'
import { longAnswer, modelName, questionText, startModel, type Model } from '../model.ts'
import { cpuMsOf, peakOf, startProgram } from '../process.ts'
import type { Figure, Row } from '../row.ts'
import { openDiscord, openSlack, type Asking, type Stage } from '../stage.ts'
import { median, quantile } from '../statistics.ts'

const CHARACTERS = 6000
/** Discord's answers fit into one message: bots split longer ones in ways of their own. */
const DISCORD_CHARACTERS = 1800
const ROUNDS = 3
/** Work behind an answer (rows to close, a typing sign) ends before the next bot is asked. */
const REST_MS = 500

/** The product with its platform in another process; all in one process; the smallest bot. */
const CONTENDERS = ['alone', 'whole', 'peer'] as const
type Contender = (typeof CONTENDERS)[number]

interface Bot {
  readonly stage: Stage
  readonly pid: number
}

/** Samples of one bot: milliseconds, one a question; processor time one a round. */
interface Samples {
  readonly delay: number[]
  readonly wayIn: number[]
  readonly cpu: number[]
}

const noSamples = (): Samples => ({ delay: [], wayIn: [], cpu: [] })

let lastId = 0

async function openBots(
  scope: AsyncDisposableStack,
  model: Model,
  open: () => Promise<Stage>,
  peer: string,
): Promise<Readonly<Record<Contender, Bot>>> {
  const [alone, whole, small] = [scope.use(await open()), scope.use(await open()), scope.use(await open())]
  const bridge = await startFootbridge(scope, openFolder(scope), {
    ...alone.env,
    PLATFORM_BASE_URL: model.baseUrl,
    PLATFORM_API_KEY: 'bench-key-0123456789',
    PLATFORM_MODEL: modelName,
  })
  const product = await startFootbridge(scope, openFolder(scope), {
    ...whole.env,
    UPSTREAM_BASE_URL: model.baseUrl,
    UPSTREAM_CHAT_MODEL: modelName,
    PLATFORM_MODEL: modelName,
  })
  const script = fileURLToPath(new URL(`../peers/${peer}.ts`, import.meta.url))
  const args = [...small.peerArgs, model.baseUrl]
  const bot = scope.use(await startProgram({ script, args, ready: /^ready$/ }))
  return {
    alone: { stage: alone, pid: bridge.pid },
    whole: { stage: whole, pid: product.pid },
    peer: { stage: small, pid: bot.pid },
  }
}

async function askAtOnce(stage: Stage, model: Model, count: number): Promise<readonly Asking[]> {
  model.expect(count)
  const asked = Array.from({ length: count }, (_, channel) => {
    lastId += 1
    return stage.ask(channel, lastId, questionText(lastId))
  })
  await Promise.all(asked.map(({ answered }) => answered))
  await new Promise((resolve) => setTimeout(resolve, REST_MS))
  return asked
}

async function measure(bots: Readonly<Record<Contender, Bot>>, model: Model, atOnce: number) {
  const all = { alone: noSamples(), whole: noSamples(), peer: noSamples() }
  for (let round = -1; round < ROUNDS; round += 1) {
    for (const contender of CONTENDERS) {
      const { stage, pid } = bots[contender]
      const before = cpuMsOf(pid)
      const asked = await askAtOnce(stage, model, atOnce)
      if (round < 0) continue
      const { delay, wayIn, cpu } = all[contender]
      cpu.push((cpuMsOf(pid) - before) / atOnce)
      for (const asking of asked) {
        delay.push(asking.firstVisibleAt() - asking.at - model.ownMs(asking.id))
        wayIn.push(model.askedAt(asking.id) - asking.at)
      }
    }
  }
  return all
}

const ms = (value: number) => `${value.toFixed(value < 100 ? 1 : 0)} ms`
const spread = (samples: readonly number[]) => `${ms(median(samples))} / ${ms(quantile(samples, 0.95))}`

interface Goals {
  readonly alone: number
  readonly whole: number
}

function toFigures(
  service: string,
  atOnce: number,
  all: Readonly<Record<Contender, Samples>>,
  goals: Goals,
): readonly Figure[] {
  const name = { alone: 'bridge alone', whole: 'all in one process' }
  return (['alone', 'whole'] as const).flatMap((contender): readonly Figure[] => {
    const [ours, peer] = [all[contender], all.peer]
    const where = `${service}, ${atOnce} at once, ${name[contender]}`
    return [
      {
        name: `processor time an answer, ${where}`,
        value: median(ours.cpu) / median(peer.cpu),
        unit: '×',
        ...(atOnce === 100 && { goal: goals[contender] }),
        detail: `ours ${ms(median(ours.cpu))}; smallest bot ${ms(median(peer.cpu))}`,
      },
      {
        name: `added delay, ${where}`,
        value: median(ours.delay) / median(peer.delay),
        unit: '×',
        ...(contender === 'alone' && { goal: 1.5 }),
        detail: `p50 / p95 ours ${spread(ours.delay)}, smallest bot ${spread(peer.delay)}; to the model ${spread(ours.wayIn)}, ${spread(peer.wayIn)}`,
      },
    ]
  })
}

const row = (
  name: string,
  service: string,
  open: (channels: number) => Promise<Stage>,
  goals: Goals,
  characters = CHARACTERS,
): Row => ({
  name,
  limitMs: 300_000,
  async run(scope) {
    const model = scope.use(await startModel(longAnswer(characters)))
    const bots = await openBots(scope, model, () => open(100), service.toLowerCase())
    const figures: Figure[] = []
    for (const atOnce of [1, 10, 100]) {
      figures.push(...toFigures(service, atOnce, await measure(bots, model, atOnce), goals))
    }
    const peaks = CONTENDERS.map((contender) => `${contender} ${peakOf(bots[contender].pid).toFixed(0)} MB`)
    return figures.map((figure, index) =>
      index === figures.length - 1 ? { ...figure, detail: `${figure.detail ?? ''}; peak ${peaks.join(', ')}` } : figure,
    )
  },
})

/** Answers of 6,000 characters (Discord: 1,800), 1, 10 and 100 at once, beside the smallest bot on the same double. */
export const loadRows: readonly Row[] = [
  row('load-slack', 'Slack', openSlack, { alone: 1.7, whole: 2.5 }),
  row('load-discord', 'Discord', openDiscord, { alone: 2.5, whole: 4 }, DISCORD_CHARACTERS),
]
