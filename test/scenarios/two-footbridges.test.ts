import { timeOf } from '#adapters/discord/rest.ts'
import { type DiscordDouble, startDiscordDouble } from '#test/doubles/discord/discord-double.ts'
import { type SlackDouble, startSlackDouble } from '#test/doubles/slack/double.ts'
import { type Environment, startFootbridge } from '../support/footbridge.ts'
import type { DiscordWorkspace } from '../support/people/discord.ts'
import type { SlackWorkspace } from '../support/people/slack.ts'
import type { Channel, Workspace } from '../support/people/workspace.ts'
import { scenario } from './scenario.ts'

const MINUTE_MS = 60_000
const ROUNDS = 4

interface Answer {
  readonly at: number
  /** The message that it answers. */
  readonly to: string | undefined
}

/** The program as which a Footbridge is in a channel. */
interface Bot {
  readonly id: string
  /** Texts that it shows there, and those of them that are answers. */
  readonly texts: () => readonly string[]
  readonly answers: () => readonly Answer[]
  /** Writes there, past Footbridge; gives the id of the message. */
  readonly says: (text: string) => Promise<string>
}

async function post(url: string, authorization: string, body: object): Promise<Readonly<Record<string, string>>> {
  const headers = { authorization, 'content-type': 'application/json' }
  const answer = await fetch(url, { method: 'POST', headers, body: JSON.stringify(body) })
  return (await answer.json()) as Readonly<Record<string, string>>
}

function discordBot({ apiUrl, token, botUserId, nameOf, transcript }: DiscordDouble, { id: channel }: Channel): Bot {
  const own = () => transcript(channel).filter(({ author }) => author === nameOf(botUserId))
  return {
    id: botUserId,
    texts: () => own().map(({ text }) => text),
    answers: () =>
      own()
        .filter(({ buttons }) => buttons.includes('👍'))
        .map(({ id, replyTo }) => ({ at: timeOf(id), to: replyTo })),
    says: async (content) =>
      (await post(`${apiUrl}/v10/channels/${channel}/messages`, `Bot ${token}`, { content }))['id'] ?? '',
  }
}

function slackBot({ apiUrl, botToken, botUserId, ...slack }: SlackDouble, { id: channel }: Channel): Bot {
  const own = () => slack.transcript(channel).filter((shown) => shown.own && !shown.streaming)
  return {
    id: botUserId,
    texts: () => own().map(({ text }) => text),
    answers: () =>
      own()
        .filter(({ buttons }) => buttons.some(({ label }) => label === '👍'))
        .map(({ ts, thread }) => ({ at: Number(ts) * 1000, to: thread })),
    says: async (text) =>
      (await post(`${apiUrl}chat.postMessage`, `Bearer ${botToken}`, { channel, text }))['ts'] ?? '',
  }
}

/** Another program on the same service, and the settings of the Footbridge behind it. */
async function openBeside(workspace: Workspace, channel: Channel) {
  if (workspace.service === 'discord') {
    const { discord } = workspace as DiscordWorkspace
    const other = await startDiscordDouble({ beside: discord, token: 'another-token-0123456789', locale: 'en-GB' })
    const own: Environment = { DISCORD_TOKEN: other.token, DISCORD_API_URL: other.apiUrl }
    return {
      bots: [discordBot(discord, channel), discordBot(other, channel)] as const,
      own,
      close: () => other.close(),
    }
  }
  const { slack } = workspace as SlackWorkspace
  const other = await startSlackDouble({ beside: slack })
  const { botToken: SLACK_BOT_TOKEN, appToken: SLACK_APP_TOKEN, apiUrl: SLACK_API_URL } = other
  const own: Environment = { SLACK_BOT_TOKEN, SLACK_APP_TOKEN, SLACK_API_URL }
  return { bots: [slackBot(slack, channel), slackBot(other, channel)] as const, own, close: () => other.close() }
}

scenario(
  'two Footbridges that admit each other in one channel answer people, and each other once a minute at most',
  { on: ['slack', 'discord'], killedOn: 'discord' },
  async ({ workspace, ada, env, act, rough, errors, expect }) => {
    const { channel } = ada
    const { bots, own, close } = await openBeside(workspace, channel)
    const { DATA_DIR: _, ...shared } = env
    const { SLACK_SIGNING_SECRET: __, ...settings } = workspace.env
    const beside = await startFootbridge({ ...settings, ...shared, ...own })
    try {
      const [one, other] = bots
      const both = bots.map(({ id }) => `<@${id}>`).join(' ')
      const says = (text: string) => act(() => workspace.say('Ada', channel, { text }))
      const becomes = (look: (bot: Bot) => number, least: number) =>
        expect.poll(() => Math.min(...bots.map(look)), { timeout: MINUTE_MS }).toBeGreaterThanOrEqual(least)
      const shows = (pattern: RegExp) => becomes(({ texts }) => texts().filter((text) => pattern.test(text)).length, 1)
      const answersTo = (asked: string) => bots.map(({ answers }) => answers().filter(({ to }) => to === asked).length)

      await says(`<@${one.id}> access bots ${other.id} all`)
      await says(`<@${other.id}> access bots ${one.id} all`)
      await shows(/^Done\./)
      const question = await says(`${both} From which pier does the ferry leave?`)
      await expect.poll(() => answersTo(question), { timeout: MINUTE_MS }).toEqual([1, 1])

      // Each asks both again and again, which no Footbridge does, and either may die over it.
      const asked = new Set<string | undefined>()
      for (let round = 0; round < ROUNDS; round += 1)
        for (const bot of bots) {
          asked.add(await act(() => bot.says(`${both} When does the ferry to the island leave?`)))
          if (rough && round % 2 === 0) await beside.restart()
        }
      // A killed process does not answer what it missed of a program.
      await becomes(({ answers }) => answers().length, rough ? 1 : 2)
      const last = await says(`${both} From which pier does the ferry leave?`)
      await expect.poll(() => answersTo(last), { timeout: MINUTE_MS }).toEqual([1, 1])

      for (const { answers } of bots) {
        const toPrograms = answers().filter(({ to }) => asked.has(to))
        const apart = toPrograms.slice(1).map(({ at }, index) => at - (toPrograms[index]?.at ?? 0))
        expect(new Set(toPrograms.map(({ to }) => to)).size).toBe(toPrograms.length)
        // Ids of Slack's double count the messages of a second.
        expect(Math.min(...apart, MINUTE_MS)).toBeGreaterThan(MINUTE_MS - 1000)
      }
      expect(answersTo(question)).toEqual([1, 1])
      expect([...errors(), ...beside.alarms().filter(({ level }) => level >= 50)]).toEqual([])
    } finally {
      await beside.close()
      await close()
    }
  },
)
