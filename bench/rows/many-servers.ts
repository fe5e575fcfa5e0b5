import { setTimeout as sleep } from 'node:timers/promises'
import { createDiscordAdapter } from '#adapters/discord/adapter.ts'
import { type DiscordDouble, startDiscordDouble } from '#test/doubles/discord/discord-double.ts'
import { startCluster } from '#test/support/postgres/cluster.ts'
import { openFolder, startFootbridge } from '../footbridge.ts'
import { answerEnd, modelName, questionText, startModel } from '../model.ts'
import { cpuMsOf, type Program, residentOf } from '../process.ts'
import type { Figure, Row } from '../row.ts'
import { quantile } from '../statistics.ts'

const SERVERS = 2_500
const CHANNELS = 40
const SHARDS = 8
const QUESTIONS = 100
const CALLS = 10_000
/** Discord's limit for a whole bot. */
const GLOBAL_RPS = 50
const IDLE_MS = 5_000
const PATIENCE_MS = 240_000

const nothing = () => {}
const log = { debug: nothing, info: nothing, warn: nothing, error: nothing }

const refused = ({ calls }: DiscordDouble) => calls.filter(({ status }) => status === 429).length

const noneRefused = (name: string, discord: DiscordDouble): Figure => ({
  name,
  value: (100 * refused(discord)) / discord.calls.length,
  unit: '%',
  goal: 0,
  detail: `${refused(discord)} of ${discord.calls.length} requests`,
})

/** Asks in channels of all shards at once; milliseconds to the end of each answer. */
async function askAll(discord: DiscordDouble): Promise<readonly number[]> {
  const places = Array.from({ length: QUESTIONS }, (_, index) => discord.crowd[index * 25]?.[index % CHANNELS] ?? '')
  const startedAt = performance.now()
  const asked = places.map((channel, index) => {
    discord.say({ channel, mention: true, text: questionText(index) })
    return discord.until(
      () =>
        discord.transcript(channel).some(({ bot, text }) => bot && text.includes(answerEnd(index))) &&
        performance.now() - startedAt,
      PATIENCE_MS,
    )
  })
  return Promise.all(asked)
}

const seconds = (name: string, ms: number, detail?: string): Figure => ({ name, value: ms / 1000, unit: 's', detail })

/** Shards of each process; undefined: one process takes all that Discord recommends. */
const RANGES = { 1: [undefined], 3: ['0-2', '3-5', '6-7'] } as const

type Processes = keyof typeof RANGES

/** The same start in each process at once; milliseconds until the last one is connected. */
async function startAll(
  scope: AsyncDisposableStack,
  folders: readonly string[],
  env: Readonly<Record<string, string>>,
): Promise<{ readonly programs: readonly Program[]; readonly readyMs: number }> {
  const ranges = RANGES[folders.length as Processes]
  const programs = await Promise.all(
    folders.map((folder, index) => {
      const range = ranges[index]
      return startFootbridge(scope, folder, {
        ...env,
        ...(range === undefined ? {} : { DISCORD_SHARDS: `${range}/${SHARDS}` }),
      })
    }),
  )
  return { programs, readyMs: Math.max(...programs.map(({ readyMs }) => readyMs)) }
}

const processorOf = (programs: readonly Program[]): string => {
  const ms = programs.reduce((sum, { pid }) => sum + cpuMsOf(pid), 0)
  return `${(ms / 1000).toFixed(1)} s of a processor`
}

const memoryOf = (programs: readonly Program[]): number =>
  Math.max(...programs.map(({ pid }) => residentOf(pid)[0]?.megabytes ?? Number.NaN))

async function measure(scope: AsyncDisposableStack, processes: Processes): Promise<readonly Figure[]> {
  const discord = await startDiscordDouble({
    crowd: { guilds: SERVERS, channels: CHANNELS },
    shards: { recommended: SHARDS, atOnce: SHARDS },
    limits: { global: GLOBAL_RPS },
  })
  scope.defer(() => discord.close())
  const model = scope.use(await startModel())
  const cluster = processes === 1 ? undefined : await startCluster({ durable: true })
  if (cluster !== undefined) scope.defer(() => cluster.remove())
  const env = {
    DISCORD_TOKEN: discord.token,
    DISCORD_API_URL: discord.apiUrl,
    PLATFORM_BASE_URL: model.baseUrl,
    PLATFORM_API_KEY: 'bench-key-0123456789',
    PLATFORM_MODEL: modelName,
    ...(cluster === undefined ? {} : { DATABASE_URL: cluster.url }),
  }
  const folders = RANGES[processes].map(() => openFolder(scope))
  const first = await startAll(scope, folders, env)
  const work = processorOf(first.programs)
  await sleep(IDLE_MS)
  const before = discord.calls.length
  const atRest = memoryOf(first.programs)
  const ends = await askAll(discord)
  const requests = (discord.calls.length - before) / QUESTIONS
  const after = memoryOf(first.programs)
  await Promise.all(first.programs.map((program) => program[Symbol.asyncDispose]()))
  const again = await startAll(scope, folders, env)
  const spread = processes === 1 ? '' : ` in ${processes} processes on one PostgreSQL`
  const what = `${SERVERS} servers × ${CHANNELS} channels, ${SHARDS} shards${spread}`
  const largest = processes === 1 ? 'connected, at rest' : 'connected, at rest, the largest process'
  return [
    seconds(`${what}: start to connected`, first.readyMs, `all shards may begin at once; ${work}`),
    seconds(`${what}: the next start`, again.readyMs, processorOf(again.programs)),
    { name: `${what}: memory`, value: atRest, unit: 'MB', detail: largest },
    { name: `${what}: memory after ${QUESTIONS} questions`, value: after, unit: 'MB' },
    seconds(
      `${what}: ${QUESTIONS} questions at once, last answer whole`,
      Math.max(...ends),
      `${requests.toFixed(1)} requests each`,
    ),
    seconds(`${what}: ${QUESTIONS} questions at once, answers whole (p50)`, quantile(ends, 0.5)),
    noneRefused(`${what}: requests that Discord refused`, discord),
  ]
}

const rowOf = (name: string, processes: Processes): Row => ({
  name,
  isLarge: true,
  limitMs: 600_000,
  run: (scope) => measure(scope, processes),
})

/** A bot in 2,500 servers: start, memory, and 100 questions at once, within Discord's limits. */
export const manyServersRows: readonly Row[] = [rowOf('many-servers', 1), rowOf('many-servers-3', 3)]

/** As many messages as fast as Discord takes them: none is refused. */
export const callsRow: Row = {
  name: 'discord-calls',
  isLarge: true,
  limitMs: 600_000,
  async run(scope) {
    const discord = await startDiscordDouble({ limits: { global: GLOBAL_RPS } })
    scope.defer(() => discord.close())
    const { token, apiUrl } = discord
    const times = { callMs: 2 * PATIENCE_MS, attemptMs: 15_000 }
    const adapter = createDiscordAdapter({ token, apiUrl, log, times, globalRequestsPerSecond: GLOBAL_RPS })
    await adapter.start(() => Promise.resolve())
    scope.defer(() => adapter.stop())
    const rooms = Array.from({ length: 100 }, (_, index) => discord.addChannel(`room ${index}`))
    const startedAt = performance.now()
    const posts = Array.from({ length: CALLS }, (_, index) =>
      adapter.post(
        { adapter: 'discord', workspace: discord.guildId, channel: rooms[index % rooms.length] ?? '', direct: false },
        { sendId: `call-${index}`, kind: 'notice', text: `${index}` },
      ),
    )
    await Promise.all(posts)
    const name = `${CALLS} messages as fast as Discord takes them`
    return [
      seconds(name, performance.now() - startedAt, `${GLOBAL_RPS} requests a second allowed`),
      noneRefused(`${name}: refused`, discord),
    ]
  },
}
