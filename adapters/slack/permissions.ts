import { setTimeout as sleep } from 'node:timers/promises'
import type { Adapter } from '../../src/bridge/port/adapter.ts'
import { AdapterError } from '../../src/bridge/port/errors.ts'
import type { Log } from '../../src/bridge/port/platform.ts'
import type { Api } from './api.ts'
import { remember } from './directory.ts'
import { slackCode } from './errors.ts'
import { list, text, toFields } from '../shared/json.ts'
import type { Fields } from '../shared/json.ts'
import type { Identity } from './identity.ts'

/** Who may read a channel, who administers it, what it is called: asked of Slack each time. */
export type Rooms = Required<Pick<Adapter, 'isMember' | 'isAdmin' | 'about'>> & {
  /** Undefined when Slack does not tell in time. Never throws; remembered for a while, since nothing depends on it. */
  nameOf(channel: string, withinMs: number): Promise<string | undefined>
}

interface RoomParts {
  readonly api: Api
  readonly log: Log
  readonly identity: () => Identity
}

/** The most that Slack gives at once (`conversations.members`, `users.conversations`). */
const pageSize = 999
const namesKept = 500
const kinds = 'public_channel,private_channel,mpim'

const nextCursor = (answer: unknown): string | undefined =>
  text(toFields(toFields(answer)['response_metadata']), 'next_cursor')

export function createRooms({ api, log, identity }: RoomParts): Rooms {
  const names = new Map<string, string>()

  async function info(channel: string): Promise<Fields> {
    const answer = await api.call('conversations.info', (web) => web.conversations.info({ channel }), {
      repeatable: true,
    })
    return toFields(answer.channel)
  }

  async function membersPage(channel: string, cursor?: string) {
    const args = { channel, limit: pageSize, ...(cursor === undefined ? {} : { cursor }) }
    const answer = await api.call('conversations.members', (web) => web.conversations.members(args), {
      repeatable: true,
    })
    return { members: answer.members ?? [], next: nextCursor(answer) }
  }

  /** All channels of one person: few even for the busiest, while a channel may have a hundred thousand members. */
  async function isAmongTheirs(channel: string, user: string): Promise<boolean> {
    let cursor: string | undefined
    do {
      const fixed = { user, types: kinds, limit: pageSize }
      const args = cursor === undefined ? fixed : { ...fixed, cursor }
      const answer = await api.call('users.conversations', (web) => web.users.conversations(args), {
        repeatable: true,
      })
      if (list(toFields(answer), 'channels').some((one) => text(one, 'id') === channel)) return true
      cursor = nextCursor(answer)
    } while (cursor !== undefined)
    return false
  }

  /** One call for all but the largest channels. */
  async function isAmongMembers(channel: string, user: string): Promise<boolean> {
    let page = await membersPage(channel)
    if (page.members.includes(user)) return true
    if (page.next === undefined) return false
    try {
      return await isAmongTheirs(channel, user)
    } catch (error) {
      // Slack tells the channels of our own people only: a guest of a shared channel is looked for in its list.
      if (!(error instanceof AdapterError) || error.code !== 'not-found') throw error
    }
    while (page.next !== undefined) {
      page = await membersPage(channel, page.next)
      if (page.members.includes(user)) return true
    }
    return false
  }

  async function memberOf(room: Fields, channel: string, user: string): Promise<boolean> {
    if (room['is_im'] === true) return text(room, 'user') === user
    // Of a channel that we are not in, only Slack itself knows who may read it.
    if (room['is_member'] !== true && room['is_mpim'] !== true) return false
    return isAmongMembers(channel, user)
  }

  async function administers(room: Fields, channel: string, user: string): Promise<boolean> {
    if (room['is_im'] === true) return text(room, 'user') === user
    const answer = await api.call('users.info', (web) => web.users.info({ user }), { repeatable: true })
    const person = toFields(answer.user)
    if (person['deleted'] === true) return false
    const ofWorkspace = isOurs(person, identity().team) && isWorkspaceAdmin(person)
    // Neither a creator who has left nor an admin who was never let in has a say in a private channel.
    if (!ofWorkspace && text(room, 'creator') !== user) return false
    if (ofWorkspace && room['is_private'] === false) return true
    return memberOf(room, channel, user)
  }

  /** What can't be told counts as no. */
  async function certainly(what: string, ask: () => Promise<boolean>): Promise<boolean> {
    try {
      return await ask()
    } catch (error) {
      const unknown = error instanceof AdapterError && error.code === 'not-found'
      if (!unknown)
        log.warn({ err: error, code: slackCode(error) }, `${what} could not be told; taken as no.`)
      return false
    }
  }

  return {
    isMember: async ({ channel }, user) =>
      certainly('Whether somebody is in a Slack channel', async () =>
        memberOf(await info(channel), channel, user),
      ),
    isAdmin: async ({ channel }, user) =>
      certainly('Whether somebody administers a Slack channel', async () =>
        administers(await info(channel), channel, user),
      ),
    async about({ channel }) {
      try {
        const room = await info(channel)
        const isPublic = room['is_private'] === false && room['is_im'] !== true && room['is_mpim'] !== true
        return { name: text(room, 'name') ?? channel, isPublic }
      } catch (error) {
        if (!(error instanceof AdapterError) || !['not-found', 'forbidden'].includes(error.code)) throw error
        if (error.code === 'forbidden') log.warn({ err: error }, 'A Slack channel could not be looked up.')
        return undefined
      }
    },
    async nameOf(channel, withinMs) {
      const known = names.get(channel)
      if (known !== undefined) return known
      const asked = info(channel).then(
        (room) => {
          const name = text(room, 'name')
          if (name !== undefined) remember(names, channel, name, namesKept)
          return name
        },
        () => undefined,
      )
      return Promise.race([asked, sleep(withinMs, undefined, { ref: false })])
    },
  }
}

/** A guest from another workspace may be an admin there: that counts for nothing here. */
function isOurs(person: Fields, team: string): boolean {
  if (person['is_stranger'] === true) return false
  const teams = toFields(person['enterprise_user'])['teams']
  return text(person, 'team_id') === team || (Array.isArray(teams) && teams.includes(team))
}

const isWorkspaceAdmin = (person: Fields) =>
  person['is_admin'] === true || person['is_owner'] === true || person['is_primary_owner'] === true
