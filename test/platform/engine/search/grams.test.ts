import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  countGrams,
  recountGrams,
  scoreGrams,
  toGrams,
  toGramText,
} from '../../../../src/platform/engine/search/grams.ts'
import { growsFaster } from '../../../support/growth.ts'

const asked = (...terms: readonly string[]) =>
  toGrams(terms.map((term) => ({ terms: [term], weight: 1, inflected: true })))
const score = (question: readonly string[], ...texts: readonly string[]) => {
  const grams = asked(...question)
  const counts = texts.map((text) => countGrams(grams, toGramText(text.split(' '))))
  return scoreGrams(
    grams,
    counts,
    texts.map(() => 1),
  )
}

describe('runs of four characters', () => {
  it('find derivations, parts of compounds and slips, the whole word best', () => {
    const [whole = 0, compound = 0, slip = 0, other = 0] = score(
      ['urlaub'],
      'der urlaub beginnt',
      'der jahresurlaub beginnt',
      'der urlaup beginnt',
      'die wache beginnt',
    )
    expect(whole).toBeGreaterThan(compound)
    expect(compound).toBeGreaterThan(0)
    expect(slip).toBeGreaterThan(0)
    expect(other).toBe(0)
  })

  it('say nothing of words that have no forms, and stay between 0 and 1', () => {
    expect(toGrams([{ terms: ['東京'], weight: 1, inflected: false }]).weights).toEqual([])
    expect(Math.max(...score(['harbour', 'crane'], 'harbour crane '.repeat(500)))).toBeLessThanOrEqual(1)
  })

  it('are counted the same by a table, from the second time on', () => {
    const word = fc.string({ unit: fc.constantFrom('a', 'b', 'ß', '漢'), maxLength: 9 })
    fc.assert(
      fc.property(fc.array(word, { maxLength: 5 }), fc.array(word, { maxLength: 40 }), (question, text) => {
        const grams = asked(...question)
        const source = { gramText: toGramText(text) }
        const counts = countGrams(grams, source.gramText)
        for (let round = 0; round < 3; round += 1) expect(recountGrams(grams, source)).toEqual(counts)
      }),
    )
  })

  it('hold at most 512, in any question and any text', () => {
    const words = Array.from({ length: 500 }, (_, index) => `word${index * 7919}`)
    const grams = asked(...words)
    expect(grams.weights).toHaveLength(512)
    expect(
      growsFaster(
        (text) => countGrams(grams, text),
        (length) => words.join(' ').repeat(9).slice(0, length),
      ),
    ).toBeUndefined()
  })
})
