/** Acts of people in the pretended workspace, and Slack's events for them. */
import { type Closings, createClosings } from './closings.ts'
import { createPresses, type Presses } from './presses.ts'
import { openEntity } from './entities.ts'
import type { SocketSide } from './socket.ts'
import { str, type Channel, type Envelope, type FileRecord, type Json, type StoredMessage } from './types.ts'
import { toWire, type Workspace } from './workspace.ts'

export interface Say {
  readonly channel: string
  readonly user: string
  readonly text?: string
  /** `ts` of the thread's first message. */
  readonly thread?: string
  readonly files?: readonly FileRecord[]
  /** Puts a mention of the app in front. */
  readonly mention?: boolean
  /** Of `app_mention` and `message`, which come as a pair. Default `mention-first`. */
  readonly order?: 'mention-first' | 'message-first' | 'mention-only' | 'message-only'
  /** How often Slack tells it. Default 1. */
  readonly times?: number
  /** Fields that stay with the message, in events and when it is read: `attachments` of a forward, a program's `bot_id`. */
  readonly kept?: Json
  /** Overrides fields of the `message` event. */
  readonly fields?: Json
}

export interface Said {
  readonly ts: string
  /** Its thread: its own `ts` at the top level. */
  readonly thread: string
  readonly envelopes: readonly Envelope[]
  /** When each of its envelopes is acknowledged. */
  readonly acked: Promise<void>
}

export interface People extends Presses, Closings {
  /** A delivery that is no event of a workspace. */
  sendBody(body: Json): Envelope

  say(input: Say): Said
  /** Slack tells this app of a message, or of a change, that another app in its workspace caused or was told of. */
  hear(event: Json, options?: { readonly echo?: boolean }): void
  /**
   * Slack tells of an edit as `message_changed`, and where the new words mention the app as `app_mention` too, with
   * `edited` (slack-go/slack#1256). The two come in either order.
   */
  editMessage(
    channel: string,
    ts: string,
    text: string,
    order?: 'changed-first' | 'mention-first' | 'changed-only' | 'mention-only',
  ): Envelope
  deleteMessage(channel: string, ts: string): Envelope
  /** The message stays, with a tombstone in place of the file. Slack tells of both, the file by its id alone. */
  deleteFile(channel: string, ts: string, file: string): { readonly changed: Envelope; readonly gone: Envelope }
  /** Puts an emoji under a message. */
  react(input: { channel: string; ts: string; user: string; name?: string }): Envelope
  /** Opens the Work Object of a link beside the chat. */
  openCard(input: { channel: string; ts: string; user: string; at?: number }): Envelope
  pressStop(input: { channel: string; thread: string; user: string; ts?: string }): Envelope
  /** `user`: the person for whom Slack delivers it; default the bot. */
  sendEvent(
    event: Json,
    options?: { readonly eventId?: string; readonly echo?: boolean; readonly user?: string },
  ): Envelope
}

const channelTypes: Record<Channel['kind'], string> = { channel: 'channel', private: 'group', im: 'im', mpim: 'mpim' }

/** Slack Connect's view of a file that lives in another workspace: only its id. */
export const connectStub = (file: FileRecord): FileRecord =>
  ({
    id: file.id,
    mode: 'file_access',
    file_access: 'check_file_info',
    created: 0,
    timestamp: 0,
    user: '',
  }) as unknown as FileRecord

/** The rest of a deleted message that has replies. */
const tombstone = (before: Json): Json => ({
  ...before,
  subtype: 'tombstone',
  user: 'USLACKBOT',
  team: undefined,
  text: 'This message was deleted.',
  hidden: true,
})

/** @param others tells other apps in the workspace */
export function createPeople(
  workspace: Workspace,
  sockets: SocketSide,
  others: (event: Json) => void = () => {},
): People {
  let events = 0
  // An id that begins with E is an organization.
  const isOrganization = workspace.teamId.startsWith('E')
  const sendEvent: People['sendEvent'] = (event, options = {}) =>
    sockets.send(
      'events_api',
      {
        token: 'legacy',
        team_id: isOrganization ? 'T0ORG' : workspace.teamId,
        ...(isOrganization ? { enterprise_id: workspace.teamId } : {}),
        api_app_id: workspace.appId,
        event,
        type: 'event_callback',
        event_id: options.eventId ?? `Ev${(events += 1)}`,
        event_time: Math.floor(Date.now() / 1000),
        authorizations: [
          {
            enterprise_id: isOrganization ? workspace.teamId : null,
            team_id: isOrganization ? 'T0ORG' : workspace.teamId,
            user_id: options.user ?? workspace.botUserId,
            is_bot: options.user === undefined,
            is_enterprise_install: isOrganization,
          },
        ],
        is_ext_shared_channel: workspace.channels.get(str(event['channel']) ?? '')?.shared ?? false,
      },
      { echo: options.echo ?? false },
    )

  const inChannel = (message: StoredMessage, extra: Json): Json => ({
    channel: message.channel,
    channel_type: channelTypes[workspace.channel(message.channel).kind],
    event_ts: message.ts,
    ...extra,
  })

  /** `app_mention` of an edited message; its `event_ts` is that of the edit. */
  function mentionOf(message: StoredMessage): Json {
    const { subtype: _, files: __, ...lean } = toWire(workspace, message, false)
    return { ...lean, type: 'app_mention', event_ts: message.edited }
  }

  /** Slack tells of a mention by an event of its own, too. */
  function mentionsIn(event: Json, channel: string): Json[] {
    const { channel_type: _, subtype: __, files: ___, ...lean } = event
    const isMentioned = String(lean['text']).includes(`<@${workspace.botUserId}>`)
    return isMentioned && workspace.channel(channel).kind !== 'im' ? [{ ...lean, type: 'app_mention' }] : []
  }

  function store(input: Say): StoredMessage {
    const channel = workspace.channel(input.channel)
    channel.members.add(input.user)
    for (const file of input.files ?? []) workspace.files.get(file.id)?.shares.add(channel.id)
    const words = input.text ?? ''
    const text = input.mention === true ? `<@${workspace.botUserId}> ${words}`.trim() : words
    const files = input.files ?? []
    return workspace.insert({
      channel: channel.id,
      ...(input.thread === undefined ? {} : { threadTs: input.thread }),
      user: input.user,
      ...(files.length > 0 ? { subtype: 'file_share' } : {}),
      text,
      blocks: [],
      files,
      ...(input.kept === undefined ? {} : { kept: input.kept }),
    })
  }

  return {
    sendEvent,
    sendBody: (body) => sockets.send('events_api', body, { echo: true }),
    say(input) {
      const message = store(input)
      const wire = toWire(workspace, message, false)
      // `team` is missing on file_share messages (slackapi/slack-api-specs#62).
      if (message.subtype === 'file_share') delete wire['team']
      const event = inChannel(message, { ...wire, ...input.fields })
      others(event)
      const mention = mentionsIn(event, message.channel)
      const order = input.order ?? 'mention-first'
      const sequence = {
        'mention-first': [...mention, event],
        'message-first': [event, ...mention],
        'mention-only': mention,
        'message-only': [event],
      }[order]
      const envelopes: Envelope[] = []
      for (let time = 0; time < (input.times ?? 1); time += 1)
        for (const one of sequence) envelopes.push(sendEvent(one, { eventId: `Ev-${message.ts}-${str(one['type'])}` }))
      return {
        ts: message.ts,
        thread: message.threadTs ?? message.ts,
        envelopes,
        acked: Promise.all(envelopes.map(async (one) => one.acked)).then(() => undefined),
      }
    },
    hear(event, options) {
      const channel = String(event['channel'])
      const told = { channel_type: channelTypes[workspace.channel(channel).kind], ...event }
      const isNew = event['subtype'] === undefined || event['subtype'] === 'file_share'
      for (const one of [...(isNew ? mentionsIn(told, channel) : []), told]) sendEvent(one, options)
    },
    editMessage(channel, ts, text, order = 'changed-only') {
      const message = workspace.message(channel, ts)
      if (message === undefined) throw new Error(`no message ${ts}`)
      const before = toWire(workspace, message, false)
      message.text = text
      message.edited = workspace.nextTs()
      const event = {
        type: 'message',
        subtype: 'message_changed',
        message: toWire(workspace, message, false),
        previous_message: before,
        hidden: true,
        ts: message.edited,
      }
      const sequence = {
        'changed-first': [event, mentionOf(message)],
        'mention-first': [mentionOf(message), event],
        'changed-only': [event],
        'mention-only': [mentionOf(message)],
      }[order]
      const [first, second] = sequence.map((one) => sendEvent(inChannel(message, one)))
      const last = second ?? first
      if (last === undefined) throw new Error('nothing was told')
      return last
    },
    deleteMessage(channel, ts) {
      const message = workspace.message(channel, ts)
      if (message === undefined) throw new Error(`no message ${ts}`)
      const before = toWire(workspace, message, false)
      message.deleted = true
      // "Message deleted" is on top of a thread that goes on: slack-api-specs names the subtype, without its fields.
      const deletion =
        before['reply_count'] === undefined
          ? { subtype: 'message_deleted', deleted_ts: ts }
          : { subtype: 'message_changed', message: tombstone(before) }
      const event = { type: 'message', ...deletion, previous_message: before, hidden: true, ts: workspace.nextTs() }
      return sendEvent(inChannel(message, event))
    },
    deleteFile(channel, ts, file) {
      const message = workspace.message(channel, ts)
      if (message === undefined) throw new Error(`no message ${ts}`)
      const before = toWire(workspace, message, false)
      const files = message.files.map((one) => (one['id'] === file ? { id: file, mode: 'tombstone' } : one))
      workspace.files.delete(file)
      message.files = files
      const gone = sendEvent({
        type: 'file_deleted',
        file_id: file,
        channel_ids: [channel],
        event_ts: workspace.nextTs(),
      })
      const event = {
        type: 'message',
        subtype: 'message_changed',
        message: { ...toWire(workspace, message, false) },
        previous_message: before,
        hidden: true,
        ts: workspace.nextTs(),
      }
      return { gone, changed: sendEvent(inChannel(message, event)) }
    },
    ...createPresses(workspace, sockets, sendEvent),
    ...createClosings(workspace, sendEvent),
    react({ channel, ts, user, name = 'pushpin' }) {
      const message = workspace.message(channel, ts)
      if (message === undefined) throw new Error(`no message ${ts}`)
      return sendEvent({
        type: 'reaction_added',
        user,
        reaction: name,
        item_user: message.user,
        item: { type: 'message', channel, ts },
        event_ts: workspace.nextTs(),
      })
    },
    openCard({ channel, ts, user, at }) {
      const message = workspace.message(channel, ts)
      if (message === undefined) throw new Error(`no message ${ts}`)
      return sendEvent(openEntity(workspace, message, user, at))
    },
    pressStop(input) {
      const open = workspace.messages.findLast(
        (message) =>
          message.channel === input.channel &&
          message.stream?.open === true &&
          (input.ts === undefined || message.ts === input.ts),
      )
      if (open?.stream !== undefined) {
        open.stream.stoppedByUser = true
        open.stream.open = false
      }
      return sendEvent({
        type: 'agent_session_stopped',
        channel: input.channel,
        user: input.user,
        thread_ts: input.thread,
        streaming_message_ts: open === undefined ? [] : [open.ts],
        event_ts: workspace.nextTs(),
      })
    },
  }
}
