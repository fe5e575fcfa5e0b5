import { startDiscordDouble, type DiscordDouble } from '#test/doubles/discord/discord-double.ts'
import { startSlackDouble, type SlackDouble } from '#test/doubles/slack/double.ts'
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
  /** From the event to its last acknowledgement; undefined where the service asks for none. */
  ackMs(): number | undefined
  /** From the event to the first that a person sees: a status, a typing sign, text. */
  signMs(): number
  /** Each text of the answer that came over the wire, in order. */
  shown(): readonly string[]
  /** The characters of the answer as a person sees them now. */
  characters(): number
  /** Requests to the chat service from the event to those characters, in order. */
  callsBefore(): readonly { readonly call: string; readonly ms: number }[]
  /** Resolves with the time at which the last part of the answer came over the wire. */
  readonly answered: Promise<number>
}

/** One chat service on loopback, as the bench uses it. */
export interface Stage extends AsyncDisposable {
  /** Settings of Footbridge. */
  readonly env: Readonly<Record<string, string>>
  /** Settings of the peer. */
  readonly peerArgs: readonly string[]
  /** Requests to the chat service up to now. */
  calls(): number
  /** A person mentions the bot in this channel. */
  ask(channel: number, id: number, text: string): Asking
  /** Drops a file in this channel; resolves when its receipt says `ready`. */
  drop(channel: number, name: string, mimeType: string, bytes: Uint8Array | string): Promise<void>
}

interface Noted<Call> {
  readonly call: Call
  readonly at: number
}

/** Calls by their channel with finer times than the doubles note: a question must not look through those of others. */
function noteCalls<Call extends object>(calls: readonly Call[], channelOf: (call: Call) => string) {
  const noted = new Map<string, Noted<Call>[]>()
  const watchers = new Map<string, (call: Noted<Call>) => void>()
  const log = calls as Call[]
  const push = log.push.bind(log)
  const of = (channel: string) => {
    const known = noted.get(channel) ?? []
    noted.set(channel, known)
    return known
  }
  log.push = (...added) => {
    for (const call of added) {
      const [channel, note] = [channelOf(call), { call, at: performance.now() }]
      of(channel).push(note)
      watchers.get(channel)?.(note)
    }
    return push(...added)
  }
  return {
    of,
    /** Drops what was noted before. */
    forget(before: number): void {
      for (const list of noted.values()) {
        const kept = list.findIndex(({ at }) => at >= before)
        list.splice(0, kept < 0 ? list.length : kept)
      }
    },
    watch: (channel: string, look: (call: Noted<Call>) => void) => void watchers.set(channel, look),
  }
}

interface Observed<Call> {
  readonly notes: ReturnType<typeof noteCalls<Call & object>>
  readonly channel: string
  readonly name: (call: Call) => string
  /** Text that this call shows to a person, if any. */
  readonly shown: (call: Call) => string | undefined
  /** A status or a typing sign. */
  readonly isSign: (call: Call) => boolean
  /** The call that ends an answer, with or without text of its own. */
  readonly ends: (call: Call, id: number) => boolean
  readonly characters: () => number
  /** Says the question; returns when each of its events was acknowledged. */
  readonly say: () => readonly Promise<unknown>[]
}

function observe<Call extends object>(observed: Observed<Call>, id: number): Asking {
  const { notes, channel } = observed
  const mine = notes.of(channel)
  const at = performance.now()
  const sinceAsked = () => mine.filter((note) => note.at >= at)
  const done = Promise.withResolvers<number>()
  notes.watch(channel, (note) => {
    if (observed.ends(note.call, id)) done.resolve(note.at)
  })
  let ackedAt: number | undefined
  for (const acked of observed.say()) void acked.then(() => (ackedAt = performance.now()))
  const isAnswer = ({ call }: Noted<Call>) => observed.shown(call)?.startsWith(answerHead) === true
  const firstOf = (is: (note: Noted<Call>) => boolean) => {
    const found = sinceAsked().find(is)
    if (found === undefined) {
      const said = sinceAsked().map(({ call }) => observed.shown(call) ?? '')
      throw new Error(`Question ${id} was not answered by the model. Shown instead: ${said.join(' ').trim()}`)
    }
    return found
  }
  return {
    id,
    at,
    ackMs: () => ackedAt && ackedAt - at,
    signMs: () => firstOf((note) => observed.isSign(note.call) || isAnswer(note)).at - at,
    shown: () =>
      sinceAsked()
        .filter(isAnswer)
        .map(({ call }) => observed.shown(call) ?? ''),
    characters: observed.characters,
    firstVisibleAt: () => firstOf(isAnswer).at,
    callsBefore() {
      const noted = sinceAsked()
      return noted
        .slice(0, noted.indexOf(firstOf(isAnswer)) + 1)
        .map((note) => ({ call: observed.name(note.call), ms: note.at - at }))
    },
    answered: done.promise,
  }
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '')

type SlackArgs = Readonly<Record<string, unknown>>

/** Text of a call, also in the chunks of a stream. */
function textOfArgs(args: SlackArgs): string {
  const chunks = Array.isArray(args['chunks']) ? (args['chunks'] as readonly { readonly text?: unknown }[]) : []
  return textOf(args['markdown_text']) || textOf(args['text']) || chunks.map(({ text }) => textOf(text)).join('')
}

/** A sentence instead of an answer: a failure that is said ends the question, too. Peers post a few characters first. */
const isSentence = (method: string, args: SlackArgs) =>
  method === 'chat.postMessage' && textOfArgs(args).length > 20 && !textOfArgs(args).startsWith(answerHead)

export async function openSlack(
  count = stageChannels,
  options: Parameters<typeof startSlackDouble>[0] = {},
): Promise<Stage & { readonly slack: SlackDouble; forget(olderThanMs: number): void }> {
  const slack = await startSlackDouble(options)
  const user = slack.addUser({ name: 'ana' }).id
  const channels = Array.from({ length: count }, () => slack.addChannel())
  const notes = noteCalls(slack.calls, ({ args }) => textOf(args['channel']) || textOf(args['channel_id']))
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
    calls: () => slack.calls.length,
    forget(olderThanMs) {
      slack.forget(olderThanMs)
      notes.forget(performance.now() - olderThanMs)
    },
    ask(index, id, text) {
      const channel = channelOf(index)
      let thread = ''
      return observe(
        {
          notes,
          channel,
          name: ({ method }) => method,
          shown: ({ method, args }) => (showing.has(method) ? textOfArgs(args) : undefined),
          isSign: ({ method, args }) => method === 'agents.sessions.setStatus' && args['status'] === 'processing',
          ends: ({ method, args }, asked) =>
            isSentence(method, args) ||
            // A stream that goes on in the next message ends without the answer's end.
            ((method === 'chat.stopStream' || method === 'chat.update' || method === 'chat.appendStream') &&
              (textOfArgs(args).includes(answerEnd(asked)) ||
                (method === 'chat.stopStream' && endsWith(thread, asked)))),
          characters: () => bodyOf(thread).length,
          say() {
            const before = slack.envelopes.length
            thread = slack.say({ channel, user, mention: true, text }).thread
            return slack.envelopes.slice(before).map(({ acked }) => acked)
          },
        },
        id,
      )
      function bodyOf(said: string): string {
        const shown = slack.transcript(channel, said).filter(({ own }) => own)
        return shown.map(({ body }) => body).join('\n')
      }
      function endsWith(said: string, asked: number): boolean {
        return bodyOf(said).includes(answerEnd(asked))
      }
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

const contentOf = ({ path, body }: { readonly path: string; readonly body: unknown }) =>
  path.includes('/messages') && typeof body === 'object' && body !== null
    ? textOf('content' in body ? body.content : undefined)
    : ''

export async function openDiscord(
  count = stageChannels,
  limits: Parameters<typeof startDiscordDouble>[0] = {},
): Promise<Stage & { readonly discord: DiscordDouble }> {
  const discord = await startDiscordDouble(limits)
  const channels =
    limits?.crowd === undefined
      ? Array.from({ length: count }, (_, index) => discord.addChannel(`bench-${index}`))
      : discord.crowd.flat().slice(0, count)
  const notes = noteCalls(discord.calls, ({ path }) => /\/channels\/(\d+)/.exec(path)?.[1] ?? '')
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
    calls: () => discord.calls.length,
    ask(index, id, text) {
      const channel = channelOf(index)
      let from = 0
      return observe(
        {
          notes,
          channel,
          name: ({ method, route }) => `${method} ${route}`,
          shown: contentOf,
          isSign: ({ path }) => path.endsWith('/typing'),
          ends: (call, asked) => contentOf(call).includes(answerEnd(asked)),
          characters: () =>
            discord
              .transcript(channel)
              .slice(from)
              .reduce((sum, { text: shown }) => sum + shown.length, 0),
          say() {
            from = discord.transcript(channel).length + 1
            discord.say({ channel, mention: true, text })
            return []
          },
        },
        id,
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
