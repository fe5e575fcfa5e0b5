import { describe, expect, it } from 'vitest'
import type { Row } from '#bench/row.ts'
import { parseSlice, refuseUnknownBots } from '#bench/slice.ts'

describe('a part of a row', () => {
  it('is all of it without options', () => {
    expect(Object.values(parseSlice({})).every((value) => value === undefined)).toBe(true)
  })

  it('has one number at once or several', () => {
    expect(parseSlice({ 'at-once': '100' }).atOnce).toEqual([100])
    expect(parseSlice({ 'at-once': '1,10' }).atOnce).toEqual([1, 10])
  })

  it.each([
    [{ 'at-once': '1,ten' }, '--at-once 1,ten: ten is no whole number above 0.'],
    [{ 'at-once': '' }, 'nothing is no whole number'],
    [{ rounds: '0' }, '--rounds 0: 0 is no whole number above 0.'],
    [{ bursts: '1,2' }, '--bursts 1,2: it takes one number.'],
  ])('refuses %o', (given, sentence) => {
    expect(() => parseSlice(given)).toThrow(sentence)
  })
})

const row = (name: string, bots?: readonly string[]): Row => ({ name, bots, run: async () => [] })

describe('the bots of a part', () => {
  it('are those of each row; a row without bots does not care', () => {
    const rows = [row('load', ['alone', 'peer']), row('events', ['sqlite', 'alone']), row('start-up')]
    expect(() => refuseUnknownBots(rows, { bots: ['alone'] })).not.toThrow()
    expect(() => refuseUnknownBots(rows, {})).not.toThrow()
  })

  it('are told where one is unknown', () => {
    const rows = [row('load', ['alone', 'peer'])]
    const sentence = 'There is no bot bolt, Alone in load. There are: alone, peer.'
    expect(() => refuseUnknownBots(rows, { bots: ['peer', 'bolt', 'Alone'] })).toThrow(sentence)
  })
})
