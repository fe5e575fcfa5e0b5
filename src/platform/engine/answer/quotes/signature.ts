import { allPhrases, matchWithin, oneOf } from '#lexicon/match.ts'
import type { Passage, Retrieved } from '#platform/engine/api/retrieve.ts'
import type { Quote } from '#platform/engine/search/types.ts'

const ASKS = matchWithin(allPhrases('requests', 'whoSigned'), 'iu', { rest: '.{1,80}?' })
const CLOSING = oneOf(allPhrases('documents', 'closings'))
const SIGNED = new RegExp(
  String.raw`^[^\S\n]*(?:\p{L}+\s)?${CLOSING},?\s*\n\s*(?<name>\p{Lu}.{1,80})(?:\n\s*(?<role>\S.{1,80}))?`,
  'imu',
)

function signatureIn({ body }: Passage): string | undefined {
  const { name, role } = SIGNED.exec(body)?.groups ?? {}
  return name === undefined ? undefined : [name, role ?? ''].join(' ').trim()
}

/** The name at the end of the letter, where a question asks who signed it: no sentence has it. */
export function signatureFor(question: string, { quotes, passages }: Retrieved): Quote | undefined {
  const [best] = quotes
  if (best === undefined || !ASKS.test(question)) return undefined
  const file = passages[best.hit]?.file
  const [signed] = passages.flatMap((passage, hit) => {
    const text = passage.file === file ? signatureIn(passage) : undefined
    return text === undefined ? [] : [{ hit, text }]
  })
  return signed === undefined ? undefined : { ...best, ...signed }
}
