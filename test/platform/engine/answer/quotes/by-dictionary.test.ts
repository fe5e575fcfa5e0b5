import { describe, expect, it, vi } from 'vitest'
import { searchByDictionary } from '#platform/engine/answer/quotes/by-dictionary.ts'
import type { Retrieved } from '#platform/engine/api/retrieve.ts'

const passage = { file: 'a.md', place: 'L1', headings: [], lead: '', body: 'x', distance: 0, coverage: 1 }

const found = (evidence: number, text = ''): Retrieved => ({
  passages: evidence === 0 ? [] : [passage],
  quotes: [{ hit: 0, text, score: evidence, coverage: 1, evidence }],
  language: 'de',
  nothingIndexed: false,
})

type Search = Parameters<typeof searchByDictionary>[3]

const others = new Map([['haus', ['house']]])
const none = async () => new Map<string, string[]>()
const dictionary = { othersOf: async () => others, nearOf: none, close: async () => undefined }

describe('words of a dictionary', () => {
  it('are asked where the words of the question find too little, and believed less', async () => {
    const search = vi.fn<Search>(async () => found(0.8, 'the house'))
    const best = await searchByDictionary('Wo ist das Haus?', found(0.2), dictionary, search)
    expect(search).toHaveBeenCalledWith(others)
    expect(best.quotes[0]).toMatchObject({ text: 'the house', evidence: expect.closeTo(0.7) })
  })

  it.each([
    ['the question is answered', found(0.9), dictionary],
    ['nothing is indexed', { ...found(0), nothingIndexed: true }, dictionary],
    ['there is none', found(0.2), undefined],
    ['it has none of the words', found(0.2), { ...dictionary, othersOf: none }],
  ])('are not asked where %s', async (_, own, given) => {
    const search = vi.fn<Search>(async () => found(0.8))
    expect(await searchByDictionary('Wo ist das Haus?', own, given, search)).toBe(own)
    expect(search).not.toHaveBeenCalled()
  })

  it('of nearly the same meaning bring passages that may help, and never an answer', async () => {
    const near = { ...dictionary, othersOf: none, nearOf: async () => others }
    const best = await searchByDictionary('Wo ist das Haus?', found(0.2), near, async () => found(0.99, 'the home'))
    expect(best.quotes[0]).toMatchObject({ text: 'the home', evidence: 0 })
    const own = found(0.4)
    expect(await searchByDictionary('Wo ist das Haus?', own, near, async () => found(0.3))).toBe(own)
  })

  it('leave the passages of the question where they find none', async () => {
    const own = found(0.2)
    expect(await searchByDictionary('Wo ist das Haus?', own, dictionary, async () => found(0))).toBe(own)
  })
})
