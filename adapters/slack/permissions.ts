import type { Adapter, People } from '#bridge/port/adapter.ts'
import type { PersonKind } from '#bridge/port/author.ts'
import type { Log } from '#bridge/port/platform.ts'
import { type Fields, text, toFields } from '#adapters/shared/json.ts'
import { hasCode, isConfirmed } from '#adapters/shared/session.ts'
import { type Api, REPEATABLE } from './api.ts'
import type { ChannelInfo } from './calls/channel-info.ts'
import { channelsOfPerson } from './calls/person-channels.ts'
import type { PersonInfo } from './calls/person-info.ts'
import type { Identity } from './config.ts'

/**
 * Membership, administrators and names of channels: requested from Slack each time. The kind of a person: half a minute old.
 */
export type Permissions = Pick<Adapter, 'isMember' | 'isAdmin' | 'describeChannel'> & Pick<People, 'kindOf'>

/** Largest page of `conversations.members`. */
const PAGE_SIZE = 999

async function membersPage(api: Api, channel: string, cursor?: string) {
  const args = { channel, limit: PAGE_SIZE, cursor }
  const answer = await api.call('conversations.members', (web) => web.conversations.members(args), REPEATABLE)
  return { members: answer.members ?? [], next: text(toFields(answer.response_metadata), 'next_cursor') }
}

/** Searches the channels of one person: always few, while a channel may have a hundred thousand members. */
async function isAmongTheirs(api: Api, channel: string, user: string): Promise<boolean> {
  for await (const one of channelsOfPerson(api, user)) if (text(one, 'id') === channel) return true
  return false
}

/** Searches the members of a channel: one call for all but the largest channels. */
async function isAmongMembers(api: Api, channel: string, user: string): Promise<boolean> {
  let page = await membersPage(api, channel)
  if (page.members.includes(user)) return true
  if (page.next === undefined) return false
  try {
    return await isAmongTheirs(api, channel, user)
  } catch (error) {
    // Slack lists the channels of our own team's people only, and for an organization those of one team.
    if (!hasCode(error, 'not-found', 'invalid')) throw error
  }
  while (page.next !== undefined) {
    page = await membersPage(api, channel, page.next)
    if (page.members.includes(user)) return true
  }
  return false
}

async function isMemberOf(api: Api, info: Fields, channel: string, user: string): Promise<boolean> {
  if (info['is_im'] === true) return text(info, 'user') === user
  // Access to a channel that we are not in is unknown to us.
  if (info['is_member'] !== true && info['is_mpim'] !== true) return false
  return isAmongMembers(api, channel, user)
}

/** The kind of a person, as of the last minute; undefined: Slack does not tell. */
function createKinds(infos: PersonInfo, log: Log, identity: () => Identity) {
  return async (user: string): Promise<PersonKind | undefined> => {
    try {
      return kindIn(await infos.recent(user, REPEATABLE), identity().team)
    } catch (error) {
      // `user_not_visible` and the like: a stranger. Without the scope it is unknown.
      if (hasCode(error, 'not-found')) return 'external'
      if (hasCode(error, 'forbidden'))
        log.warn({ err: error }, 'Slack hides who a person is: npm run doctor names missing scopes')
      if (hasCode(error, 'forbidden', 'invalid')) return undefined
      throw error
    }
  }
}

export function createPermissions(
  api: Api,
  log: Log,
  identity: () => Identity,
  infos: { readonly channels: ChannelInfo; readonly people: PersonInfo },
): Permissions {
  const { channels } = infos
  const kindOf = createKinds(infos.people, log, identity)

  async function administersWorkspace(user: string): Promise<boolean> {
    const answer = await api.call('users.info', (web) => web.users.info({ user }), REPEATABLE)
    const person = toFields(answer.user)
    return person['deleted'] !== true && isOurs(person, identity().team) && isWorkspaceAdmin(person, identity().team)
  }

  async function administers(info: Fields, channel: string, user: string): Promise<boolean> {
    if (info['is_im'] === true) return text(info, 'user') === user
    const answer = await api.call('users.info', (web) => web.users.info({ user }), REPEATABLE)
    const person = toFields(answer.user)
    if (person['deleted'] === true) return false
    const ofWorkspace = isOurs(person, identity().team) && isWorkspaceAdmin(person, identity().team)
    // A creator who left, or an admin outside of a private channel, does not administer it.
    if (!ofWorkspace && text(info, 'creator') !== user) return false
    if (ofWorkspace && info['is_private'] === false) return true
    return isMemberOf(api, info, channel, user)
  }

  const confirm = (question: string, ask: () => Promise<boolean>) => isConfirmed(log, question, ask, ['not-found'])

  return {
    kindOf: (_, user) => kindOf(user),
    isMember: ({ channel }, user) =>
      confirm('Whether a person is in a Slack channel', async () =>
        isMemberOf(api, await channels.ask(channel), channel, user),
      ),
    isAdmin: ({ channel }, user) =>
      confirm('Whether a person administers a Slack channel', async () =>
        channel === '' ? administersWorkspace(user) : administers(await channels.ask(channel), channel, user),
      ),
    async describeChannel({ channel }, mayBeConfirmed = false) {
      try {
        const info = await (mayBeConfirmed ? channels.recent(channel) : channels.ask(channel))
        const isPublic = info['is_private'] === false && info['is_im'] !== true && info['is_mpim'] !== true
        const isShared = info['is_ext_shared'] === true || info['is_pending_ext_shared'] === true
        const isClosed = info['is_archived'] === true || (info['is_member'] === false && info['is_mpim'] !== true)
        const name = text(info, 'name') ?? channel
        return { name, isPublic, ...(isShared ? { isShared } : {}), ...(isClosed ? { isClosed } : {}) }
      } catch (error) {
        if (!hasCode(error, 'not-found', 'forbidden')) throw error
        if (error.code === 'forbidden')
          log.warn({ err: error }, 'Slack hides what a channel is: npm run doctor names missing scopes')
        return undefined
      }
    },
  }
}

/** An admin of another workspace, here as a guest, has no rights here. */
function isOurs(person: Fields, team: string): boolean {
  if (person['is_stranger'] === true) return false
  const inOrganization = toFields(person['enterprise_user'])
  const { teams, enterprise_id: organization } = inOrganization
  return text(person, 'team_id') === team || organization === team || (Array.isArray(teams) && teams.includes(team))
}

function kindIn(person: Fields, team: string): PersonKind {
  if (person['is_bot'] === true || person['is_workflow_bot'] === true) return 'bot'
  if (person['deleted'] === true || !isOurs(person, team)) return 'external'
  return person['is_restricted'] === true || person['is_ultra_restricted'] === true ? 'guest' : 'member'
}

/** An organization (`E…`) has admins of its own: those of one of its workspaces do not speak for the others. */
function isWorkspaceAdmin(person: Fields, team: string): boolean {
  const role = team.startsWith('E') ? toFields(person['enterprise_user']) : person
  return role['is_admin'] === true || role['is_owner'] === true || role['is_primary_owner'] === true
}
