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

  it('of nearly the same meaning bring passages that may help', async () => {
    const near = { ...dictionary, othersOf: none, nearOf: async () => others }
    const best = await searchByDictionary('Wo ist das Haus?', found(0.2), near, async () => found(0.99, 'the home'))
    expect(best.quotes[0]).toMatchObject({ text: 'the home', evidence: 0 })
    const own = found(0.4)
    expect(await searchByDictionary('Wo ist das Haus?', own, near, async () => found(0.3))).toBe(own)
  })

  const withWords = (held: number, near: number, asked: number): Retrieved => {
    const { quotes, ...rest } = found(0.3, 'Smoking is not allowed in vehicles.')
    return { ...rest, quotes: quotes.map((quote) => ({ ...quote, words: { held, near, asked } })) }
  }
  const evidenceFor = async (question: string, there: Retrieved, given: typeof dictionary) =>
    (await searchByDictionary(question, found(0), given, async () => there)).quotes[0]?.evidence ?? 0

  it('of nearly the same meaning answer where one sentence has the whole question', async () => {
    const near = { ...dictionary, othersOf: none, nearOf: async () => others }
    const question = 'Wie lange darf die Zigarette im Wagen glimmen?'
    expect(await evidenceFor('Was ist mit der Zigarette im Wagen?', withWords(2, 2, 2), near)).toBeGreaterThan(0.5)
    expect(await evidenceFor(question, withWords(2, 2, 2), near)).toBeLessThan(0.5)
    expect(await evidenceFor('Was ist mit der Zigarette im Wagen?', withWords(1, 2, 2), near)).toBeLessThan(0.5)
  })

  it('are believed less where half of the question is nowhere', async () => {
    const question = 'Wer hat die Bahn erfunden?'
    const [half, most] = [
      await evidenceFor(question, withWords(1, 1, 2), dictionary),
      await evidenceFor(question, withWords(2, 2, 3), dictionary),
    ]
    expect(most - half).toBeCloseTo(0.15)
  })

  it('leave the passages of the question where they find none', async () => {
    const own = found(0.2)
    expect(await searchByDictionary('Wo ist das Haus?', own, dictionary, async () => found(0))).toBe(own)
  })
})
