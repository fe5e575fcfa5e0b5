import type { Author } from '#bridge/port/author.ts'
import type { ConversationRef, Inbound } from '#bridge/port/message.ts'
import { type Credentials, createApi, type SdkLogger } from '../api.ts'
import { createChannelInfo } from '../calls/channel-info.ts'
import {
  allowedHosts,
  APPEND_INTERVAL_MS,
  CATCH_UP_AGE_MS,
  type Identity,
  isResponseUrl,
  type SlackOptions,
} from '../config.ts'
import { createPersonInfo } from '../calls/person-info.ts'
import type { ReadPace } from '../calls/read-pace.ts'
import { createDirectory, type Directory } from '../directory.ts'
import { createDownload } from '../inbound/attachment.ts'
import type { BoltEvents, Readers } from '../inbound/bolt-events.ts'
import { createCatchUp, NO_CURSORS } from '../inbound/catch-up.ts'
import { createCommandReader } from '../inbound/commands.ts'
import { createEventReader } from '../inbound/events.ts'
import { createHistory } from '../inbound/history.ts'
import { createInteractionReader } from '../inbound/interactions.ts'
import { createMessageReader } from '../inbound/message.ts'
import { createSentMessages, type SentMessages } from '../outbound/find-send.ts'
import { createPosting } from '../outbound/post.ts'
import { createSessions, type Sessions } from '../outbound/sessions.ts'
import { createStatuses, type Statuses } from '../outbound/status.ts'
import { createStreams } from '../outbound/stream.ts'
import { createUpload } from '../outbound/upload.ts'
import { createViews } from '../outbound/views.ts'
import { createWorkObjects, opensReferences } from '../outbound/work-objects.ts'
import { createPermissions } from '../permissions.ts'
import type { Acts } from './acts.ts'
import { createPresence, type Presence } from './presence.ts'

/** All that speaks with one workspace. Its token is in no other, and nothing in it knows of others. */
export interface Workspace {
  readonly acts: Acts
  readonly readers: Readers
  readonly presence: Presence
  /** Keeps the marks as they are until `catchUp` has read the messages after them. */
  hold: () => void
  /** Lets the marks go on: nothing was missed. */
  release: () => void
  /** Reads the messages of an absence, in the same way as live events. Never rejects. `since`: see `CatchUp.run`. */
  catchUp(deliver: BoltEvents['deliver'], since?: number): Promise<void>
  /** Ends statuses and waits at most `ms` for running calls. */
  stop(ms: number): Promise<void>
}

export interface WorkspaceParts {
  readonly options: Omit<SlackOptions, 'botToken' | 'appToken' | 'signingSecret'>
  readonly logger: SdkLogger
  readonly credentials: Credentials
  readonly identity: Identity
  /** There are other workspaces. */
  readonly isOneOfMany?: boolean
}

/** A question that begins a session in the agent tab gives it its name. Slack leaves the end of a stopped one to us. */
function tellSession(sessions: Sessions, inbound: Inbound): void {
  if (inbound.kind === 'stop') void sessions.set(inbound.conversation, 'active')
  if (inbound.kind !== 'message') return
  const { conversation, id, text } = inbound.message
  if (conversation.direct && conversation.thread === id) sessions.name(conversation, text)
}

/** A process that died with its answer shown may have left the session at work. */
const findWith =
  ({ find }: SentMessages, { setIdle }: Pick<Statuses, 'setIdle'>): SentMessages['find'] =>
  async (place, send) => {
    const found = await find(place, send)
    if (found !== undefined && send.isAnswer === true) void setIdle(place, 'active')
    return found
  }

async function authorOf(directory: Directory, id: string): Promise<Author | undefined> {
  const person = await directory.ask(id)
  return person && { id, name: person.name, language: person.language, timeZone: person.timeZone }
}

// oxlint-disable-next-line max-lines-per-function -- a factory: it only returns methods
export function createWorkspace({ options, logger, credentials, identity, isOneOfMany }: WorkspaceParts): Workspace {
  const { log } = options
  const api = createApi(options, logger, credentials)
  const own = () => identity
  const intervalMs = options.appendIntervalMs ?? APPEND_INTERVAL_MS
  const people = createPersonInfo(api)
  const directory = createDirectory(api, people)
  const sessions = createSessions(api, log)
  const statuses = createStatuses(sessions, options.statusRefreshMs)
  const shown = (conversation: ConversationRef) => statuses.shown(conversation, 'posted')
  const sentMessages = createSentMessages(api, own)
  const isOurUrl = (url: URL) => isResponseUrl(url, options.apiUrl)
  const workObjects = createWorkObjects(api, log, options)
  const posting = createPosting({ api, log, sentMessages, shown, isResponseUrl: isOurUrl, workObjects })
  const views = createViews({
    api,
    team: () => identity.team,
    setSession: statuses.setIdle,
    workObjects,
    hasWorkObjects: options.workObjects === true,
    log,
  })
  const channels = createChannelInfo(api)
  const permissions = createPermissions(api, log, own, { channels, people })
  const messages = createMessageReader({ identity, api, directory })
  const parts = { api, identity, directory, messages }
  const pace: ReadPace = { isSlow: false }
  let door: BoltEvents['deliver'] | undefined
  const catchUp = createCatchUp({
    api,
    cursors: options.cursorsOf?.(identity.team) ?? NO_CURSORS,
    log,
    ownId: () => identity.userId,
    team: identity.team,
    isOneOfMany,
    pace,
    yieldMs: options.readYieldMs,
    maxAgeMs: options.catchUpAgeMs ?? CATCH_UP_AGE_MS,
    deliver: async (event, isLate) => door?.(readers, event, isLate),
  })
  const readers: Readers = {
    identity,
    events: createEventReader(parts),
    interactions: createInteractionReader(parts),
    commands: createCommandReader(parts),
    channelSeen: channels.seen,
    personChanged(id) {
      people.forget(id)
      directory.forget(id)
    },
    received(inbound) {
      if (inbound.kind === 'message') catchUp.seen(inbound.message.conversation.channel, inbound.message.id)
      tellSession(sessions, inbound)
    },
  }
  const { showForm, mark, ...app } = views
  const { kindOf, ...access } = permissions
  return {
    readers,
    presence: createPresence(api, directory),
    acts: {
      post: posting.post,
      edit: posting.edit,
      remove: posting.remove,
      permalink: posting.permalink,
      find: findWith(sentMessages, statuses),
      ...createHistory({ api, messages: () => messages, isOurs: sentMessages.isOurs, pace }),
      upload: createUpload({ api, hosts: allowedHosts(options.fileHosts), shown }),
      ...access,
      people: { workspaceKind: 'company', kindOf, describe: (_, id) => authorOf(directory, id) },
      open: createDownload(options, api, credentials),
      stream: createStreams({
        api,
        posting,
        directory,
        homeTeam: () => identity.team,
        statuses,
        intervalMs,
        turn: options.pacer?.(`slack append ${identity.team}`, { everyMs: intervalMs }) ?? (() => Promise.resolve()),
      }),
      status: statuses.show,
      mark,
      showForm,
      app: { ...app, opensReferences: opensReferences(options), isInstalled: async (id) => id === identity.team },
    },
    hold: catchUp.hold,
    release: catchUp.release,
    async catchUp(deliver, since) {
      door = deliver
      await catchUp.run(since)
    },
    async stop(ms) {
      statuses.stop()
      await catchUp.stop()
      await api.settle(ms)
    },
  }
}
