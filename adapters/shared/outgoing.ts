import type { Outgoing } from '../../src/bridge/port/message.ts'

/** A message has room for about so many mentions. */
const MAX_MENTIONS = 50

/** Ids of the people whom a message may mention; what does not look like an id of the service is dropped. */
export const mentionedPeople = ({ notify = [] }: Outgoing, personId: RegExp): readonly string[] =>
  [...new Set(notify)].filter((id) => personId.test(id)).slice(0, MAX_MENTIONS)

/** The head of a message that mentions people; Slack and Discord write it alike. */
export const mentionLine = (ids: readonly string[]): string => ids.map((id) => `<@${id}>`).join(' ')

export const cut = (text: string, length: number): string =>
  text.length <= length ? text : `${text.slice(0, length - 1).trimEnd()}…`

export const oneLine = (text: string): string => text.replaceAll(/\s+/g, ' ').trim()

/** The name of a file that we send: without a path, and no longer than services take. */
export const toUploadName = (name: string): string => name.replaceAll(/[\p{Cc}/\\]/gu, '_').slice(-200) || 'file'
