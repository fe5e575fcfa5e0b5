import { startDiscordDouble, type DiscordDouble } from '../test/doubles/discord/discord-double.ts'
import { startSlackDouble, type SlackDouble } from '../test/doubles/slack/double.ts'
import { answerEnd, answerHead } from './model.ts'

/** Longest wait for a receipt: a little less than a row may take. */
const rowPatienceMs = 50_000

/** Questions of the delay rows that can be in flight at once: each has a channel of its own. */
export const stageChannels = 10

export interface Asking {
  readonly id: number
  /** When the event went onto the wire, by `performance.now()`. */
  readonly at: number
  /** When the first characters of the model's answer came over the wire. Known once `answered` has resolved. */
  firstVisibleAt(): number
  /** Each text of the answer that came over the wire, in order. */
  shown(): readonly string[]
  /** Requests to the chat service from the event to those characters, in order. */
  callsBefore(): readonly { readonly call: string; readonly ms: number }[]
  /** Resolves when the whole answer is shown. */
  readonly answered: Promise<unknown>
}

/** One chat service on loopback, as the bench uses it. */
export interface Stage extends AsyncDisposable {
  /** Settings of Footbridge. */
  readonly env: Readonly<Record<string, string>>
  /** Settings of the peer. */
  readonly peerArgs: readonly string[]
  /** A person mentions the bot in this channel. */
  ask(channel: number, id: number, text: string): Asking
  /** Drops a file in this channel; resolves when its receipt says `ready`. */
  drop(channel: number, name: string, mimeType: string, bytes: Uint8Array | string): Promise<void>
}

/** The doubles note whole milliseconds; the bench needs finer ones. */
function stamp<Call extends object>(calls: readonly Call[]): (call: Call) => number {
  const stamps = new WeakMap<Call, number>()
  const log = calls as Call[]
  const push = log.push.bind(log)
  log.push = (...added) => {
    for (const call of added) stamps.set(call, performance.now())
    return push(...added)
  }
  return (call) => stamps.get(call) ?? Number.NaN
}

interface Observed<Call> {
  readonly calls: readonly Call[]
  readonly at: (call: Call) => number
  readonly name: (call: Call) => string
  /** Text that this call shows to a person, if any. */
  readonly shown: (call: Call) => string | undefined
  /** The call that ends an answer, with or without text of its own. */
  readonly ends: (call: Call, id: number) => boolean
  until(look: () => boolean): Promise<unknown>
}

function observe<Call>(observed: Observed<Call>, id: number, say: () => void): Asking {
  const since = observed.calls.length
  const at = performance.now()
  say()
  const mine = () => observed.calls.slice(since)
  const isAnswer = (call: Call) => observed.shown(call)?.startsWith(answerHead) === true
  const first = () => {
    const found = mine().find(isAnswer)
    if (found === undefined) throw new Error(`Question ${id} was answered with nothing visible.`)
    return found
  }
  return {
    id,
    at,
    firstVisibleAt: () => observed.at(first()),
    shown: () =>
      mine()
        .filter(isAnswer)
        .map((call) => observed.shown(call) ?? ''),
    callsBefore() {
      const until = mine().indexOf(first())
      return mine()
        .slice(0, until + 1)
        .map((call) => ({ call: observed.name(call), ms: observed.at(call) - at }))
    },
    answered: observed.until(() => mine().some((call) => observed.ends(call, id))),
  }
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '')

export async function openSlack(count = stageChannels): Promise<Stage & { readonly slack: SlackDouble }> {
  const slack = await startSlackDouble()
  const user = slack.addUser({ name: 'ana' }).id
  const channels = Array.from({ length: count }, () => slack.addChannel())
  const at = stamp(slack.calls)
  const showing = new Set(['chat.startStream', 'chat.appendStream', 'chat.postMessage', 'chat.update'])
  const channelOf = (index: number) => channels[index] ?? ''
  return {
    slack,
    env: {
      SLACK_BOT_TOKEN: slack.botToken,
      SLACK_APP_TOKEN: slack.appToken,
      SLACK_API_URL: slack.apiUrl,
      FILE_HOSTS: '127.0.0.1:*',
    },
    peerArgs: [slack.apiUrl, slack.botToken, slack.appToken],
    ask(index, id, text) {
      const channel = channelOf(index)
      const isHere = ({ args }: { readonly args: Readonly<Record<string, unknown>> }) => args['channel'] === channel
      return observe(
        {
          calls: slack.calls,
          at,
          name: ({ method }) => method,
          shown: (call) =>
            isHere(call) && showing.has(call.method)
              ? textOf(call.args['markdown_text']) || textOf(call.args['text'])
              : undefined,
          ends: (call) =>
            isHere(call) &&
            (call.method === 'chat.stopStream' ||
              (call.method === 'chat.update' && textOf(call.args['text']).includes(answerEnd(id)))),
          until: (look) => slack.until(look, `the answer to question ${id}`),
        },
        id,
        () => slack.say({ channel, user, mention: true, text }),
      )
    },
    async drop(index, name, mimeType, bytes) {
      const channel = channelOf(index)
      const { thread } = slack.say({ channel, user, files: [slack.hostFile(bytes, name, mimeType)] })
      await slack.until(
        () => slack.transcript(channel, thread).some(({ own, text }) => own && text.includes('ready')),
        `the receipt of ${name}`,
        rowPatienceMs,
      )
    },
    [Symbol.asyncDispose]: () => slack.close(),
  }
}

export async function openDiscord(count = stageChannels): Promise<Stage & { readonly discord: DiscordDouble }> {
  const discord = await startDiscordDouble()
  const channels = Array.from({ length: count }, (_, index) => discord.addChannel(`bench-${index}`))
  const at = stamp(discord.calls)
  const channelOf = (index: number) => channels[index] ?? ''
  return {
    discord,
    env: {
      DISCORD_TOKEN: discord.token,
      DISCORD_API_URL: discord.apiUrl,
      // The double has no limit for the whole bot, and the bench must not measure one.
      DISCORD_GLOBAL_RPS: '1000',
      FILE_HOSTS: '127.0.0.1:*',
    },
    peerArgs: [discord.apiUrl, discord.token],
    ask(index, id, text) {
      const channel = channelOf(index)
      const contentOf = ({ path, body }: { readonly path: string; readonly body: unknown }) =>
        path.includes(`/channels/${channel}/messages`) && typeof body === 'object' && body !== null
          ? textOf('content' in body ? body.content : undefined)
          : ''
      return observe(
        {
          calls: discord.calls,
          at,
          name: ({ method, route }) => `${method} ${route}`,
          shown: contentOf,
          ends: (call) => contentOf(call).includes(answerEnd(id)),
          until: (look) => discord.until(look),
        },
        id,
        () => void discord.say({ channel, mention: true, text }),
      )
    },
    async drop(index, name, mimeType, bytes) {
      const channel = channelOf(index)
      const said = discord.say({ channel, files: [{ name, bytes, mimeType }] })
      await discord.until(
        () => discord.transcript(channel).some(({ replyTo, text }) => replyTo === said.id && text.includes('ready')),
        rowPatienceMs,
      )
    },
    [Symbol.asyncDispose]: () => discord.close(),
  }
}
