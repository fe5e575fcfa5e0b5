import { describe, expect, test } from 'vitest'
import { estimateTokens } from '#lib/tokens.ts'

describe('estimateTokens', () => {
  test.each([
    ['', 0],
    ['a'.repeat(1000), 235],
    ['漢'.repeat(1000), 750],
    ['かなカナ한국', 5],
    [`${'a'.repeat(100)}${'字'.repeat(100)}`, 99],
    ['🛳️'.repeat(50), 113],
  ])('of %j is %i', (text, tokens) => {
    expect(estimateTokens(text)).toBe(tokens)
  })
})
