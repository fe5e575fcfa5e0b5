import type { Outgoing } from '../../../src/bridge/port/message.ts'

const personId = /^\d{5,25}$/
/** Discord takes 100 in `allowed_mentions.users`; half of them fill a message. */
const most = 50

/** Ids of the people whom this message may call: nobody else is ever called. */
export const notified = ({ notify = [] }: Outgoing): readonly string[] =>
  [...new Set(notify)].filter((id) => personId.test(id)).slice(0, most)

/** What stands at the head of the message. */
export const mentionLine = (users: readonly string[]): string => users.map((id) => `<@${id}>`).join(' ')

export const allowOnly = (users: readonly string[]) => ({
  parse: [],
  replied_user: false,
  ...(users.length === 0 ? {} : { users }),
})
