import { MessageFlags } from 'discord.js'
import type { Outgoing } from '../../../src/bridge/port/message.ts'
import { mentionedPeople, mentionLine } from '../../shared/outgoing.ts'
import { toRows } from './buttons.ts'
import { compose } from './references.ts'

const PERSON_ID = /^\d{5,25}$/

/** `allowed_mentions` for these people only. */
export const allowOnly = (users: readonly string[]) => ({
  parse: [],
  replied_user: false,
  ...(users.length === 0 ? {} : { users }),
})

/** A message mentions only the people of `notify`, and no link gets a preview. Edits repeat both settings. */
export function bodyOf(outgoing: Outgoing) {
  const users = mentionedPeople(outgoing, PERSON_ID)
  const { content, following, called } = compose(outgoing, mentionLine(users))
  return {
    following,
    /** People whose mentions did not fit: a following message mentions them. */
    uncalled: called ? [] : users,
    body: {
      flags: MessageFlags.SuppressEmbeds,
      content,
      components: toRows(outgoing.actions),
      allowed_mentions: allowOnly(called ? users : []),
    },
  }
}
