import { describe, expect, it } from 'vitest'
import { chanceLead, fuse, type Nearness } from '../../../../src/platform/engine/index/fuse.ts'

const clear: Nearness = { count: 1000, mean: 0.1, deviation: 0.1, best: 0.8, fifth: 0.75 }
/** The best of a thousand random directions. */
const noise: Nearness = { count: 1000, mean: 0, deviation: 0.1, best: 0.1 * chanceLead(1000), fifth: 0.27 }

describe('fuse', () => {
  const one = { words: 0.6, coverage: 0.8, cosine: 0.3 }
  const other = { words: 0.3, coverage: 0.5, cosine: 0.8 }

  it('weighs both parts as it is told when both are sure', () => {
    const [byWords, behind] = fuse([one, other], clear, 0.9)
    expect(byWords?.score).toBeGreaterThan(behind?.score ?? 1)
    const [below, byVector] = fuse([one, other], clear, 0.1)
    expect(byVector?.score).toBeGreaterThan(below?.score ?? 1)
  })

  it('follows the words alone where the vectors are no better than chance', () => {
    const candidates = [
      { words: 0.6, coverage: 0.8, cosine: 0 },
      { words: 0.5, coverage: 0.7, cosine: noise.best },
    ]
    const [first, second] = fuse(candidates, noise, 0.5)
    expect(first?.score).toBeCloseTo(0.6)
    expect(second?.score).toBeCloseTo(0.5)
    expect([first?.near, second?.near]).toEqual([false, false])
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
