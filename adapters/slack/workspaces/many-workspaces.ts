import { AdapterError } from '#bridge/port/errors.ts'
import type { Receive } from '#bridge/port/adapter.ts'
import type { State } from '#bridge/port/state.ts'
import { createLinePace } from '#bridge/port/outage.ts'
import { waitAtMost } from '#adapters/shared/session.ts'
import { list, toFields } from '#adapters/shared/json.ts'
import type { SlackAdapter } from '../adapter.ts'
import { createSdkLogger } from '../api.ts'
import { awaySince, EVENTS_PATH, GAP_MS, type SlackOptions } from '../config.ts'
import { type BoltEvents, createBoltEvents } from '../inbound/bolt-events.ts'
import { createHttpEvents } from '../inbound/http-events.ts'
import { createSockets, type Gaps, type Sockets } from '../inbound/socket-mode.ts'
import { type Acts, forward, LIMITS } from './acts.ts'
import { createCredentials } from './credentials.ts'
import { goneEvent, goneFrom } from './departures.ts'
import { installationsOf } from './event-source.ts'
import { createInstallations, identityOf, type Installation } from './installations.ts'
import { createCandidates } from './candidates.ts'
import { createSharedChannels } from './shared-channels.ts'
import { createOAuth, createRefresh, type OAuthOptions } from './oauth.ts'
import { createWorkspace, type Workspace } from './workspace.ts'

export interface ManyOptions extends Omit<SlackOptions, 'botToken' | 'publicUrl'>, OAuthOptions {
  /** Encrypted. */
  readonly installations: State
  /** There is an earlier key: at the start, installations are encrypted with the first one. */
  readonly reseals?: boolean
  /** States of installations that are done: each is good once. */
  readonly states: State
  /** One entry a workspace: the process that deletes it renews the token. */
  readonly renewalLocks: State
  /** Shared channels, as all processes know them: bots, teams of organizations, and a channel's first installation. */
  readonly sharedChannels: State
  readonly lockMs?: number
  /** Pause before a workspace that could not be read is read again. Default 30 s. */
  readonly unreadRetryMs?: number
}

const SETTLE_MS = 10_000
/** Slack may let us read one page a minute in each workspace: the others do not wait for it. */
const MAX_READ_AT_ONCE = 16
const UNREAD = 'Messages missed in a Slack workspace could not be read; it is tried again. Check the database'
const UNREAD_RETRY_MS = 30_000
/** Another process may have stored or removed an installation. */
const KNOWN_MS = 30_000

interface Known {
  readonly installation: Installation
  readonly workspace: Workspace
  readonly at: number
}

/** The workspaces that have installed Footbridge. */
// oxlint-disable-next-line max-lines-per-function -- a factory: it only returns methods
function createWorkspaces(options: ManyOptions) {
  const { log, clock = Date.now, renewalLocks } = options
  const logger = createSdkLogger(log)
  const installations = createInstallations(options.installations)
  const refresh = createRefresh(options, logger)
  const open = new Map<string, Known>()
  const looks = new Map<string, Promise<Known | undefined>>()
  const candidates = createCandidates({ state: options.sharedChannels, find, clock })
  const takerOf = createSharedChannels(candidates)

  const credentialsOf = (id: string) =>
    createCredentials(id, { installations, renewalLocks, refresh, lockMs: options.lockMs, clock, log })

  function connect(installation: Installation): Workspace {
    const { workspace: id } = installation
    const identity = identityOf(installation)
    return createWorkspace({ options, logger, credentials: credentialsOf(id), identity, isOneOfMany: true })
  }

  /** Events of one workspace wait for the same look, so that they stay in order. */
  async function find(id: string): Promise<Known | undefined> {
    const known = open.get(id)
    if (known !== undefined && clock() - known.at < KNOWN_MS) return known
    const looking = looks.get(id) ?? look(id).finally(() => looks.delete(id))
    looks.set(id, looking)
    return looking
  }

  async function look(id: string): Promise<Known | undefined> {
    const installation = await installations.get(id)
    if (installation === undefined) {
      forget(id)
      return undefined
    }
    candidates.know(installation)
    // Read late: an installation meanwhile stops the workspace of before.
    const known = open.get(id)
    const isSame = known?.installation.userId === installation.userId && known.installation.botId === installation.botId
    const current = { installation, workspace: isSame ? known.workspace : connect(installation), at: clock() }
    open.set(id, current)
    return current
  }

  function forget(id: string): void {
    const known = open.get(id)
    open.delete(id)
    void known?.workspace.stop(0)
  }

  return {
    installations,
    credentialsOf,
    logger,
    find,
    takerOf,
    async put(installation: Installation) {
      await installations.put(installation)
      await renewalLocks.set(installation.workspace, true)
      await candidates.installed(installation)
      forget(installation.workspace)
    },
    /** Reads all: one that can't be decrypted ends the start, since nobody would notice later. */
    async check(): Promise<readonly Installation[]> {
      const found: Installation[] = []
      for (const id of await installations.all()) {
        const isMine = options.reseals === true && (await renewalLocks.delete(id))
        try {
          const installation = await installations.get(id)
          if (installation === undefined) continue
          candidates.know(installation)
          if (isMine) await installations.put(installation)
          found.push(installation)
        } finally {
          if (isMine) await renewalLocks.set(id, true)
        }
      }
      return found
    },
    async remove(id: string) {
      // First: a removal that is killed goes on as long as there is an installation.
      await candidates.forget(id)
      await installations.remove(id)
      await renewalLocks.delete(id)
      forget(id)
    },
    /** The first that is installed; a workspace's own installation before that of its organization. */
    async ofEvent(body: unknown): Promise<Known | undefined> {
      for (const { team, enterprise } of installationsOf(body)) {
        const own = team === undefined ? undefined : await find(team)
        const known = own ?? (enterprise === undefined ? undefined : await find(enterprise))
        if (known === undefined) continue
        const [authorized = {}] = list(toFields(body), 'authorizations')
        if (known !== own && authorized['is_enterprise_install'] === true && team !== undefined)
          await candidates.isTeamOf(team, known.installation.workspace)
        const { event, is_ext_shared_channel: isShared } = toFields(body)
        return takerOf(event, known, typeof isShared === 'boolean' ? isShared : undefined)
      }
      return undefined
    },
    opened: () => [...open.values()],
    stop: (ms: number) => Promise.all([...open.values()].map(({ workspace }) => workspace.stop(ms))),
  }
}

/** Does it now, and again in half a minute until it succeeds. Never rejects. */
function createRetries({ log, unreadRetryMs = UNREAD_RETRY_MS }: ManyOptions, isStopping: () => boolean) {
  const lines = createLinePace()
  return async function keepReading(read: () => Promise<void>, fields: object): Promise<void> {
    if (isStopping()) return
    try {
      await read()
    } catch (error) {
      if (lines.isDue()) log.warn({ ...fields, err: error }, UNREAD)
      setTimeout(() => void keepReading(read, fields), unreadRetryMs).unref()
    }
  }
}

/** After a long gap all are read. */
const gapsOf = (opened: () => readonly Known[], gapMs: number | undefined, readAll: () => unknown): Gaps => ({
  begun: () => opened().forEach(({ workspace }) => workspace.hold()),
  ended(awayMs) {
    if (awayMs >= (gapMs ?? GAP_MS)) void readAll()
    else opened().forEach(({ workspace }) => workspace.release())
  },
})

const isEvent = ({ url }: Request): boolean => new URL(url).pathname === EVENTS_PATH

/** Slack for all workspaces that install Footbridge on its page. */
// oxlint-disable-next-line max-lines-per-function -- a factory: it only returns methods
export function createManyWorkspaces(options: ManyOptions): SlackAdapter {
  const { log } = options
  const workspaces = createWorkspaces(options)
  const { logger, installations, credentialsOf } = workspaces
  let events: BoltEvents | undefined
  let sockets: Sockets | undefined
  let stopping: Promise<void> | undefined
  let firstTry: number | undefined
  const keepReading = createRetries(options, () => stopping !== undefined)
  const http = createHttpEvents(options, () => events)
  const oauth = createOAuth({
    options,
    logger,
    states: options.states,
    async installed(installation) {
      await workspaces.put(installation)
      // It may have been here before, by its bot token or by an installation that ran out.
      void catchUp([installation.workspace])
    },
  })

  async function actsOf(id: string): Promise<Acts> {
    if (events === undefined) throw new AdapterError('network', 'The Slack adapter is not started.')
    const known = await workspaces.find(id)
    if (known !== undefined) return known.workspace.acts
    throw new AdapterError('forbidden', `Footbridge is not installed in the Slack workspace ${id} (any more).`)
  }

  async function leave(installation: Installation, receive: Receive): Promise<void> {
    const { workspace: team } = installation
    await receive(goneEvent(installation))
    await workspaces.remove(team)
    log.info({ team }, 'Footbridge was removed from a Slack workspace; everything of that workspace is deleted')
  }

  function listen(receive: Receive): BoltEvents {
    const removed = async (body: unknown) => {
      for (const installation of await goneFrom(body, { ...options, installations, credentialsOf, logger })) {
        // Stored first: Slack may not send the event again to a process that takes its place.
        await installations.put(installation)
        await leave(installation, receive)
      }
    }
    return createBoltEvents({
      options,
      logger,
      receive,
      removed,
      readersOf: async (body) => (await workspaces.ofEvent(body))?.workspace.readers,
    })
  }

  /** A channel that several companies share is read by each of them. */
  const door: BoltEvents['deliver'] = async (readers, event, isLate) => {
    const named = await workspaces.find(readers.identity.team)
    const taker = named && (await workspaces.takerOf(event, named, undefined))
    await events?.deliver(taker?.workspace.readers ?? readers, event, isLate)
  }

  /** Reads the messages of these workspaces in an absence. Never rejects. */
  async function catchUp(ids: readonly string[], since?: number): Promise<void> {
    const waiting = ids.values()
    const readNext = async () => {
      for (const id of waiting)
        await keepReading(async () => (await workspaces.find(id))?.workspace.catchUp(door, since), { team: id })
    }
    await Promise.all(Array.from({ length: MAX_READ_AT_ONCE }, readNext))
  }

  const catchUpAll = () => keepReading(async () => catchUp(await installations.all()), {})

  async function halt(): Promise<void> {
    if (events !== undefined) await waitAtMost(SETTLE_MS, events.stop())
    await sockets?.stop()
    await workspaces.stop(SETTLE_MS)
  }

  async function isInstalled(id: string): Promise<boolean> {
    const installation = await installations.get(id)
    return installation !== undefined && installation.goneBy === undefined
  }

  const acts = forward(actsOf, options)
  return {
    name: 'slack',
    limits: LIMITS,
    fetch: (request, address) => (isEvent(request) ? http.fetch(request) : oauth.fetch(request, address)),
    async start(receive) {
      const begun = (firstTry ??= Date.now())
      const installed = await workspaces.check()
      if (stopping !== undefined) throw new AdapterError('network', 'The Slack adapter was stopped while it started.')
      // The process before this one ended in the middle of these removals.
      for (const one of installed) if (one.goneBy !== undefined) await leave(one, receive)
      const ids = installed.filter(({ goneBy }) => goneBy === undefined).map(({ workspace }) => workspace)
      // Before the first event: workspaces are read one after another, and the last may be heard long before its turn.
      for (const id of ids) (await workspaces.find(id))?.workspace.hold()
      events = listen(receive)
      const { appToken } = options
      const gaps = gapsOf(workspaces.opened, options.gapMs, catchUpAll)
      if (appToken !== undefined) sockets = createSockets({ ...options, appToken }, events.take, logger, gaps)
      await sockets?.start()
      void catchUp(ids, awaySince(begun, options))
      log.info(
        { workspaces: ids.length, install: `${options.publicUrl}/slack/install` },
        'Slack workspaces can install Footbridge now',
      )
    },
    stop: () => (stopping ??= halt()),
    isConnected: () => stopping === undefined && events !== undefined && sockets?.isOpen() !== false,
    warning: () => sockets?.warning(),
    ...acts,
    app: { ...acts.app, isInstalled },
  }
}
