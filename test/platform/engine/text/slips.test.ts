import { describe, expect, it } from 'vitest'
import { nearestWords, smallWordOf, stemsOfSlip } from '#platform/engine/text/slips.ts'

describe('a mistyped word', () => {
  it.each([
    ['spaner', ['spanner']],
    ['controler', ['controller']],
    ['orginises', ['organises']],
    ['certifcate', ['certificate']],
    ['subcription', ['subscription']],
  ])('is meant to be the nearest one: %s', (typed, meant) => {
    const words = ['spanner', 'spandrels', 'controller', 'organises', 'certificate', 'subscription', 'description']
    expect(nearestWords(typed, words)).toEqual(meant)
  })

  it.each(['gold', 'wine', 'r2d2x', 'password', 'salary'])('may be a word of its own: %s', (typed) => {
    expect(nearestWords(typed, ['good', 'cold', 'line', 'r2d3x', 'pastor', 'celery', 'pass'])).toEqual([])
  })

  it('may hide its ending from the stemmer', () => {
    const stems = ['subscrip', 'subscript', 'substitut', 'sub']
    expect(stemsOfSlip('subscrption', stems)).toEqual(['subscrip', 'subscript'])
    expect(stemsOfSlip('substitutes', ['substitut'])).toEqual([])
  })

  it('is as near to one word as to another', () => {
    expect(nearestWords('lamps', ['lamp', 'camps', 'clamps', 'ramp'])).toEqual(['lamp', 'camps', 'clamps'])
  })
})

describe('a small word', () => {
  const small = new Set(['when', 'which', 'what', 'how', 'much', 'the', 'that', 'should'])

  it.each([
    ['wehn', 'when'],
    ['waht', 'what'],
    ['mcuh', 'much'],
    ['wich', 'which'],
    ['teh', 'the'],
    ['woh', undefined],
    ['whhen', 'when'],
    ['hat', undefined],
    ['sold', undefined],
    ['mach', undefined],
  ])('is told by a swap, a letter less or one twice: %s', (typed, meant) => {
    expect(smallWordOf(typed, small)).toBe(meant)
  })
})
