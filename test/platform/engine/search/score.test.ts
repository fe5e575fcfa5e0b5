import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { countGrams, toGrams, toGramText } from '../../../../src/platform/engine/search/grams.ts'
import { coverSentence, countTerms, findRelatives } from '../../../../src/platform/engine/search/score.ts'

const NO_RUNS = new Uint8Array()
const ALONE = { headings: countTerms([]), before: undefined, behind: undefined }

/** Share of a question of one word that this sentence covers. */
function covered(asked: string, sentence: string, isUnknown: boolean): number {
  const concepts = [{ terms: [asked], weight: 1, inflected: true, isUnknown }]
  const terms = countTerms(sentence.split(' '))
  const chunk = { body: terms, gramText: sentence }
  return coverSentence(concepts, terms, ALONE, (concept) => findRelatives(concept, chunk, toGrams([]), NO_RUNS))
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
    // A word that stands in the files is typed as it is meant.
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

describe('relatives of a word', () => {
  const word = fc.string({ unit: fc.constantFrom('a', 'b', 'e'), minLength: 1, maxLength: 12 })

  it('are found by the runs that they have in common, all of them', () => {
    let found = 0
    fc.assert(
      fc.property(fc.array(word, { minLength: 1, maxLength: 4 }), fc.array(word, { maxLength: 6 }), (asked, text) => {
        const concepts = asked.map((term) => ({ terms: [term], weight: 1, inflected: true }))
        const grams = toGrams(concepts)
        const chunk = { body: countTerms(text), gramText: toGramText(text) }
        const runs = countGrams(grams, chunk.gramText)
        const compareAll = { ...grams, runsOf: new Map() }
        for (const concept of concepts) {
          const relatives = findRelatives(concept, chunk, grams, runs)
          expect(relatives.toSorted()).toEqual(findRelatives(concept, chunk, compareAll, runs).toSorted())
          found += relatives.length
        }
      }),
      { numRuns: 500 },
    )
    expect(found).toBeGreaterThan(0)
  })
})
