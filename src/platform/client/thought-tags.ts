import { allPhrases, allSet, allWords, oneOf } from '#lexicon/match.ts'

// Names that models and templates use; Open WebUI, LiteLLM and vLLM have them in their lists, too.
const TAG_NAMES = (
  'think thinking thought thoughts reason reasoning reflection scratchpad reasoning_scratchpad internal_reasoning ' +
  'inner_thoughts inner_monologue longcat_think'
).split(' ')
const NAMES = String.raw`(?:antml:|seed:|mm:)?(?:${TAG_NAMES.join('|')})`
/** Headers of OpenAI's harmony format, which servers leave in the text when they do not know it. */
const header = (channel: string) =>
  String.raw`(?:<\|start\|>assistant)?<\|channel\|>${channel}[^<>\n]{0,40}(?:<\|constrain\|>[\w ]{0,20})?<\|message\|>`
const HARMONY = header('(?:analysis|commentary)')
const FINAL = header('final')
const OPENER = new RegExp(
  String.raw`^(?:<${NAMES}(?:\s[^<>]{0,60})?>|<\|think\|>|\[think\]|◁think▷|<\|begin_of_thought\|>|<\|START_THINKING\|>|<\|inner_prefix\|>)`,
  'i',
)
export const CLOSER = new RegExp(
  [
    String.raw`<\/${NAMES}\s?>|<\|\/think\|>|\[\/think\]|◁\/think▷|<\|end_of_thought\|>|<\|END_THINKING\|>|<\|inner_suffix\|>`,
    String.raw`<channel\|>|\[BEGIN FINAL RESPONSE\]`,
    FINAL,
  ].join('|'),
  'gi',
)

/** The end of thinking that has no special token, and how long it may be with the letter before it. */
export const BARE_CLOSERS: ReadonlyMap<RegExp, number> = new Map([
  [/assistantfinal/g, 15],
  [/Here(?: is|'s) my response:/g, 21],
])
const [HARMONY_END = CLOSER, GRANITE_END = CLOSER] = BARE_CLOSERS.keys()

/** Thinking whose end only its beginning tells. */
const PAIRS = [
  [new RegExp(`^${HARMONY}`), new RegExp(String.raw`<\|end\|>|${FINAL}`, 'g')],
  // The same without its special tokens, as in `analysisWe need … assistantfinalThe answer`.
  [/^analysis(?=(?:We|The|User|I|It|This|Let|Need|Okay|So|They|Question)[^\p{L}\p{N}_])/u, HARMONY_END],
  [/^Here(?: is|'s) my thought process:/, GRANITE_END],
  // Gemma 4.
  [/^<\|channel>thought\n?/, /<channel\|>/g],
  // Open WebUI.
  [/^<details type="reasoning"[^<>]{0,200}>/, /<\/details>/g],
] as const

/** How a text begins to think, and what ends that. */
export function openerOf(text: string): { readonly mark: string; readonly closer: RegExp } | undefined {
  for (const [opener, closer] of PAIRS) {
    const found = opener.exec(text)?.[0]
    if (found !== undefined) return { mark: found, closer }
  }
  const mark = OPENER.exec(text)?.[0]
  return mark === undefined ? undefined : { mark, closer: CLOSER }
}

const ANY_OPENER = new RegExp(String.raw`${OPENER.source.slice(1)}|${HARMONY}|<\|channel>thought`, 'gi')
const MARKS = [
  ...TAG_NAMES.flatMap((name) => ['', 'antml:', 'seed:', 'mm:'].flatMap((by) => [`<${by}${name}>`, `</${by}${name}>`])),
  ...'[think] [/think] ◁think▷ ◁/think▷ <|think|> <|/think|> <|begin_of_thought|> <|end_of_thought|>'.split(' '),
  ...'<|start_thinking|> <|end_thinking|> <|channel>thought <channel|> <|end|> </details>'.split(' '),
  ...'<|start_response|> <answer> <response>'.split(' '),
  '[begin final response]',
  ...'<|inner_prefix|> <|inner_suffix|> <|assistant|> <|im_start|>assistant <start_of_turn>model'.split(' '),
]
/** Marks with a part that is free: as far as they have come. */
const OPEN_MARKS = [
  new RegExp(String.raw`^<\/?${NAMES}\s[^<>]{0,60}$`, 'i'),
  /^(?:<\|start\|>(?:assistant)?)?(?:<\|channel\|>[^<>\n]{0,40}(?:<\|constrain\|>[\w ]{0,20})?)?(?:<(?:\|\w{0,9}\|?)?)?$/,
  /^<details type="reasoning"[^<>]{0,200}$/,
]
const STARTS = [
  '<|start|>assistant<|channel|>',
  '<details type="reasoning"',
  'Here is my thought process:',
  "Here's my thought process:",
]
const MAX_MARK_CHARS = 240

export function mayBegin(text: string): boolean {
  const lower = text.toLowerCase()
  return (
    MARKS.some((mark) => mark.startsWith(lower)) ||
    STARTS.some((start) => start.startsWith(text)) ||
    (text.startsWith('<') && OPEN_MARKS.some((mark) => mark.test(text)))
  )
}

/** `analysis` at the beginning may be that of the harmony format: the next word tells. */
export const mayBeBareChannel = (text: string) => 'analysis'.startsWith(text) || /^analysis[A-Z][a-z]{0,7}$/.test(text)

/** The beginning of a turn is the template's. */
const TURN = String.raw`<\|assistant\|>|<\|im_start\|>assistant\b|<start_of_turn>model\b`
const ANSWER = new RegExp(String.raw`^(?:${FINAL}|<\|START_RESPONSE\|>|${TURN})`, 'i')
const WRAPPED = /^<(?:answer|response)>\s*/i

/** A mark with which an answer begins; some models have it only after their thinking. */
export const startsAnswer = (text: string, isThought: boolean): string | undefined =>
  (ANSWER.exec(text) ?? (isThought ? WRAPPED.exec(text) : null))?.[0]

const MARK_START = /[<[◁]/g
const HAS_START = /[<[◁]/

/** Whether a text of the answer may hold a tag, or the beginning of one. */
export const mayHoldMark = (text: string) => HAS_START.test(text)

/** A tag that begins thinking, at the beginning of a line; four blanks before it make it code. */
const ASIDE = new RegExp(String.raw`(?:^|\n) {0,3}(${OPENER.source.slice(1)})`, 'i')

/** Where thinking may begin within an answer: the tag, and its place. One in code is talked about. */
export function asideIn(text: string, before: () => string): { readonly at: number; readonly tag: string } | undefined {
  const found = ASIDE.exec(text)
  const tag = found?.[1]
  if (found === null || tag === undefined) return undefined
  const at = found.index + found[0].length - tag.length
  const all = before() + text.slice(0, at)
  const isAtLine = /\n {0,3}$/.test(all) && all.trim() !== ''
  return isAtLine && count(all, /^[ \t]*(?:```|~~~)/gm) % 2 === 0 && !BLOCK.test(all) ? { at, tag } : undefined
}

/** Where a tag may begin that is not whole yet. */
export function openTail(text: string): number {
  MARK_START.lastIndex = Math.max(0, text.length - MAX_MARK_CHARS)
  for (let start = MARK_START.exec(text); start !== null; start = MARK_START.exec(text))
    if (mayBegin(text.slice(start.index))) return start.index
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
