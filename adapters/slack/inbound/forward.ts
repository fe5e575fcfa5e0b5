import { type Fields, list, text, toFields } from '#adapters/shared/json.ts'
import { isGone } from './attachment.ts'
import { blocksMarkup, joinParts } from './block-text.ts'

/** Forwards in one message that are read; Slack makes one at a time. */
const MAX_FORWARDS = 10

/** Messages that were forwarded with this one. The preview of an address (`is_msg_unfurl` alone) is no forward. */
const forwardsIn = (wire: Fields): readonly Fields[] =>
  list(wire, 'attachments')
    .filter((attachment) => attachment['is_share'] === true)
    .slice(0, MAX_FORWARDS)

/** `message_blocks` has the blocks of the message, each list with the message around it (java-slack-sdk#1179). */
const blocksOf = (forward: Fields): readonly Fields[] =>
  list(forward, 'message_blocks').flatMap((one) => list(toFields(one['message']), 'blocks'))

/** A forwarded message: the text of a program may only sum up its blocks. */
export interface Forward {
  readonly author?: string
  /** Slack's markup. */
  readonly markup: string
}

export const forwardedWords = (wire: Fields): readonly Forward[] =>
  forwardsIn(wire).flatMap((forward) => {
    const blocks = blocksMarkup([...blocksOf(forward), ...list(forward, 'blocks')])
    const markup = joinParts(text(forward, 'text') ?? '', [blocks])
    return markup.trim() === '' ? [] : [{ author: text(forward, 'author_name'), markup }]
  })

/** Files of a message, and of those that were forwarded with it; each once, without deleted ones. */
export function filesIn(wire: Fields): readonly Fields[] {
  const all = [wire, ...forwardsIn(wire)].flatMap((message) => list(message, 'files')).filter((file) => !isGone(file))
  return [...new Map(all.map((file) => [text(file, 'id') ?? file, file])).values()]
}
