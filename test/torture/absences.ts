import { setTimeout as sleep } from 'node:timers/promises'
import { AWAYS as DISCORD_AWAYS } from '../doubles/discord/away.ts'
import { AWAYS as SLACK_AWAYS } from '../doubles/slack/away.ts'
import { eventually } from '../support/eventually.ts'
import { startFootbridge, type Footbridge } from '../support/footbridge.ts'
import { openDiscord } from '../support/people/discord.ts'
import { createPerson } from '../support/people/person.ts'
import { openSlack } from '../support/people/slack.ts'
import type { Channel, ChatWorkspace } from '../support/people/workspace.ts'
import { withPlatform } from '../support/platforms.ts'
import { measure } from './row.ts'

/** A chat service that can be away, in each of its ways. */
interface Absent {
  readonly workspace: ChatWorkspace
  leave(): () => Promise<void>
  /** Open connections of the bot now, and as many as there should be. */
  connections(): readonly [open: number, wanted: number]
  /** Cloudflare counts on while requests come: this share of the absence passes between two tries. */
  readonly pause?: number
}

async function onDiscord(away: (typeof DISCORD_AWAYS)[number]): Promise<Absent> {
  const workspace = await openDiscord()
  const { discord } = workspace
  return {
    workspace,
    leave: () => discord.goAway(away),
    connections: () => [discord.gateway.sockets, 1],
    pause: away === 'rest-blocked' ? 1 / 8 : 0,
  }
}

async function onSlack(away: (typeof SLACK_AWAYS)[number]): Promise<Absent> {
  const workspace = await openSlack()
  const { slack } = workspace
  return { workspace, leave: () => slack.goAway(away), connections: () => [slack.connections().held, 2] }
}

const SERVICES: Readonly<
  Record<'Slack' | 'Discord', readonly (readonly [away: string, open: () => Promise<Absent>])[]>
> = {
  Slack: SLACK_AWAYS.map((away) => [away, () => onSlack(away)]),
  Discord: DISCORD_AWAYS.map((away) => [away, () => onDiscord(away)]),
}

/** The first question is answered as soon as this after the service is back, seconds. */
const MAX_ANSWER_S = 60
/** What is not answered by then is lost, milliseconds. */
const LOST_MS = 240_000
const LOOK_MS = 250
const NOTICE_MS = 5000
/** The connections of before are closed, and those of now open, milliseconds. */
const REST_MS = 60_000
/** pino's number. */
const WARN = 40

interface Outcome {
  readonly answeredS: readonly number[]
  readonly linesAMinute: number
  readonly wrong: readonly string[]
}

const warnings = ({ output }: Footbridge) => output.log.filter(({ level }) => level >= WARN)

const ANSWER = /You said: Question/
/** The receipt of the one file. */
const RECEIPT = /ferry.*\bready\b/s
const FILE = { name: 'ferry.txt', bytes: 'The ferry leaves at nine.', mimeType: 'text/plain' }

async function shownAfter(workspace: ChatWorkspace, channel: Channel, shown: RegExp, since: number): Promise<number> {
  while ((await createPerson(workspace, 'Ada', channel).count(shown)) === 0) {
    if (performance.now() - since > LOST_MS) return Number.POSITIVE_INFINITY
    await sleep(LOOK_MS)
  }
  return (performance.now() - since) / 1000
}

/** The notice of a failure goes just after the answer that comes after all. */
async function settledMessages(workspace: ChatWorkspace, channel: Channel): Promise<readonly string[]> {
  const texts = async () => (await createPerson(workspace, 'Ada', channel).shown()).map(({ text }) => text)
  await eventually(async () => (await texts()).length === 1, { timeoutMs: NOTICE_MS, everyMs: LOOK_MS }).catch(() => [])
  return texts()
}

/**
 * One absence: a question and a file amid it, a question just after it. Each is answered once, also where the process is
 * killed in between.
 */
async function absence(
  service: Absent,
  what: string,
  awayMs: number,
  begun: () => Promise<{ readonly back: () => Promise<void>; readonly footbridge: Footbridge; readonly told: number }>,
  kills: 0 | 1,
): Promise<Outcome> {
  const { workspace, pause = 0 } = service
  const channels = [await workspace.addChannel(`${what} 1`), await workspace.addChannel(`${what} 2`)] as const
  const drops = await workspace.addChannel(`${what} 3`)
  const ask = (channel: Channel) => createPerson(workspace, 'Ada', channel).asks(`Question of ${what}`)
  const { back, footbridge, told } = await begun()
  await sleep(awayMs / 4)
  await ask(channels[0])
  await createPerson(workspace, 'Ada', drops).drops(FILE)
  await sleep(awayMs / 4)
  if (kills > 0) await footbridge.restart()
  await sleep(awayMs / 2)
  const lines = warnings(footbridge).slice(told)
  await back()
  const since = performance.now()
  await ask(channels[1])
  const answeredS = await Promise.all([
    ...channels.map((channel) => shownAfter(workspace, channel, ANSWER, since)),
    shownAfter(workspace, drops, RECEIPT, since),
  ])
  const isAtRest = () => service.connections()[0] === service.connections()[1]
  await eventually(isAtRest, { timeoutMs: REST_MS, everyMs: LOOK_MS }).catch(() => undefined)
  const shown = await Promise.all([...channels, drops].map((channel) => settledMessages(workspace, channel)))
  const [open, wanted] = service.connections()
  // The first line of each process tells that it is away.
  const linesAMinute = Math.max(0, lines.length - 1 - kills) / (awayMs / 60_000)
  const wrong = [
    ...answeredS.flatMap((s) =>
      s > MAX_ANSWER_S + (pause * awayMs) / 1000 ? [`${what}: answered after ${s.toFixed(0)} s`] : [],
    ),
    ...shown.flatMap((texts) =>
      texts.length === 1 ? [] : [`${what}: ${texts.length} messages: ${texts.join(' | ')}`],
    ),
    ...(open === wanted ? [] : [`${what}: ${open} connections`]),
    ...(linesAMinute > 1 ? [`${what}: ${lines.length} lines: ${lines.map(({ msg }) => msg).join(' | ')}`] : []),
  ]
  return { answeredS, linesAMinute, wrong }
}

/** Away at the start, then amid work, in one process. */
async function bothAbsences(away: string, open: () => Promise<Absent>, startMs: number, amidMs: number) {
  const absent = await open()
  const hosted = await withPlatform('collection')
  const back = absent.leave()
  const footbridge = await startFootbridge({ ...absent.workspace.env, ...hosted.env })
  try {
    const atStart = await absence(absent, `${away} at start`, startMs, async () => ({ back, footbridge, told: 0 }), 0)
    const leave = async () => {
      const told = warnings(footbridge).length
      return { back: absent.leave(), footbridge, told }
    }
    const amid = await absence(absent, `${away} amid work`, amidMs, leave, 1)
    return [atStart, amid]
  } finally {
    await footbridge.close()
    await hosted.close()
    await absent.workspace.close()
  }
}

const last = (of: readonly Outcome[]) => Math.max(...of.flatMap(({ answeredS }) => answeredS)).toFixed(1)

/** The chat service is away for `startS` at the start and for `amidS` amid work, in each of its ways, in real time. */
export const absences = (service: keyof typeof SERVICES, startS: number, amidS: number) =>
  measure(`${service} away for ${startS} s at the start, ${amidS} s amid work`, async () => {
    const ways = SERVICES[service]
    const outcomes = await Promise.all(
      ways.map(([away, open]) => bothAbsences(away, open, startS * 1000, amidS * 1000)),
    )
    const all = outcomes.flat()
    return {
      tried: `${ways.length} ways, ${all.length * 2} questions, ${all.length} files, ${ways.length} kills`,
      found: {
        's until the last answer, away at the start': last(outcomes.flatMap(([start]) => start ?? [])),
        's amid work': last(outcomes.flatMap(([, amid]) => amid ?? [])),
        'lines of the log a minute at most': Math.max(...all.map(({ linesAMinute }) => linesAMinute)).toFixed(1),
      },
      wrong: all.flatMap(({ wrong }) => wrong),
    }
  })
