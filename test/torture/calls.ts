import { existsSync } from 'node:fs'
import { setInterval } from 'node:timers/promises'
import type { DiscordDouble } from '../doubles/discord/discord-double.ts'
import { startDiscordDouble } from '../doubles/discord/discord-double.ts'
import { promptText } from '../doubles/upstream/script.ts'
import { createRandom } from '../platform/hostile/random.ts'
import { eventually } from '../support/eventually.ts'
import { startFootbridge, type Footbridge } from '../support/footbridge.ts'
import { withUpstream } from '../support/platforms.ts'
import { startCluster } from '../support/postgres/cluster.ts'
import { measure } from './row.ts'

/** Discord's limit for a whole bot, in any second. */
const GLOBAL_RPS = 50
/** Discord gives a channel five new messages in five seconds, as far as is known. */
const SENDS = 5
const GUILDS = 24
const CHANNELS = 4
const RANGES = ['0-1/6', '2-3/6', '4-5/6']
/** People who wait for an answer at once: more than the limit serves at their pace. */
const AT_ONCE = 30
const REST_MS = 120_000
/** A long run tells how far it is. */
const TOLD = 1000

interface Asked {
  readonly channel: string
  readonly id: string
  readonly token: string
}

/** Interactions count for no limit, files are no calls of the bot. */
const countedOf = ({ calls }: DiscordDouble) =>
  calls.filter(({ route }) => !/^\/(?:interactions|webhooks|attachments)/.test(route))

/** The most requests in any second, whenever it begins. */
function mostInASecond(times: readonly number[]): number {
  const sorted = times.toSorted((one, other) => one - other)
  let from = 0
  return sorted.reduce((most, at, index) => {
    while (at - (sorted[from] ?? at) >= 1000) from += 1
    return Math.max(most, index - from + 1)
  }, 0)
}

/** Also by the sentence that no file has it. */
const isAnswered = (discord: DiscordDouble, { channel, id }: Asked): boolean =>
  discord.transcript(channel).some(({ replyTo, buttons }) => replyTo === id && buttons.includes('👍'))

/**
 * Three processes on one PostgreSQL, each with its shards, are one bot for Discord: with the limits of the whole bot
 * and of each channel on, people ask and drop files in few channels at once until this many calls are made.
 */
export const discordCalls = ({
  calls,
  seed,
  rps = GLOBAL_RPS,
}: {
  readonly calls: number
  readonly seed: number
  /** Rate of the processes; less than Discord allows, where the double shares its thread with others. */
  readonly rps?: number
}) =>
  measure('calls to Discord by three processes', async () => {
    const discord = await startDiscordDouble({
      crowd: { guilds: GUILDS, channels: CHANNELS },
      shards: { recommended: 6, atOnce: 6 },
      limits: { global: GLOBAL_RPS, sends: SENDS },
    })
    const model = await withUpstream({ answerBy: answerOf })
    const cluster = await startCluster()
    const env = {
      ...model.env,
      DISCORD_TOKEN: discord.token,
      DISCORD_API_URL: discord.apiUrl,
      DISCORD_GLOBAL_RPS: `${rps}`,
      FILE_HOSTS: '127.0.0.1:*',
      DATABASE_URL: cluster.url,
      PLATFORM_API_KEY: 'fb-discord-calls-0123456789',
    }
    const fleet: Footbridge[] = []
    const supervisor = supervise(fleet)
    try {
      for (const shards of RANGES) fleet.push(await startFootbridge({ ...env, DISCORD_SHARDS: shards }))
      const chance = createRandom(seed)
      const asked: Asked[] = []
      let told = 0
      const person = async () => {
        while (countedOf(discord).length < calls) {
          if (countedOf(discord).length >= told + TOLD) process.stderr.write(`${(told += TOLD)} calls\n`)
          const channel = chance.pick(chance.pick(discord.crowd))
          const token = `q${asked.length}x`
          const files = [{ name: `${token}.md`, bytes: `The mole ${token} is long.`, mimeType: 'text/markdown' }]
          const said = { channel, text: `What is ${token}?`, mention: true }
          const { id } = discord.say(chance.int(6) === 0 ? { ...said, files } : said)
          const one = { channel, id, token }
          asked.push(one)
          await discord.until(() => isAnswered(discord, one), REST_MS).catch(() => {})
        }
      }
      await Promise.all(Array.from({ length: AT_ONCE }, person))
      const open = () => asked.filter((one) => !isAnswered(discord, one))
      await eventually(() => open().length === 0, { timeoutMs: REST_MS }).catch(() => {})
      const refused = discord.calls.filter(({ status }) => status === 429)
      const most = mostInASecond(countedOf(discord).map(({ at }) => at))
      const lost = open().map(({ token, channel, id }) => `${token} has ${said(discord, channel, id)}`)
      return {
        tried: `${countedOf(discord).length} calls, ${asked.length} questions`,
        found: {
          'refused (429)': refused.length,
          'in the busiest second': most,
          'without an answer': lost.length,
          'ends of a process': supervisor.ends(),
        },
        wrong: [
          ...refused.map(({ method, path }) => `429: ${method} ${path}`),
          ...(most > GLOBAL_RPS ? [`${most} calls in a second`] : []),
          ...lost,
        ],
      }
    } finally {
      await supervisor.stop()
      for (const one of fleet) await one.close()
      await cluster.remove()
      await model.close()
      await discord.close()
    }
  })

/** The text there instead of an answer. */
const said = (discord: DiscordDouble, channel: string, id: string): string =>
  discord
    .transcript(channel)
    .filter(({ replyTo }) => replyTo === id)
    .map(({ text, buttons }) => `${text.slice(0, 200)} [${buttons.join()}]`)
    .join(' | ') || 'no answer'

/** Restarts a process that hung, on a busy machine, until it ended itself. */
function supervise(fleet: readonly Footbridge[]) {
  const over = new AbortController()
  let ends = 0
  const watching = (async () => {
    for await (const _ of setInterval(1000, undefined, { signal: over.signal }))
      for (const one of fleet.filter(({ pid }) => !existsSync(`/proc/${pid}`))) {
        ends += 1
        await one.restart().catch(() => {})
      }
  })().catch(() => {})
  return {
    ends: () => ends,
    async stop() {
      over.abort()
      await watching
    },
  }
}

/** An answer that grows for three seconds. */
function answerOf(request: Parameters<typeof promptText>[0]) {
  const token = promptText(request).match(/q\d+x/g)?.at(-1)
  if (token === undefined) return undefined
  const deltas = [`Answer ${token}: `, 'it ', 'is ', 'forty ', 'metres ', 'long, ', `end ${token}.`]
  return { kind: 'chat' as const, deltas, delayMs: 500 }
}
