import { ComponentType, MessageFlags } from 'discord.js'
import type { Outgoing } from '#bridge/port/message.ts'
import { mentionedPeople, mentionLine } from '#adapters/shared/outgoing.ts'
import { toRows } from './buttons.ts'
import { toDiscord } from './markup.ts'
import { compose } from './references.ts'

const PERSON_ID = /^\d{5,25}$/

interface MessageBody {
  readonly following: readonly string[]
  /** People whose mentions did not fit: a following message mentions them. */
  readonly unmentioned: readonly string[]
  readonly body: {
    readonly flags: number
    readonly content?: string
    readonly components: readonly object[]
    readonly allowed_mentions: object
  }
}

/** `allowed_mentions` for these people only. */
export const allowOnly = (users: readonly string[]) => ({
  parse: [],
  replied_user: false,
  ...(users.length === 0 ? {} : { users }),
})

/** Blurple: the colour of Discord's own panels. */
const ACCENT = 0x5865f2
/** Begins the block of a reference. */
const REFERENCE_START = /\n\n(?=\*\*\[\d+\] )/
/** https://discord.com/developers/docs/components/reference: 40 components in all. */
const MAX_BLOCKS = 19

/** A framed panel. Its text can't be quoted or searched, so it is for messages to one person. */
export const panelOf = (components: readonly object[]) => ({
  flags: MessageFlags.IsComponentsV2,
  components: [{ type: ComponentType.Container, accent_color: ACCENT, components }],
  allowed_mentions: allowOnly([]),
})

const textBlock = (content: string) => ({ type: ComponentType.TextDisplay, content })
const line = { type: ComponentType.Separator }

/** Passages, one block each. */
function passagesBody({ text }: Outgoing) {
  const blocks = toDiscord(text).split(REFERENCE_START)
  const shown = [...blocks.slice(0, MAX_BLOCKS - 1), blocks.slice(MAX_BLOCKS - 1).join('\n\n')]
  const parts = shown.filter((block) => block.trim() !== '').map(textBlock)
  return panelOf(parts.flatMap((part, index) => (index === 0 ? [part] : [line, part])))
}

/** A message mentions only the people of `notify`, and no link gets a preview. Edits repeat both settings. */
export function bodyOf(outgoing: Outgoing): MessageBody {
  if (outgoing.kind === 'passages') return { following: [], unmentioned: [], body: passagesBody(outgoing) }
  const users = mentionedPeople(outgoing, PERSON_ID)
  const { content, following, mentionsFit } = compose(outgoing, mentionLine(users))
  return {
    following,
    unmentioned: mentionsFit ? [] : users,
    body: {
      flags: MessageFlags.SuppressEmbeds,
      content,
      components: toRows(outgoing.actions),
      allowed_mentions: allowOnly(mentionsFit ? users : []),
    },
  }
}
