import type { HistoryTurn } from '../port/records.ts'

/** Tokens a character, measured over the tokenizers of current models: near the upper end, so that a budget holds. */
const TOKENS_PER_CHARACTER = 0.235
const TOKENS_PER_CJK_CHARACTER = 0.75

const CJK = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/gu

/** About how many tokens a text is, rounded up. Characters are code points. */
export function estimateTokens(text: string): number {
  const cjk = text.match(CJK)?.length ?? 0
  const characters = Array.from(text).length
  return Math.ceil((characters - cjk) * TOKENS_PER_CHARACTER + cjk * TOKENS_PER_CJK_CHARACTER)
}

/** What each turn costs beside its text: role and separators. */
const TOKENS_PER_TURN = 4

/**
 * The newest turns that fit into `budget` tokens together, oldest first as they came. A turn is kept whole or not at
 * all, and none is kept across a gap: what is said later refers to what was said just before.
 */
export function fitHistory<T extends Pick<HistoryTurn, 'text'>>(
  turns: readonly T[],
  budget: number,
): readonly T[] {
  let left = budget
  let first = turns.length
  while (first > 0) {
    left -= estimateTokens(turns[first - 1]?.text ?? '') + TOKENS_PER_TURN
    if (left < 0) break
    first -= 1
  }
  return turns.slice(first)
}
