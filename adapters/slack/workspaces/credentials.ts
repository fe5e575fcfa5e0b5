import { setTimeout as sleep } from 'node:timers/promises'
import { AdapterError } from '#bridge/port/errors.ts'
import type { Clock, Log } from '#bridge/port/platform.ts'
import type { State } from '#bridge/port/state.ts'
import type { Credentials } from '../api.ts'
import { hasCode } from '#adapters/shared/session.ts'
import type { Installation, Installations } from './installations.ts'

interface CredentialParts {
  readonly installations: Pick<Installations, 'get' | 'put'>
  /** One entry a workspace: the process that deletes it holds the lock and renews the token. */
  readonly renewalLocks: Pick<State, 'set' | 'delete'>
  /** Exchanges the refresh token. Slack takes it once. @throws {AdapterError} */
  readonly refresh: (installation: Installation) => Promise<Installation>
  /** A process that holds the lock longer than this has died. Default 20 s. */
  readonly lockMs?: number
  readonly clock: Clock
  readonly log: Log
}

/** A token of twelve hours is renewed two hours before its end: Slack or the store may be away for that long. */
const AHEAD_MS = 2 * 3600_000
/** Another process may have renewed the token. */
const KNOWN_MS = 30_000
const RETRY_MS = 60_000
const LOCK_MS = 20_000
const LOOK_MS = 250

const notInstalled = (workspace: string) =>
  new AdapterError('unauthorized', `Footbridge is not installed in the Slack workspace ${workspace} any more.`)

/** The installation of one workspace, read again each half minute, and a way to renew its token. */
function createRenewal(workspace: string, parts: CredentialParts) {
  const { installations, renewalLocks, refresh, lockMs = LOCK_MS, clock, log } = parts
  let known: { readonly installation: Installation; readonly at: number } | undefined
  let renewing: Promise<Installation> | undefined
  /** Exchanged, and not stored yet: another exchange would come too late. */
  let unsaved: Installation | undefined

  async function load(isFresh = false): Promise<Installation> {
    if (known !== undefined && !isFresh && clock() - known.at < KNOWN_MS) return known.installation
    const installation = await installations.get(workspace)
    if (installation === undefined) throw notInstalled(workspace)
    known = { installation, at: clock() }
    return installation
  }

  /** Waits for another process; undefined: it died, or there was none. */
  async function awaitOther(old: Installation): Promise<Installation | undefined> {
    for (const end = Date.now() + lockMs; Date.now() < end; await sleep(LOOK_MS)) {
      const stored = await load(true)
      if (stored.botToken !== old.botToken) return stored
    }
    return undefined
  }

  async function exchange(old: Installation): Promise<Installation> {
    if (!(await renewalLocks.delete(workspace))) {
      const renewed = await awaitOther(old)
      if (renewed !== undefined) return renewed
    }
    try {
      const stored = await load(true)
      if (stored.botToken !== old.botToken) {
        unsaved = undefined
        return stored
      }
      const installation = (unsaved ??= await refresh(stored))
      await installations.put(installation)
      unsaved = undefined
      known = { installation, at: clock() }
      log.info({ team: workspace }, 'The token of a Slack workspace was renewed')
      return installation
    } finally {
      await renewalLocks.set(workspace, true)
    }
  }

  return {
    load,
    /** Once for all who ask meanwhile. */
    renew: (old: Installation) =>
      (renewing ??= exchange(old).finally(() => {
        renewing = undefined
      })),
  }
}

/** The token of one workspace, renewed before it expires. */
export function createCredentials(workspace: string, parts: CredentialParts): Credentials {
  const { clock, log } = parts
  const { load, renew } = createRenewal(workspace, parts)
  let failedAt = -Infinity

  const mayRenew = ({ refreshToken }: Installation) => refreshToken !== undefined && clock() - failedAt >= RETRY_MS
  const next = async (old: Installation): Promise<string> => {
    try {
      return (await renew(old)).botToken
    } catch (error) {
      failedAt = clock()
      throw error
    }
  }

  return {
    async token() {
      const installation = await load()
      const { expiresAt = Infinity, botToken } = installation
      if (expiresAt - clock() > AHEAD_MS || !mayRenew(installation)) return botToken
      try {
        return await next(installation)
      } catch (error) {
        if (expiresAt <= clock()) throw error
        log.warn(
          { err: error, team: workspace },
          'The token of a Slack workspace could not be renewed; it is tried again. If it expires, the workspace has to install Footbridge again',
        )
        return botToken
      }
    },
    async renewed(refused) {
      try {
        const stored = await load(true)
        if (stored.botToken !== refused) return true
        return mayRenew(stored) && (await next(stored)) !== refused
      } catch (error) {
        if (!hasCode(error, 'unauthorized'))
          log.warn(
            { err: error, team: workspace },
            'A refused token of a Slack workspace could not be renewed; it is tried again. If this stays, the workspace has to install Footbridge again',
          )
        return false
      }
    },
  }
}
