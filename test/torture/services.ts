import type { DiscordDouble } from '../doubles/discord/discord-double.ts'
import type { SlackDouble } from '../doubles/slack/double.ts'
import { eventually } from '../support/eventually.ts'
import { startFootbridge } from '../support/footbridge.ts'
import { openDiscord } from '../support/people/discord.ts'
import { openSlack } from '../support/people/slack.ts'
import { withPlatform } from '../support/platforms.ts'
import { measure } from './row.ts'

/** Something that goes wrong: just before a question, or just after it. */
export interface ServiceFault<Double> {
  readonly name: string
  readonly when: 'before' | 'after'
  /** Takes seconds: left out of the short form. */
  readonly isSlow?: true
  strike(double: Double): void
}

/** Calls that make an answer visible. */
const SLACK_CALLS = ['chat.startStream', 'chat.appendStream', 'chat.stopStream', 'chat.postMessage'] as const

export const SLACK_FAULTS: readonly ServiceFault<SlackDouble>[] = [
  ...(['before', 'after'] as const).flatMap((when): ServiceFault<SlackDouble>[] => [
    {
      name: 'refresh of a connection',
      when,
      isSlow: true,
      strike: (slack) => slack.disconnect('refresh_requested', 'newest'),
    },
    {
      name: 'refresh of all connections',
      when,
      isSlow: true,
      strike: (slack) => slack.disconnect('refresh_requested', 'all'),
    },
    { name: 'warning', when, isSlow: true, strike: (slack) => slack.disconnect('warning', 'newest') },
    { name: 'connections cut', when, isSlow: true, strike: (slack) => slack.cutSockets() },
    { name: 'connections dead', when, isSlow: true, strike: (slack) => slack.deafenSockets() },
  ]),
  ...SLACK_CALLS.flatMap((call): ServiceFault<SlackDouble>[] => [
    { name: `429 of ${call}`, when: 'before', strike: (slack) => slack.script(call, { status: 429, retryAfter: 1 }) },
    { name: `503 of ${call}`, when: 'before', strike: (slack) => slack.script(call, { status: 503 }, { status: 503 }) },
    { name: `lost reply of ${call}`, when: 'before', strike: (slack) => slack.script(call, { drop: 'after' }) },
    { name: `lost request of ${call}`, when: 'before', strike: (slack) => slack.script(call, { drop: 'before' }) },
  ]),
]

const POST = 'POST /channels/:channel/messages'
const EDIT = 'PATCH /channels/:channel/messages/:message'

export const DISCORD_FAULTS: readonly ServiceFault<DiscordDouble>[] = [
  ...(['before', 'after'] as const).flatMap((when): ServiceFault<DiscordDouble>[] => [
    { name: 'op 7', when, strike: ({ gateway }) => gateway.reconnect() },
    { name: 'op 9', when, isSlow: true, strike: ({ gateway }) => gateway.invalidate() },
    { name: 'connection cut', when, strike: ({ gateway }) => gateway.drop() },
    ...[4000, 4001, 4007, 4008, 4009].map((code): ServiceFault<DiscordDouble> => ({
      name: `close ${code}`,
      when,
      isSlow: true,
      strike: ({ gateway }) => gateway.close(code),
    })),
    {
      name: 'resume refused',
      when,
      isSlow: true,
      strike({ gateway }) {
        gateway.refuseResume()
        gateway.drop()
      },
    },
  ]),
  ...[POST, EDIT].flatMap((route): ServiceFault<DiscordDouble>[] => [
    {
      name: `502 after commit of ${route}`,
      when: 'before',
      strike: (d) => void d.script(route, { kind: 'status', status: 502, afterCommit: true }),
    },
    {
      name: `reset after commit of ${route}`,
      when: 'before',
      strike: (d) => void d.script(route, { kind: 'reset', afterCommit: true }),
    },
    { name: `reset of ${route}`, when: 'before', strike: (d) => void d.script(route, { kind: 'reset' }) },
    { name: `500 of ${route}`, when: 'before', strike: (d) => void d.script(route, { kind: 'status', status: 500 }) },
    {
      name: `429 of ${route}`,
      when: 'before',
      strike: (d) => void d.script(route, { kind: 'rate-limit', retryAfterMs: 1000 }),
    },
    {
      name: `429 of everything at ${route}`,
      when: 'before',
      strike: (d) => void d.script(route, { kind: 'rate-limit', retryAfterMs: 1000, global: true }),
    },
  ]),
  {
    name: 'events three times, through a resume',
    when: 'before',
    strike({ gateway }) {
      gateway.repeat(3)
      gateway.drop()
    },
  },
]

/** A question that waits for a connection, and for missed messages to be read back. */
const LONGEST_MS = 3 * 60_000

interface Scene {
  readonly strike: (name: string) => void
  readonly say: (text: string) => Promise<string>
  /** Finished messages of Footbridge that answer this one. */
  readonly answersTo: (id: string) => readonly string[]
}

/** Each fault `times` times, a question with each: one answer, whatever goes wrong. */
async function ask(scene: Scene, faults: readonly Pick<ServiceFault<never>, 'name' | 'when'>[], times: number) {
  const wrong: string[] = []
  const asked: { readonly id: string; readonly what: string }[] = []
  for (let time = 0; time < times; time += 1) {
    for (const { name, when } of faults) {
      if (when === 'before') scene.strike(name)
      const id = await scene.say(`Question ${asked.length}?`)
      if (when === 'after') scene.strike(name)
      asked.push({ id, what: `${name} ${when} question ${asked.length}` })
      // One that is never answered is told below.
      await eventually(() => scene.answersTo(id).length > 0, { timeoutMs: LONGEST_MS }).catch(() => undefined)
    }
  }
  for (const { id, what } of asked) {
    const answers = scene.answersTo(id)
    if (answers.length !== 1) wrong.push(`${what}: ${answers.length} answers: ${answers.join(' | ').slice(0, 300)}`)
  }
  return { asked: asked.length, wrong }
}

const find = <Double>(faults: readonly ServiceFault<Double>[], name: string) => faults.find((one) => one.name === name)

export const slackFaults = (times: number, faults = SLACK_FAULTS) =>
  measure(`faults of Slack: ${faults.length} kinds`, async () => {
    const [slack, hosted] = await Promise.all([openSlack(), withPlatform('collection')])
    const footbridge = await startFootbridge({ ...slack.env, ...hosted.env })
    try {
      const channel = await slack.addChannel('harbour')
      const scene: Scene = {
        strike: (name) => find(faults, name)?.strike(slack.slack),
        say: (text) => slack.say('Ada', channel, { text, mention: true }),
        answersTo: (id) =>
          slack.slack
            .transcript(channel.id)
            .flatMap(({ own, thread, text, streaming }) => (own && thread === id && !streaming ? [text] : [])),
      }
      return toOutcome(await ask(scene, faults, times), hosted.platform.requests, footbridge.output.stderr)
    } finally {
      await footbridge.close()
      await Promise.all([slack.close(), hosted.close()])
    }
  })

export const discordFaults = (times: number, faults = DISCORD_FAULTS) =>
  measure(`faults of Discord: ${faults.length} kinds`, async () => {
    const [discord, hosted] = await Promise.all([openDiscord(), withPlatform('collection')])
    const footbridge = await startFootbridge({ ...discord.env, ...hosted.env })
    try {
      const channel = await discord.addChannel('harbour')
      const scene: Scene = {
        strike: (name) => find(faults, name)?.strike(discord.discord),
        say: (text) => discord.say('Ada', channel, { text, mention: true }),
        answersTo: (id) =>
          discord.discord
            .transcript(channel.id)
            .flatMap(({ bot, replyTo, text }) => (bot && replyTo === id && !text.includes('▌') ? [text] : [])),
      }
      return toOutcome(await ask(scene, faults, times), hosted.platform.requests, footbridge.output.stderr)
    } finally {
      await footbridge.close()
      await Promise.all([discord.close(), hosted.close()])
    }
  })

function toOutcome(
  { asked, wrong }: { readonly asked: number; readonly wrong: readonly string[] },
  requests: readonly { readonly op: string }[],
  stderr: readonly string[],
) {
  const again = requests.filter(({ op }) => op === 'chat').length - asked
  return {
    tried: `${asked} questions`,
    found: { 'without one answer': wrong.length, 'asked of the model again': Math.max(0, again) },
    wrong: [...wrong, ...stderr],
  }
}
