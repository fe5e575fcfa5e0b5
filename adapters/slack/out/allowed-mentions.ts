import type { Blocks } from './blocks.ts'
import type { Outgoing } from '../../../src/bridge/port/message.ts'

const personId = /^[UW][A-Z0-9]{2,30}$/
const most = 50

/** Live mentions of the people who are told of a message: nothing else in it ever becomes one. */
export const mentionsOf = ({ notify = [] }: Outgoing): string =>
  [...new Set(notify)]
    .filter((id) => personId.test(id))
    .slice(0, most)
    .map((id) => `<@${id}>`)
    .join(' ')

/** They stand in a block of their own: in the text they would be broken like all others. */
export function renderHead(outgoing: Outgoing): Blocks {
  const text = mentionsOf(outgoing)
  return text === '' ? [] : [{ type: 'section', text: { type: 'mrkdwn', text, verbatim: true } }]
}
