// Chinese, Japanese and Korean come as pairs of neighbouring characters. A pair that asks, or that lies across the
// small words of the grammar, has no list of stop words to fall into.

/** Words that only ask, simplified and traditional: no file answers by repeating them. */
const ASKING_PAIR = /什么|什麼|甚麼|多少|哪|谁|誰|如何|怎|吗|嗎|呢|是否|为什|為什|么时|麼時/

/** Characters that are mostly grammar: a pair with one of them is rarely a word. */
const GRAMMAR_CHARACTER = /[的了是在和与與及或也都而被把从從到对對于於之其这這那些个個有为為以等何几幾么麼]/

const PARTICLES = /^\p{sc=Hira}+$/u

/**
 * How much a pair of characters tells, as a part of what its rarity says: 0 for one that only asks, `seam` for one that
 * lies across grammar.
 */
export function tellingPart(pair: string, seam: number): number {
  if (ASKING_PAIR.test(pair)) return 0
  return GRAMMAR_CHARACTER.test(pair) || PARTICLES.test(pair) ? seam : 1
}
