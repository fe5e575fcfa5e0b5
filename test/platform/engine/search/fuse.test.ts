import { describe, expect, it } from 'vitest'
import { chanceLead, fuse, type Nearness } from '#platform/engine/search/fuse.ts'

const clear: Nearness = { count: 1000, mean: 0.1, deviation: 0.1, best: 0.8, fifth: 0.75 }
/** The best of a thousand random directions. */
const noise: Nearness = { count: 1000, mean: 0, deviation: 0.1, best: 0.1 * chanceLead(1000), fifth: 0.27 }

const around = (step: number) =>
  Array.from({ length: 20 }, (_, at) => ({ words: 0, coverage: 0, cosine: 0.3 - at * step }))

describe('fuse', () => {
  const one = { words: 0.6, coverage: 0.8, cosine: 0.3 }
  const other = { words: 0.3, coverage: 0.5, cosine: 0.8 }

  it('weighs both parts as it is told when both are sure', () => {
    const [byWords, behind] = fuse([one, other], clear, 0.9)
    expect(byWords?.score).toBeGreaterThan(behind?.score ?? 1)
    const [below, byVector] = fuse([one, other], clear, 0.1)
    expect(byVector?.score).toBeGreaterThan(below?.score ?? 1)
  })

  it('follows the words where the vectors are no better than chance', () => {
    const candidates = [
      { words: 0.6, coverage: 0.8, cosine: 0 },
      { words: 0.5, coverage: 0.7, cosine: noise.best },
    ]
    const [first, second] = fuse(candidates, noise, 0.7)
    expect(first?.score).toBeGreaterThan(second?.score ?? 1)
    expect([first?.near, second?.near]).toEqual([false, false])
  })

  it('follows the vectors where one chunk stands out, and what the words found lies far', () => {
    const outstanding = { ...noise, best: 0.6 }
    const candidates = [
      { words: 0.6, coverage: 0.8, cosine: 0 },
      { words: 0.1, coverage: 0.2, cosine: outstanding.best },
    ]
    const [first, second] = fuse(candidates, outstanding, 0.5)
    expect(second?.score).toBeGreaterThan(first?.score ?? 1)
  })

  it('gives no more than its part to a vector that stands out, where words are found', () => {
    // Vectors of the collection's own words: an outstanding one only repeats the evidence of the words.
    const outstanding = { ...noise, best: 0.99 }
    const candidates = [
      { words: 0.6, coverage: 0.8, cosine: 0.1 },
      { words: 0.2, coverage: 0.3, cosine: outstanding.best },
    ]
    const [first, second] = fuse(candidates, outstanding, 0.7)
    expect(first?.score).toBeGreaterThan(second?.score ?? 1)
  })

  it('lets a model see what is as near as the best of chance', () => {
    const [first, second] = fuse(
      [
        { words: 0.3, coverage: 0.1, cosine: noise.best },
        { words: 0.3, coverage: 0.1, cosine: 0.1 },
      ],
      { ...noise, best: noise.best },
      0.7,
    )
    expect([first?.near, first?.likely, second?.likely]).toEqual([false, true, false])
  })

  it('trusts the same lead less where many are near each other', () => {
    const outstanding = { ...noise, best: 0.5 }
    const found = { words: 0.6, coverage: 0.8, cosine: 0.1 }
    const near = { words: 0.3, coverage: 0.4, cosine: outstanding.best }
    const leadOf = (step: number) => {
      const [first, second] = fuse([found, near, ...around(step)], outstanding, 0.5)
      return (second?.score ?? 0) - (first?.score ?? 0)
    }
    expect(leadOf(0.001)).toBeGreaterThan(leadOf(0.03))
  })

  it('orders by either part alone where it is told so, however far the numbers go', () => {
    const far = { count: 1_000_000, mean: 0, deviation: 0.001, best: 0.9, fifth: 0.2 }
    const candidates = [0.9, 0.2, -0.5].map((cosine, at) => ({ words: at / 10, coverage: at / 10, cosine }))
    const byVectors = fuse(candidates, far, 0).map(({ score }) => score)
    expect(byVectors).toEqual(byVectors.toSorted((a, b) => b - a))
    expect(byVectors[0]).toBeCloseTo(0.9)
    const byWords = fuse(candidates, far, 1).map(({ score }) => score)
    expect(byWords).toEqual(byWords.toSorted((a, b) => a - b))
    expect(byWords[2]).toBeGreaterThan(0)
  })

  it('follows the vectors alone where no word is found', () => {
    const [first, second] = fuse(
      [
        { words: 0, coverage: 0, cosine: 0.4 },
        { words: 0, coverage: 0, cosine: 0.8 },
      ],
      clear,
      0.5,
    )
    expect(second?.score).toBeCloseTo(0.8)
    expect(first?.score).toBeLessThan(0.5)
    expect([first?.near, second?.near]).toEqual([false, true])
  })

  it('keeps every score between 0 and 1, also with nothing to compare', () => {
    const lonely: Nearness = { count: 1, mean: 0.9, deviation: 0, best: 0.9, fifth: 0.9 }
    for (const candidates of [[one], [one, other], [{ words: 0, coverage: 0, cosine: undefined }]]) {
      for (const { score } of [...fuse(candidates, lonely, 0.5), ...fuse(candidates, clear, 0.5)]) {
        expect(score).toBeGreaterThanOrEqual(0)
        expect(score).toBeLessThanOrEqual(1)
      }
    }
    expect(fuse([], clear, 0.5)).toEqual([])
  })

  it('expects more of the best of many than of the best of few', () => {
    const leads = [2, 10, 100, 1000, 100_000].map(chanceLead)
    expect(leads).toEqual(leads.toSorted((a, b) => a - b))
    expect(chanceLead(1)).toBe(0)
  })
})
