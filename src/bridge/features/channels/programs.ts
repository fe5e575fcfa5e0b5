import type { AccessLevel, ChannelSettings } from '#bridge/channels/settings.ts'
import type { FormField } from '#bridge/port/forms.ts'

type Programs = NonNullable<ChannelSettings['programs']>

/** Ids of Slack and Discord. */
const ID = /^(?:[ABUW][A-Z0-9]{4,}|\d{15,20})$/
const LEVELS = { nothing: 'nothing', ask: 'ask', all: 'all' } as const satisfies Record<AccessLevel, AccessLevel>
const isLevel = (word: string): word is AccessLevel => Object.hasOwn(LEVELS, word)

/** Undefined: no service has such ids. */
export function programId(word: string): string | undefined {
  const id = word.toUpperCase()
  return ID.test(id) ? id : undefined
}

const admitted = ({ programs = {} }: ChannelSettings) =>
  Object.entries(programs).filter(([, level]) => level !== 'nothing')

/** Admitted programs, as words that may be edited: `U0DEPLOY all, B0ALARM ask`. */
export const programsField = (now: ChannelSettings, label: string): FormField => ({
  id: 'programs',
  label,
  options: [],
  chosen: '',
  text: admitted(now)
    .map(([id, level]) => `${id} ${level}`)
    .join(', '),
})

/** The words of that field; a program without a level may do all, and one that is not named any more nothing. */
export function readPrograms(words: string, before: ChannelSettings): Programs {
  const named = words.split(/[,;\n]/).flatMap((part) => {
    const [first = '', second = 'all'] = part.trim().split(/[\s:=]+/)
    const id = programId(first)
    const level = second.toLowerCase()
    return id !== undefined && isLevel(level) ? [[id, level] as const] : []
  })
  const gone = admitted(before).map(([id]) => [id, 'nothing'] as const)
  return Object.fromEntries([...gone, ...named])
}
