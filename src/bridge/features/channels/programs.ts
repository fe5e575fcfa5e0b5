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
export const programsField = (now: ChannelSettings, label: string, inWords?: string): FormField => ({
  id: 'programs',
  label,
  inWords,
  options: [],
  chosen: '',
  text: admitted(now)
    .map(([id, level]) => `${id} ${level}`)
    .join(', '),
})

/** One program and its level; undefined: no id, no level, or more than that. */
function readProgram(part: string): readonly [string, AccessLevel] | undefined {
  const [first = '', second = '', ...more] = part.split(/[\s:=]+/)
  const [id, level] = [programId(first), second.toLowerCase()]
  return id !== undefined && isLevel(level) && more.length === 0 ? [id, level] : undefined
}

/**
 * Reads the words of that field as changes: a program that is not named any more may do nothing.
 *
 * @returns `unclear`: parts that name no program with a level; then nothing is changed
 */
export function readPrograms(
  words: string,
  before: ChannelSettings,
): { readonly changes: Programs; readonly unclear: readonly string[] } {
  const parts = words.split(/[,;\n]/).flatMap((part) => (part.trim() === '' ? [] : [part.trim()]))
  const unclear = parts.filter((part) => readProgram(part) === undefined)
  if (unclear.length > 0) return { changes: {}, unclear }
  const named = parts.map(readProgram).filter((one) => one !== undefined)
  const known = admitted(before)
  const gone = known.filter(([id]) => named.every(([other]) => other !== id)).map(([id]) => [id, 'nothing'] as const)
  // One that stays as it is must not become the last: it may have been sent away by another id of its app.
  const changed = named.filter(([id, level]) => before.programs?.[id] !== level)
  return { changes: Object.fromEntries([...gone, ...changed]), unclear }
}
