import type { DoubleChannel, TranscriptEntry } from './types.ts'
import { flatten, type Part } from './validate.ts'
import { messagesOf } from './world.ts'

const types = { row: 1, button: 2, select: 3, roles: 6, text: 10, separator: 14 }

const isMenu = ({ type }: Part) => type === types.select || type === types.roles

/** The messages of a channel now, after edits and deletions. */
export function transcriptOf(channel: DoubleChannel, nameOf: (user: string) => string): readonly TranscriptEntry[] {
  return messagesOf(channel).map((message) => {
    const parts = flatten(message.components)
    const texts = parts.filter(({ type }) => type === types.text).map(({ content = '' }) => content)
    const chosenOf = ({ options = [], default_values: roles = [] }: Part) =>
      options.find((option) => option.default)?.label ?? roles.map(({ id }) => nameOf(id)).join(', ')
    const rows = parts
      .filter(
        ({ type, components = [] }) => type === types.row && components.every((part) => part.type === types.button),
      )
      .map(({ components = [] }) => components.map(({ label = '', style = 2 }) => ({ label, style })))
    const seconds = message.files.find(({ durationSecs }) => durationSecs !== undefined)?.durationSecs
    return {
      id: message.id,
      author: message.author.global_name,
      bot: message.author.bot,
      text: [message.content, ...texts].filter((text) => text !== '').join('\n'),
      files: message.files.map((file) => file.name),
      buttons: rows.flatMap((row) => row.map(({ label }) => label)),
      ...(texts.length === 0
        ? {}
        : {
            panel: true,
            blocks: parts
              .filter((part) => [types.text, types.separator].includes(part.type) || isMenu(part))
              .map((part) => ({
                text: part.content,
                isLine: part.type === types.separator,
                chosen: isMenu(part) ? chosenOf(part) : undefined,
              })),
            menus: parts.filter(isMenu).map(chosenOf),
          }),
      rows,
      ...(message.reference === undefined ? {} : { replyTo: message.reference.message_id }),
      ...(message.only === undefined ? {} : { only: nameOf(message.only) }),
      ...(message.command === undefined ? {} : { called: { by: message.calledBy ?? '', command: message.command } }),
      ...(seconds === undefined ? {} : { voice: seconds }),
      ...((message.reactions?.size ?? 0) === 0 ? {} : { reactions: [...(message.reactions?.keys() ?? [])] }),
      edited: message.editedTimestamp !== null,
    }
  })
}
