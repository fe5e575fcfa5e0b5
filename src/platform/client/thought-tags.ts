import { allPhrases, allSet, allWords, oneOf } from '#lexicon/match.ts'

// Names that models and templates use; Open WebUI, LiteLLM and vLLM have them in their lists, too.
const NAMES = String.raw`(?:antml:|seed:)?(?:think|thinking|thoughts?|reason|reasoning|reflection)`
export const OPENER = new RegExp(
  String.raw`^(?:<${NAMES}>|\[think\]|◁think▷|<\|begin_of_thought\|>|<\|channel\|>analysis<\|message\|>)`,
  'i',
)
export const CLOSER = new RegExp(
  String.raw`<\/${NAMES}>|\[\/think\]|◁\/think▷|<\|end_of_thought\|>|<\|channel\|>final<\|message\|>`,
  'gi',
)
const ANY_OPENER = new RegExp(OPENER.source.slice(1), 'gi')
const TAG_NAMES =
  'think thinking thought thoughts reason reasoning reflection seed:think antml:thinking antml:reasoning'.split(' ')
const MARKS = [
  ...TAG_NAMES.flatMap((name) => [`<${name}>`, `</${name}>`]),
  ...'[think] [/think] ◁think▷ ◁/think▷ <|begin_of_thought|> <|end_of_thought|>'.split(' '),
  ...'<|channel|>analysis<|message|> <|channel|>final<|message|>'.split(' '),
]
const MAX_MARK_CHARS = Math.max(...MARKS.map(({ length }) => length))

export const mayBegin = (text: string) => MARKS.some((mark) => mark.startsWith(text.toLowerCase()))

/** Where a tag may begin that is not whole yet. */
export function openTail(text: string): number {
  for (let at = Math.max(0, text.length - MAX_MARK_CHARS); at < text.length; at += 1)
    if ('<[◁'.includes(text[at] ?? '') && mayBegin(text.slice(at))) return at
  return text.length
}

/** The block of references quotes files, which may talk about tags. */
export const BLOCK = /(?:^|\n)-{20,}\s*\nReferences:/

/** Models that begin to think before their first word: their templates write the opening tag. */
export const THINKER =
  /(?<![a-z])(?:r1|r1t2?|qwq|think(?:ing|er)?|reason(?:ing|er)?|magistral|deephermes|marco-o1)(?![a-z])/i

/** How thinking begins, and an answer hardly does. */
const MUSING = oneOf(allPhrases('models', 'musings'))
const WITH_COMMA = oneOf(allWords('models', 'musingsBeforeComma'))
const MUSES = new RegExp(String.raw`^\W*(?:${MUSING}|${WITH_COMMA},)(?![\p{L}\p{N}'])`, 'iu')
/** Their first words; after those of the second list the next word tells. */
const FIRST_WORDS = allWords('models', 'musingStarts')
const TELLING_WORDS = allSet('models', 'musingStartsOfTwo')

/** Whether a text begins like thinking; undefined: too short to tell. */
export function muses(text: string): boolean | undefined {
  const [, first = '', rest = ''] = /^[^\p{L}]*([\p{L}']*)([^]*)$/u.exec(text.slice(0, 80)) ?? []
  const word = first.toLowerCase()
  if (rest === '') return FIRST_WORDS.some((known) => known.startsWith(word)) ? undefined : false
  if (TELLING_WORDS.has(word) && /^\s*[\p{L}']*$/u.test(rest)) return undefined
  return MUSES.test(text)
}

const count = (text: string, pattern: RegExp) => text.match(pattern)?.length ?? 0

/**
 * Whether a tag that ends thinking ends it here, or is talked about: in code, with the tag that begins it, or within a
 * sentence. Undefined: the following text must be seen first.
 */
export function endsThinking(before: string, after: string, isLast: boolean): boolean | undefined {
  const line = before.slice(before.lastIndexOf('\n') + 1)
  if (count(line, /`/g) % 2 === 1 || after.startsWith('`')) return false
  if (count(before, /^[ \t]*(?:```|~~~)/gm) % 2 === 1) return false
  if (count(before, ANY_OPENER) > count(before, CLOSER)) return false
  if (line.trim() === '') return true
  const next = /\S/.exec(after)?.[0]
  if (next === undefined && !after.includes('\n')) return isLast ? true : undefined
  if (next === undefined || /^[^\S\n]*\n/.test(after) || /[.!?…:]["'”“»)]?\s*$/.test(line)) return true
  return !/[\p{Ll},.;:!?)"'\]]/u.test(next)
}

/** Where the rule of a block may begin. */
export function blockTail(text: string): number {
  const from = Math.max(0, text.length - 80)
  const rule = /\n-*\s*(?:R[a-z]*)?$/.exec(text.slice(from))
  return rule === null ? text.length : from + rule.index
}
