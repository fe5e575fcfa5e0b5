import { type Fields, list, text, toFields } from '#adapters/shared/json.ts'

/** An installation as Slack names it: a workspace, or a whole organization. */
export interface Installed {
  readonly team?: string
  readonly enterprise?: string
}

/**
 * The installations that an event may belong to, likeliest first: in a channel that two companies share, the event names
 * both. The one in `authorizations` may see the event; a button belongs to the app that sent its message, a dialog to the
 * one that opened it.
 */
export function installationsOf(body: unknown): readonly Installed[] {
  const fields = toFields(body)
  const message = toFields(fields['message'])
  const view = toFields(fields['view'])
  const enterprise = text(toFields(fields['enterprise']), 'id') ?? text(fields, 'enterprise_id')
  const [authorized] = list(fields, 'authorizations')
  const named: readonly Installed[] =
    authorized === undefined
      ? [
          { team: text(view, 'app_installed_team_id'), enterprise },
          { team: text(toFields(message['bot_profile']), 'team_id') ?? ownTeam(message), enterprise },
          { team: text(toFields(fields['team']), 'id') ?? text(fields, 'team_id'), enterprise },
        ]
      : [{ team: text(authorized, 'team_id'), enterprise: text(authorized, 'enterprise_id') }]
  return named.filter(({ team, enterprise: organization }) => team !== undefined || organization !== undefined)
}

/** The team of a message that an app sent. */
const ownTeam = (message: Fields) => (text(message, 'bot_id') === undefined ? undefined : text(message, 'team'))
