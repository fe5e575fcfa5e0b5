import { setImmediate as turn } from 'node:timers/promises'
import { openDiscord } from '../support/people/discord.ts'
import { openSlack } from '../support/people/slack.ts'
import type { Channel, ChatWorkspace } from '../support/people/workspace.ts'

/**
 * How the test sees from outside, at the chat service alone, how far Footbridge has come. `hold…`: the next call of that
 * kind is taken and never answered. The others resolve when it has come so far.
 */
export interface Scene {
  readonly workspace: ChatWorkspace
  /** Channels in which nothing was said yet; the last one is the next to use. */
  readonly channels: Channel[]
  holdEvent(): void
  /** The event is on its way, and certainly not acknowledged. */
  heard(round: number): Promise<unknown>
  /** Everything that was said is acknowledged, where the service has acknowledgements. */
  acked(): Promise<unknown>
  /** In odd rounds the opening is carried out and its answer is lost. */
  holdOpening(round: number): void
  /** Resolves when the first words of the answer are visible. */
  opened(channel: Channel): Promise<unknown>
  /** They were added to. */
  grown(channel: Channel): Promise<unknown>
  /** The last call of an answer is carried out, its answer is lost. */
  holdEnd(): void
  ended(channel: Channel): Promise<unknown>
  holdDownload(): void
  downloading(): Promise<unknown>
  holdReceipt(): void
  /** The receipt shows its last state. */
  received(channel: Channel): Promise<unknown>
  /** Nothing is held any more. */
  calm(): void
}

/** How many channels a run uses up. */
const CHANNELS = 80

const makeChannels = (workspace: ChatWorkspace): Promise<Channel[]> =>
  Promise.all(Array.from({ length: CHANNELS }, (_, index) => workspace.addChannel(`channel-${index}`)))

export async function openSlackScene(): Promise<Scene> {
  const workspace = await openSlack()
  const { slack } = workspace
  const channels = await makeChannels(workspace)
  let since = 0
  const called = (method: string) =>
    slack.calls.slice(since).some((call) => call.method === method || call.method.startsWith(`${method}:`))
  const until = async (look: () => boolean) => slack.until(look)
  const stands = (channel: Channel, words: string) =>
    slack.transcript(channel.id).some(({ own, body }) => own && body.includes(words))
  return {
    workspace,
    channels,
    // The name of whoever speaks is looked up before the event is stored.
    holdEvent: () => slack.script('users.info', { hang: true }),
    heard: () => until(() => called('users.info')),
    acked: () => until(() => slack.unacked().length === 0),
    holdOpening: (round) =>
      slack.script('chat.startStream', round % 2 === 1 ? { hang: true, perform: true } : { pass: true }),
    opened: (channel) => until(() => called('chat.startStream') && stands(channel, 'You')),
    grown: (channel) => until(() => called('chat.appendStream') && stands(channel, 'word')),
    holdEnd: () => slack.script('chat.stopStream', { hang: true, perform: true }),
    ended: (channel) => until(() => called('chat.stopStream') && stands(channel, 'Not from files')),
    holdDownload() {
      // The id of a file is known when it is dropped: any file that is dropped next.
      const next = slack.workspace.nextId('F')
      const number = Number(next.slice(1)) + 1
      slack.script(`file:F${String(number).padStart(5, '0')}`, { hang: true })
    },
    downloading: () => until(() => called('file')),
    holdReceipt: () => slack.script('chat.update', { hang: true, perform: true }),
    received: (channel) => until(() => called('chat.update') && stands(channel, 'ready')),
    calm() {
      since = slack.calls.length
      for (const name of ['users.info', 'chat.startStream', 'chat.stopStream', 'chat.update']) slack.unscript(name)
    },
  }
}

const POST = 'POST /channels/:channel/messages'
const EDIT = 'PATCH /channels/:channel/messages/:message'

export async function openDiscordScene(): Promise<Scene> {
  const workspace = await openDiscord()
  const { discord } = workspace
  const channels = await makeChannels(workspace)
  const ends: (() => void)[] = []
  const hold = (route: string, kind: 'hang', afterCommit: boolean) =>
    void ends.push(discord.script(route, { kind, afterCommit, times: 100 }))
  let since = 0
  const called = (name: string) => discord.calls.slice(since).some(({ method, route }) => `${method} ${route}` === name)
  const until = async (look: () => boolean) => discord.until(look)
  const stands = (channel: Channel, words: string) =>
    discord.transcript(channel.id).some(({ bot, text }) => bot && text.includes(words))
  return {
    workspace,
    channels,
    holdEvent: () => {},
    // Discord hears nothing of a message that was received: the kill comes about with it, a little earlier or later.
    heard: async (round) => {
      for (let turns = 0; turns < round * 3; turns += 1) await turn()
    },
    acked: () => until(() => called('POST /channels/:channel/typing')),
    holdOpening: (round) => {
      if (round % 2 === 1) hold(POST, 'hang', true)
    },
    opened: (channel) => until(() => called(POST) && stands(channel, 'You')),
    grown: (channel) => until(() => called(EDIT) && stands(channel, 'word')),
    holdEnd: () => hold(EDIT, 'hang', true),
    ended: (channel) => until(() => called(EDIT) && stands(channel, 'Not from files')),
    holdDownload: () => hold('GET /attachments', 'hang', false),
    downloading: () => until(() => called('GET /attachments')),
    holdReceipt: () => hold(EDIT, 'hang', true),
    received: (channel) => until(() => called(EDIT) && stands(channel, 'ready')),
    calm() {
      since = discord.calls.length
      for (const end of ends.splice(0)) end()
    },
  }
}
