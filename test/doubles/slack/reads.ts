/** The methods that read: who, where, what was said, which file. And the status line. */
import { joined, type Method } from './chat.ts'
import { LIMITS } from './limits.ts'
import { isJson, Refusal, str, type Json, type StoredMessage } from './types.ts'
import { toWire, type Workspace } from './workspace.ts'

/** Slack clears the status by itself two minutes after it was set. */
const STATUS_MS = 120_000

/** Of commercial apps outside the Marketplace: longer pages are cut without a word. */
const SLOW_PAGE = 15

export const flag = (value: unknown) => value === true || value === 'true' || value === '1' || value === 1

function pageOf(all: readonly StoredMessage[], args: Json, workspace: Workspace): Json {
  const { oldest, latest } = args
  const inclusive = flag(args['inclusive'])
  const inRange = all.filter((message) => {
    const after = typeof oldest !== 'string' || message.ts > oldest || (inclusive && message.ts === oldest)
    const before = typeof latest !== 'string' || message.ts < latest || (inclusive && message.ts === latest)
    // A thread's first message comes along whatever the range.
    return (after && before) || message.ts === args['ts']
  })
  const asked = Number(args['limit'] ?? 100)
  if (!Number.isInteger(asked) || asked < 1 || asked > LIMITS['messages on a page']) throw new Refusal('invalid_limit')
  const most = workspace.readEveryMs === undefined ? asked : SLOW_PAGE
  const limit = Math.min(asked, most)
  const from = args['cursor'] === undefined ? 0 : Number(str(args['cursor'])?.replace('after:', ''))
  if (!Number.isInteger(from)) throw new Refusal('invalid_cursor')
  const messages = inRange.slice(from, from + limit)
  const more = from + limit < inRange.length
  return {
    messages: messages.map((message) => toWire(workspace, message, flag(args['include_all_metadata']))),
    has_more: more,
    response_metadata: { next_cursor: more ? `after:${from + limit}` : '' },
  }
}

const visible = (workspace: Workspace, channel: string) =>
  workspace
    .messagesIn(channel)
    .filter((message) => !message.deleted && message.ephemeralTo === undefined)
    .toSorted((a, b) => (a.ts < b.ts ? -1 : 1))

const replies: Method = (args, { workspace }) => {
  const channel = joined(workspace, args['channel'])
  const root = workspace.message(channel.id, args['ts'])
  const inThread = visible(workspace, channel.id).filter(
    (message) => message.ts === args['ts'] || message.threadTs === args['ts'],
  )
  if (root === undefined && inThread.length === 0) throw new Refusal('thread_not_found')
  return pageOf(inThread, args, workspace)
}

const history: Method = (args, { workspace }) => {
  const channel = joined(workspace, args['channel'])
  const newestFirst = visible(workspace, channel.id)
    .filter((message) => message.threadTs === undefined)
    .toReversed()
  return pageOf(newestFirst, args, workspace)
}

const usersInfo: Method = (args, { workspace }) => {
  const user = typeof args['user'] === 'string' ? workspace.users.get(args['user']) : undefined
  if (user === undefined) throw new Refusal('user_not_found')
  return {
    user: {
      id: user.id,
      team_id: user.teamId,
      name: user.name.toLowerCase().replaceAll(' ', '.'),
      real_name: user.name,
      profile: { display_name: user.name, real_name: user.name },
      tz: user.tz ?? 'Europe/Berlin',
      ...(user.teamId.startsWith('E')
        ? {
            team_id: 'T0ORG',
            enterprise_user: { enterprise_id: user.teamId, teams: ['T0ORG'], is_admin: user.admin ?? false },
          }
        : {}),
      is_bot: user.bot,
      deleted: user.deleted ?? false,
      is_admin: user.admin ?? false,
      is_owner: user.owner ?? false,
      is_restricted: user.guest !== undefined,
      is_ultra_restricted: user.guest === 'single',
      ...(user.teamId === workspace.teamId ? {} : { is_stranger: true }),
      ...(flag(args['include_locale']) && user.locale !== undefined ? { locale: user.locale } : {}),
    },
  }
}

const filesInfo: Method = (args, { workspace }) => {
  const file = typeof args['file'] === 'string' ? workspace.files.get(args['file']) : undefined
  if (file === undefined) throw new Refusal('file_not_found')
  const shares: Record<'public' | 'private', Json> = { public: {}, private: {} }
  for (const id of file.shares) {
    const isShare = (one: StoredMessage) => one.files.some((each) => each['id'] === args['file'])
    const message = workspace.messagesIn(id).findLast(isShare)
    const kind = workspace.channels.get(id)?.kind === 'channel' ? 'public' : 'private'
    shares[kind][id] = [{ ts: message?.ts ?? '1.1' }]
  }
  return { file: { ...file.record, shares } }
}

const setStatus: Method = (args, { workspace }) => {
  const channel = joined(workspace, args['channel_id'])
  const thread = str(args['thread_ts']) ?? ''
  if (workspace.message(channel.id, thread) === undefined) throw new Refusal('thread_not_found')
  const text = str(args['status'])
  if (text === undefined) throw new Refusal('invalid_arguments')
  const loading = args['loading_messages']
  if (Array.isArray(loading) && loading.length > LIMITS['loading messages']) throw new Refusal('invalid_arguments')
  if (text === '') workspace.statuses.delete(`${channel.id}:${thread}`)
  else workspace.statuses.set(`${channel.id}:${thread}`, { text, until: Date.now() + STATUS_MS })
  return {}
}

/** https://docs.slack.dev/reference/methods/assistant.threads.setSuggestedPrompts: four at most, in a direct message. */
const suggest: Method = (args, { workspace }) => {
  if (joined(workspace, args['channel_id']).kind !== 'im') throw new Refusal('channel_type_not_supported')
  const prompts = Array.isArray(args['prompts']) ? args['prompts'].filter(isJson) : []
  const isFilled = prompts.every(({ title, message }) => (str(title) ?? '') !== '' && (str(message) ?? '') !== '')
  if (prompts.length < 1 || prompts.length > LIMITS['suggested prompts'] || !isFilled)
    throw new Refusal('invalid_arguments')
  return {}
}

/** An emoji of the app under a message: there once, or not. */
const react =
  (isAdded: boolean): Method =>
  (args, { workspace }) => {
    const message = workspace.message(joined(workspace, args['channel']).id, args['timestamp'])
    if (message === undefined) throw new Refusal('message_not_found')
    const name = str(args['name']) ?? ''
    if (!/^[a-z0-9_+-]+$/.test(name)) throw new Refusal('invalid_name')
    const given = (message.reactions ??= new Set())
    if (given.has(name) === isAdded) throw new Refusal(isAdded ? 'already_reacted' : 'no_reaction')
    if (isAdded) given.add(name)
    else given.delete(name)
    return {}
  }

/** The pause that a reading app is told, whole seconds; undefined: it may read. */
export function readPause({ readEveryMs, lastReads }: Workspace, method: string): number | undefined {
  if (readEveryMs === undefined || !/^conversations\.(?:history|replies)$/.test(method)) return undefined
  const leftMs = (lastReads.get(method) ?? 0) + readEveryMs - Date.now()
  if (leftMs > 0) return Math.ceil(leftMs / 1000)
  lastReads.set(method, Date.now())
  return undefined
}

export const readMethods: Readonly<Record<string, Method>> = {
  'auth.test': (_args, { workspace }) => ({
    url: 'https://home.slack.example/',
    team: 'Home',
    user: 'footbridge',
    team_id: workspace.teamId,
    user_id: workspace.botUserId,
    bot_id: workspace.botId,
    is_enterprise_install: workspace.teamId.startsWith('E'),
    ...(workspace.teamId.startsWith('E') ? { enterprise_id: workspace.teamId } : {}),
  }),
  'assistant.threads.setStatus': setStatus,
  'assistant.threads.setSuggestedPrompts': suggest,
  'conversations.history': history,
  'conversations.replies': replies,
  'files.info': filesInfo,
  'files.list': (_args, { workspace }) => ({
    files: [...workspace.files.values()].map(({ record }) => record).toReversed(),
  }),
  'reactions.add': react(true),
  'reactions.remove': react(false),
  'users.info': usersInfo,
}
