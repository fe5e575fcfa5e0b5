import type { Outgoing } from '#bridge/port/message.ts'

/** Most mentions in one message. */
const MAX_MENTIONS = 50

/** Ids of the people whom a message mentions; invalid ids are dropped. */
export const mentionedPeople = ({ notify = [] }: Outgoing, personId: RegExp): readonly string[] =>
  [...new Set(notify)].filter((id) => personId.test(id)).slice(0, MAX_MENTIONS)

/** The mentions at the head of a message; Slack and Discord share the syntax. */
export const mentionLine = (ids: readonly string[]): string => ids.map((id) => `<@${id}>`).join(' ')

export const cut = (text: string, length: number): string =>
  text.length <= length ? text : `${text.slice(0, length - 1).trimEnd()}…`

export const oneLine = (text: string): string => text.replaceAll(/\s+/g, ' ').trim()

/** The words of a message that is one quotation, such as a transcript: a dialog that corrects them begins with these. */
export const quotedWords = (text: string): string => /^[^\p{L}\p{N}“„"]*[“„"]([\s\S]*)[”“"]$/u.exec(text)?.[1] ?? text

/** The name of a file that we send: without a path, limited in length. */
export const toUploadName = (name: string): string => name.replaceAll(/[\p{Cc}/\\]/gu, '_').slice(-200) || 'file'
