import { type Fields, list, text, toFields } from '#adapters/shared/json.ts'
import { type Api, REPEATABLE } from '../api.ts'

const TYPES = 'public_channel,private_channel,mpim'
/** Largest page of `users.conversations`. */
const MAX_PAGE = 999

/**
 * The channels of a person: always few. Slack lists those of people of its own workspace only, and for an organization
 * those of one team.
 *
 * @throws {AdapterError} of the code `not-found` for people of other workspaces
 */
export async function* channelsOfPerson(
  api: Api,
  user: string,
  more: { readonly team_id?: string; readonly exclude_archived?: true } = {},
): AsyncGenerator<Fields> {
  let cursor: string | undefined
  do {
    const args = { user, types: TYPES, limit: MAX_PAGE, cursor, ...more }
    const answer = await api.call('users.conversations', (web) => web.users.conversations(args), REPEATABLE)
    yield* list(toFields(answer), 'channels')
    cursor = text(toFields(toFields(answer)['response_metadata']), 'next_cursor')
  } while (cursor !== undefined)
}
