import * as fc from 'fast-check'
import { fitHistory } from '#bridge/answers/history.ts'
import { estimateTokens } from '#lib/tokens.ts'
import { describe, expect, test } from 'vitest'

const turn = (text: string) => ({ text })
const cost = (turns: readonly { readonly text: string }[]) =>
  turns.reduce((sum, { text }) => sum + estimateTokens(text) + 4, 0)

describe('fitHistory', () => {
  test('keeps the newest turns, in their order', () => {
    const turns = ['a', 'b', 'c', 'd'].map((letter) => turn(letter.repeat(400)))
    expect(fitHistory(turns, 98)).toEqual(turns.slice(3))
    expect(fitHistory(turns, 98 * 3)).toEqual(turns.slice(1))
    expect(fitHistory(turns, 98 * 3 - 1)).toEqual(turns.slice(2))
    expect(fitHistory(turns, 10_000)).toEqual(turns)
  })

  test('keeps nothing older than a turn that is too long', () => {
    const turns = [turn('short'), turn('x'.repeat(10_000)), turn('short')]
    expect(fitHistory(turns, 100)).toEqual(turns.slice(2))
  })

  test('keeps nothing where nothing fits', () => {
    expect(fitHistory([turn('hello')], 3)).toEqual([])
    expect(fitHistory([], 100)).toEqual([])
  })

  test('never exceeds the budget, and keeps all that it can', () => {
    fc.assert(
      fc.property(fc.array(fc.string({ unit: 'grapheme' }).map(turn)), fc.nat(200), (turns, budget) => {
        const kept = fitHistory(turns, budget)
        expect(kept).toEqual(turns.slice(turns.length - kept.length))
        expect(cost(kept)).toBeLessThanOrEqual(budget)
        const more = turns.slice(Math.max(0, turns.length - kept.length - 1))
        expect(more.length === kept.length || cost(more) > budget).toBe(true)
      }),
    )
  })
})
