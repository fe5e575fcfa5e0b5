import { type Fields, text, toFields } from '#adapters/shared/json.ts'
import { type Identity, LOOKUP_MS } from '../config.ts'
import type { Directory } from '../directory.ts'

/** Sender of Slack's reminders and notices, which are not marked as a bot's. */
const SLACKBOT = 'USLACKBOT'

/** Ids of a program besides its user: of its bot, which a webhook has alone, and of its app. */
export function programIds(wire: Fields): readonly string[] {
  const profile = toFields(wire['bot_profile'])
  const ids = [text(wire, 'bot_id') ?? text(profile, 'id'), text(wire, 'app_id') ?? text(profile, 'app_id')]
  return ids.filter((id) => id !== undefined)
}

export type Writer = 'person' | 'program'

/**
 * The writer of a message; undefined: we or Slack. An app stamps its ids on what it posts with a person's token, too: there
 * the user is no bot, and the message is the person's. Whoever Slack does not tell of in time counts as a program.
 */
export async function writerOf(
  wire: Fields,
  { identity, directory }: { readonly identity: Identity; readonly directory: Directory },
): Promise<Writer | undefined> {
  const user = text(wire, 'user')
  const bot = text(wire, 'bot_id') ?? text(toFields(wire['bot_profile']), 'id')
  if (user === identity.userId || user === SLACKBOT || (bot !== undefined && bot === identity.botId)) return undefined
  if (bot === undefined) return user === undefined ? undefined : 'person'
  if (user === undefined || text(wire, 'subtype') === 'bot_message') return 'program'
  return (await directory.find(user, LOOKUP_MS))?.bot === false ? 'person' : 'program'
}
