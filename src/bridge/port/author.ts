/** Kind of a person: `external` is of another company or left, `guest` sees some channels only, `bot` is a program. */
export type PersonKind = 'member' | 'guest' | 'external' | 'bot'

export interface Author {
  readonly id: string
  /** Display name, never used for decisions; the id as long as the service does not tell it. */
  readonly name: string
  /** BCP 47 tag, if the service provides it. */
  readonly language?: string
  /** The person or the channel chose the language here: no message overrules it. */
  readonly isLanguageChosen?: true
  /** IANA name, if the service provides it: `Europe/Berlin`. */
  readonly timeZone?: string
  /** The ids of a program besides `id`, any of which an administrator may name. Absent: a person. */
  readonly programIds?: readonly string[]
}
