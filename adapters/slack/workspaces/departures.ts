import type { InboundOf } from '#bridge/port/message.ts'
import { hasCode } from '#adapters/shared/session.ts'
import { type Fields, text, toFields } from '#adapters/shared/json.ts'
import { type ApiOptions, createApi, type Credentials, REPEATABLE_NOW, type SdkLogger } from '../api.ts'
import { keyOf } from '../inbound/events.ts'
import { installationsOf } from './event-source.ts'
import type { Installation, Installations } from './installations.ts'

interface DepartureParts extends ApiOptions {
  readonly installations: Pick<Installations, 'get'>
  readonly credentialsOf: (workspace: string) => Credentials
  readonly logger: SdkLogger
}

/** The event for the bridge: it deletes all that it has of the workspace. */
export const goneEvent = ({ workspace, goneBy = '' }: Installation): InboundOf<'workspace-gone'> => ({
  kind: 'workspace-gone',
  key: keyOf(workspace, 'gone', goneBy),
  adapter: 'slack',
  workspace,
})

/**
 * The installations that this event says to be gone, and whose token Slack refuses: an old event that comes again must
 * not delete a new installation. Each has `goneBy`.
 *
 * @throws {AdapterError} Slack can't be asked now: the event must come again
 */
export async function goneFrom(body: unknown, parts: DepartureParts): Promise<readonly Installation[]> {
  const fields = toFields(body)
  if (!isAboutBot(toFields(fields['event']))) return []
  const outer = { team: text(fields, 'team_id'), enterprise: text(fields, 'enterprise_id') }
  const named = [...installationsOf(body), outer].flatMap(({ team, enterprise }) => [team, enterprise])
  const { team_ids: teams } = toFields(fields['event'])
  const goneBy = text(fields, 'event_id') ?? ''
  const gone: Installation[] = []
  for (const id of new Set([...named, ...(Array.isArray(teams) ? teams : [])])) {
    const installation = typeof id !== 'string' ? undefined : await parts.installations.get(id)
    if (installation === undefined || (await isGood(installation, parts))) continue
    gone.push({ ...installation, goneBy })
  }
  return gone
}

/** Tokens of people may be revoked too; Footbridge has none. */
function isAboutBot(event: Fields): boolean {
  if (text(event, 'type') !== 'tokens_revoked') return true
  const bots = toFields(event['tokens'])['bot']
  return Array.isArray(bots) && bots.length > 0
}

/** An expired token says nothing: a new one is asked for first. */
async function isGood({ workspace }: Installation, { logger, credentialsOf, ...options }: DepartureParts) {
  try {
    const api = createApi(options, logger, credentialsOf(workspace))
    await api.call('auth.test', (web) => web.auth.test(), REPEATABLE_NOW)
    return true
  } catch (error) {
    if (hasCode(error, 'unauthorized')) return false
    throw error
  }
}
