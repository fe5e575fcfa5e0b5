import { allPhrases, matchWithin, allSet } from '#lexicon/match.ts'
import { endWithout, startWithout } from '#lib/unicode.ts'

/** The marker word by which a model refuses, independent of language. */
export const NOT_IN_FILES = 'NOT_IN_FILES'

const WORD = /NOT[_ ]IN[_ ]FILES/g
const DECORATION = '*_`"\'“”„«»'

/** Removes the marker word and tells whether it was there. */
export function withoutMarkerWord(text: string): { readonly text: string; readonly refuses: boolean } {
  let rest = ''
  let from = 0
  for (const { 0: word, index } of text.matchAll(WORD)) {
    rest += text.slice(from, endWithout(DECORATION, text, from, index))
    const behind = text.slice(index + word.length)
    from = text.length - behind.length + startWithout(`${DECORATION}.`, behind)
  }
  return { text: (rest + text.slice(from)).trim(), refuses: from > 0 }
}

/** A longer answer is not a refusal. */
const MAX_REFUSAL_CHARS = 600

/** Refusals of models and platforms that do not use the marker word, within one sentence. */
const REFUSALS = matchWithin(allPhrases('models', 'refusals'), 'iu', {
  near: String.raw`(?!\p{L})[^.]{0,40}(?<!\p{L})`,
  far: String.raw`(?!\p{L})[^.]{0,60}(?<!\p{L})`,
})

/** Whether an answer without citations is a refusal. */
export function soundsLikeRefusal(text: string): boolean {
  return text.length <= MAX_REFUSAL_CHARS && REFUSALS.test(text)
}

export interface RefusalGate {
  /** Takes the next piece; returns the text that is safe to show. */
  push(text: string): string
  /** The rest of the held text, once the answer is no refusal. */
  end(): string
}

/**
 * Hides refusals: holds back the beginning of an answer until it cannot be a refusal any more.
 *
 * @param holds `word`: hold back the marker word only. `refusal`: also sentences that `soundsLikeRefusal` knows. The
 * first citation mark, or a beginning unlike any refusal, releases the text.
 */
export function createRefusalGate(holds: 'word' | 'refusal' = 'word'): RefusalGate {
  const mayRefuse = holds === 'word' ? mayBeMarkerWord : mayBeRefusal
  let held = ''
  let open = false
  return {
    push(text) {
      if (open) return text
      held += text
      if (mayRefuse(held)) return ''
      open = true
      return held
    },
    end: () => (open || withoutMarkerWord(held).refuses ? '' : held),
  }
}

function mayBeMarkerWord(held: string): boolean {
  if (held.length > MAX_REFUSAL_CHARS) return false
  const bare = held.replace(/^[\s*_`"'“”„«»]+/, '').replaceAll(' ', '_')
  return NOT_IN_FILES.startsWith(bare.slice(0, NOT_IN_FILES.length))
}

/** First words of refusals: articles, pronouns, negations, apologies, and names for a document. */
const FIRST_WORDS = allSet('models', 'refusalStarts')
/** A refusal says no or sorry within this many characters. */
const REFUSAL_START_CHARS = 80
const SAYS_NO = matchWithin(allPhrases('models', 'sayingNo'))

function mayBeRefusal(held: string): boolean {
  if (mayBeMarkerWord(held)) return true
  if (held.length > MAX_REFUSAL_CHARS || /\[\d+\]/.test(held)) return false
  const [first, ended] = held.match(/\p{L}+|(?<=\p{L})[^\p{L}]/gu) ?? []
  if (first === undefined || ended === undefined) return true
  return FIRST_WORDS.has(first.toLowerCase()) && (held.length < REFUSAL_START_CHARS || SAYS_NO.test(held))
}
