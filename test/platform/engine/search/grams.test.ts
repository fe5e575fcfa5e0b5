import { describe, expect, it } from 'vitest'
import { eachRun, type Grams, positionOf, scoreGrams, toGrams } from '#platform/engine/search/grams.ts'

const asked = (...terms: readonly string[]) =>
  toGrams(terms.map((term) => ({ terms: [term], weight: 1, inflected: true })))

function count(grams: Grams, terms: readonly string[]): Uint8Array {
  const counts = new Uint8Array(grams.weights.length)
  for (const term of terms) {
    eachRun(term, (run) => {
      const position = positionOf(grams, run)
      if (position >= 0) counts[position] = Math.min((counts[position] ?? 0) + 1, 255)
    })
  }
  return counts
}

const score = (question: readonly string[], ...texts: readonly string[]) => {
  const grams = asked(...question)
  const counts = texts.map((text) => count(grams, text.split(' ')))
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

  it('hold at most 512', () => {
    const words = Array.from({ length: 500 }, (_, index) => `word${index * 7919}`)
    expect(asked(...words).weights).toHaveLength(512)
    expect(asked(...words).isWhole).toBe(false)
    expect(asked('harbour').isWhole).toBe(true)
  })
})
