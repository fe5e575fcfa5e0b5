import { describe, expect, it } from 'vitest'
import { matchTerms } from '#platform/engine/search/match.ts'
import { createRelations } from '#platform/engine/search/relations.ts'
import { coverSentence } from '#platform/engine/search/score.ts'
import { numberOf } from '#platform/engine/search/term-numbers.ts'

/** Share of a question of one word that this sentence covers. */
function covered(asked: string, sentence: string, isUnknown: boolean): number {
  const concepts = [{ terms: [asked], weight: 1, inflected: true, isUnknown }]
  const relations = createRelations({ concepts, pairs: [], language: 'en' })
  const read = (terms: readonly string[]) => matchTerms(relations, Int32Array.from(terms, numberOf))
  return coverSentence(concepts, read(sentence.split(' ')), {
    headings: read([]),
    before: undefined,
    behind: undefined,
  })
}

describe('a word that is mistyped in the question', () => {
  it.each([
    ['a letter less', 'alowanc', 'the allowanc is paid'],
    ['a letter more', 'proobation', 'the probation last'],
    ['another letter', 'notis', 'the notic period'],
    ['two letters swapped', 'recieve', 'you receive a phone'],
    ['its last letter', 'backus', 'a backup is made'],
    ['a letter left out of a short word', 'alow', 'they allow it'],
  ])('finds the word without %s', (_, asked, sentence) => {
    expect(covered(asked, sentence, true)).toBe(0.8)
    // A word that the files contain is typed as it is meant.
    expect(covered(asked, sentence, false)).toBeLessThan(0.8)
  })

  it.each([
    ['short words', 'cat', 'the car'],
    ['two edits', 'notism', 'the notic period'],
    ['another beginning', 'motice', 'the notice period'],
    ['four letters with one other', 'cake', 'the case'],
  ])('is not guessed for %s', (_, asked, sentence) => {
    expect(covered(asked, sentence, true)).toBe(0)
  })
})
