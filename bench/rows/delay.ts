import { fileURLToPath } from 'node:url'
import { openFolder, startFootbridge } from '../footbridge.ts'
import { modelName, questionText, startModel, type Model } from '../model.ts'
import { startProgram } from '../process.ts'
import type { Figure, Row } from '../row.ts'
import { openDiscord, openSlack, stageChannels, type Asking, type Stage } from '../stage.ts'
import { median } from '../statistics.ts'

const warmUps = 3
const rounds = 12
const atOnceCounts = [1, 10] as const
/** Work after an answer (rows to close, a typing sign) ends before the next bot is asked. */
const restMs = 40

/** The bots: Footbridge alone, Footbridge with its own platform and a file, the smallest bot. */
type Contender = 'alone' | 'embedded' | 'peer'
const contenders = ['alone', 'peer', 'embedded'] as const

const passage =
  'The ferry to the island leaves at 9:40 from pier seven every day except Monday. A return ticket costs twelve euros.'

let lastId = 0

async function openContenders(
  scope: AsyncDisposableStack,
  model: Model,
  open: () => Promise<Stage>,
  peer: string,
): Promise<Readonly<Record<Contender, Stage>>> {
  const [alone, embedded, small] = [scope.use(await open()), scope.use(await open()), scope.use(await open())]
  await startFootbridge(scope, openFolder(scope), {
    ...alone.env,
    PLATFORM_BASE_URL: model.baseUrl,
    PLATFORM_API_KEY: 'bench-key-0123456789',
    PLATFORM_MODEL: modelName,
  })
  await startFootbridge(scope, openFolder(scope), {
    ...embedded.env,
    UPSTREAM_BASE_URL: model.baseUrl,
    UPSTREAM_CHAT_MODEL: modelName,
    PLATFORM_MODEL: modelName,
  })
  const script = fileURLToPath(new URL(`../peers/${peer}.ts`, import.meta.url))
  const args = [...small.peerArgs, model.baseUrl]
  scope.use(await startProgram({ script, args, ready: /^ready$/ }))
  const channels = Array.from({ length: stageChannels }, (_, index) => index)
  await Promise.all(channels.map((channel) => embedded.drop(channel, 'ferry.md', 'text/markdown', passage)))
  return { alone, embedded, peer: small }
}

/** Asks `count` questions at once, each in its own channel, and waits for the ends of all answers. */
async function askAtOnce(stage: Stage, count: number, first: number): Promise<readonly Asking[]> {
  const asked = Array.from({ length: count }, (_, index) => {
    lastId += 1
    return stage.ask((first + index) % stageChannels, lastId, questionText(lastId))
  })
  await Promise.all(asked.map(({ answered }) => answered))
  await new Promise((resolve) => setTimeout(resolve, restMs))
  return asked
}

export interface DelaySamples {
  readonly atOnce: number
  /** Added milliseconds, one a question. */
  readonly of: Readonly<Record<Contender, number[]>>
  /** From the event to the model's receipt of the question: the way in; the rest is the way out. */
  readonly wayIn: Readonly<Record<Contender, number[]>>
}

const empty = (): Record<Contender, number[]> => ({ alone: [], embedded: [], peer: [] })

async function measure(stages: Readonly<Record<Contender, Stage>>, model: Model): Promise<DelaySamples[]> {
  const all = atOnceCounts.map((atOnce): DelaySamples => ({ atOnce, of: empty(), wayIn: empty() }))
  for (let round = -warmUps; round < rounds; round += 1) {
    for (const { atOnce, of, wayIn } of all) {
      for (const contender of contenders) {
        for (const asking of await askAtOnce(stages[contender], atOnce, round + warmUps)) {
          if (round < 0) continue
          of[contender].push(asking.firstVisibleAt() - asking.at - model.ownMs(asking.id))
          wayIn[contender].push(model.askedAt(asking.id) - asking.at)
        }
      }
    }
  }
  return all
}

const ms = (samples: readonly number[]) => `${median(samples).toFixed(1)} ms`

function toFigures(service: string, { atOnce, of, wayIn }: DelaySamples): readonly Figure[] {
  const ratio = (contender: Contender) => median(of[contender]) / median(of.peer)
  const inside = (contender: Contender) => `${ms(of[contender])}, of it to the model ${ms(wayIn[contender])}`
  return [
    {
      name: `added delay ${service}, ${atOnce} at once`,
      value: ratio('alone'),
      unit: '×',
      detail: `ours ${inside('alone')}; peer ${inside('peer')}`,
    },
    {
      name: `added delay ${service}, ${atOnce} at once, from a file by the embedded platform`,
      value: ratio('embedded'),
      unit: '×',
      detail: `ours ${inside('embedded')}; peer ${ms(of.peer)} (answers without files)`,
    },
  ]
}

const row = (name: string, service: string, open: () => Promise<Stage>, peer: string): Row => ({
  name,
  async run(scope) {
    const model = scope.use(await startModel())
    const stages = await openContenders(scope, model, open, peer)
    return (await measure(stages, model)).flatMap((samples) => toFigures(service, samples))
  },
})

/** Event on the wire → first visible characters of the answer on the wire, less the model's own time. */
export const delayRows: readonly Row[] = [
  row('delay-slack', 'Slack', openSlack, 'slack'),
  row('delay-discord', 'Discord', openDiscord, 'discord'),
]
