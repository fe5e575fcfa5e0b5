import { AdapterError } from '#bridge/port/errors.ts'
import { createLru } from '#lib/lru.ts'
import { type Fields, text, toFields } from '#adapters/shared/json.ts'
import { hasCode, waitAtMost } from '#adapters/shared/session.ts'
import { type Api, REPEATABLE_NOW } from '../api.ts'
import type { Directory } from '../directory.ts'

/** An installation's view of a channel that it shares with other companies. A look-up ends after `withinMs`. */
export interface Presence {
  /** Whether it is in this channel; at most half a minute old. @throws {AdapterError} Slack does not tell now. */
  isIn(channel: string, withinMs: number): Promise<boolean>
  /** Whether other workspaces are in this channel, too; undefined: Slack does not tell now. */
  isShared(channel: string, withinMs: number): Promise<boolean | undefined>
  /** The first message of a thread; undefined: Slack does not tell now. */
  rootOf(channel: string, thread: string): Promise<Fields | undefined>
  /** The team of a person; undefined: Slack does not tell now. */
  teamOf(user: string, withinMs: number): Promise<string | undefined>
}

const KEPT_MS = 30_000
const MAX_CHANNELS = 1_000

export function createPresence(api: Api, directory: Pick<Directory, 'find'>): Presence {
  const channels = createLru<{ readonly info: Promise<Fields>; readonly until: number }>(MAX_CHANNELS)

  /** Empty: a channel that is not open to this installation, or its token is not good any more. */
  async function ask(channel: string): Promise<Fields> {
    try {
      const answer = await api.call('conversations.info', (web) => web.conversations.info({ channel }), REPEATABLE_NOW)
      return toFields(answer.channel)
    } catch (error) {
      if (hasCode(error, 'not-found', 'forbidden', 'unauthorized')) return {}
      throw error
    }
  }

  function infoOf(channel: string): Promise<Fields> {
    const known = channels.get(channel)
    if (known !== undefined && known.until > Date.now()) return known.info
    const info = ask(channel)
    channels.set(channel, { info, until: Date.now() + KEPT_MS })
    info.catch(() => channels.delete(channel))
    return info
  }

  async function rootOf(channel: string, ts: string): Promise<Fields | undefined> {
    const args = { channel, ts, limit: 1 }
    const answer = await api
      .call('conversations.replies', (web) => web.conversations.replies(args), REPEATABLE_NOW)
      .catch(() => undefined)
    return answer?.messages?.map(toFields).find((wire) => text(wire, 'ts') === ts)
  }

  return {
    async isIn(channel, withinMs) {
      const info = await waitAtMost(withinMs, infoOf(channel))
      if (info !== undefined) return info['is_member'] === true
      throw new AdapterError('network', 'Slack does not tell in time whether Footbridge is in a channel.')
    },
    async isShared(channel, withinMs) {
      const info = await waitAtMost(withinMs, infoOf(channel)).catch(() => undefined)
      return info && ['is_ext_shared', 'is_org_shared', 'is_shared'].some((name) => info[name] === true)
    },
    rootOf,
    teamOf: async (user, withinMs) => (await directory.find(user, withinMs))?.team,
  }
}
