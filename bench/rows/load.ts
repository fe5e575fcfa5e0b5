import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { openFolder, startFootbridge } from '../footbridge.ts'
import { longAnswer, modelName, questionText, startModel, type Model } from '../model.ts'
import { cpuMsOf, peakOf, startProgram } from '../process.ts'
import type { Figure, Row, Slice } from '../row.ts'
import { openDiscord, openSlack, type Asking, type Stage } from '../stage.ts'
import {
  type Asked,
  type Contender,
  memoryFigures,
  noSamples,
  type Rounds,
  type Samples,
  toFigures,
} from './load-figures.ts'

const ROUNDS = 3
/** Bursts of one bot in a round: five times the number at once is answered. */
const BURSTS = 5
/** Work after an answer (rows to close, a typing sign) ends before the next burst. */
const REST_MS = 500
/** An answer with References and marks resolved may be a little shorter than the model's text. */
const WHOLE = 0.98

interface Bot {
  readonly stage: Stage
  readonly pid: number
}
type Bots = ReadonlyMap<Contender, Bot>

interface Plan extends Omit<Asked, 'atOnce'> {
  readonly name: string
  readonly atOnce: readonly number[]
  /** Default: the limits of the service are off. */
  readonly limited?: boolean
  /** Number of servers, each with its part of the channels; default one. */
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
  if (botsOf(plan).includes('sdk')) await addSdk()
  return bots

  async function addSdk() {
    if (existsSync(new URL('node_modules', SDK))) await addPeer('sdk', new URL('slack.js', SDK))
    else if (slice.bots?.includes('sdk') === true)
      throw new Error('The Chat SDK is not installed: run npm ci --prefix bench/peers/chat-sdk')
  }
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

/** A round of warming up, then the rounds, the bots in turn. */
async function measure(
  bots: Bots,
  model: Model,
  asked: Pick<Slice, 'rounds' | 'bursts'> & { readonly atOnce: number; readonly characters: number },
): Promise<Rounds> {
  const { atOnce, characters, rounds: count = ROUNDS, bursts = BURSTS } = asked
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

/** The SDK's Discord adapter always connects to Discord itself. */
const botsOf = ({ service }: Plan): readonly Contender[] =>
  service === 'Slack' ? ['alone', 'whole', 'peer', 'sdk'] : ['alone', 'whole', 'peer']

const row = (plan: Plan): Row => ({
  name: plan.name,
  isLarge: true,
  limitMs: 1_800_000,
  bots: botsOf(plan),
  async run(scope, slice) {
    const model = scope.use(await startModel(longAnswer(plan.characters)))
    const { characters } = plan
    const wanted = { ...plan, atOnce: slice.atOnce ?? plan.atOnce }
    const bots = await openBots(scope, model, wanted, slice)
    const figures: Figure[] = []
    for (const atOnce of wanted.atOnce)
      figures.push(...toFigures({ ...plan, atOnce }, await measure(bots, model, { ...slice, atOnce, characters })))
    const peaks = new Map([...bots].map(([contender, { pid }]) => [contender, peakOf(pid)]))
    return [...figures, ...memoryFigures({ ...plan, atOnce: Math.max(...wanted.atOnce) }, peaks)]
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

/** Streamed answers, many at once, against other bots on the same double. */
export const loadRows: readonly Row[] = PLANS.map(row)
