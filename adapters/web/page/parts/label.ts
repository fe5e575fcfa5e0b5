import type { WebChannel } from '#adapters/web/protocol.ts'
import { texts } from '../texts.ts'

/** Title of a chat, or name of a channel with its sign. */
export const labelOf = ({ direct, name }: WebChannel): string => (direct ? name || texts.newChat : `#${name}`)
