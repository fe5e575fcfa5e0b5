import { describe, expect, it } from 'vitest'
import { addOtherWords, searchInOtherWords } from '#platform/engine/answer/other-words.ts'
import type { Retrieved } from '#platform/engine/api/retrieve.ts'

const passage = { file: 'a.md', place: 'L1', headings: [], lead: '', body: 'x', distance: 0, coverage: 1 }

const passageAt = (file: string, place: string) => ({ ...passage, file, place })

const found = (evidence: number, text = ''): Retrieved => ({
  passages: evidence === 0 ? [] : [passage],
  quotes: [{ hit: 0, text, score: evidence, coverage: 1, evidence }],
  language: 'en',
  nothingIndexed: false,
})

/** A search that finds what it is asked for by any of these patterns. */
function searching(evidence: readonly (readonly [pattern: RegExp, evidence: number])[]) {
  const asked: string[] = []
  const search = async (question: string) => {
    asked.push(question)
    return found(evidence.find(([pattern]) => pattern.test(question))?.[1] ?? 0, question)
  }
  return { asked, search }
}

describe('other words', () => {
  it.each([
    ['How much vacation do I have?', /annual leave/, 'How much annual leave do I have?'],
    ['Wie viele Ferien habe ich?', /erholungsurlaub/, 'Wie viele erholungsurlaub habe ich?'],
    ['When do I need a doctor’s note?', /medical certificate/, 'When do I need a medical certificate?'],
    ['Can I work from Spain?', /another country/, 'Can I work from another country?'],
    ['How do I quit my job?', /\bresign\b/, 'How do I resign?'],
    ['Wie kündige ich?', /notice period/, 'Wie notice period ich?'],
    // A word that means several things is looked for as each of them.
    ['How do we cancel the contract?', /terminate/, 'How do we terminate the contract?'],
    ['What do we pay Kessler?', /\bfee\b/, 'What do we fee Kessler?'],
    ['What is it per year?', /annual/, 'What is it annual?'],
    ['Wo ist die Weihnachtsfeier?', /betriebsfeier/, 'Wo ist die betriebsfeier?'],
    ['Wie lange werden Backups aufgehoben?', /kept/, 'Wie lange werden Backups kept?'],
  ])('that offices use find what the question’s own do not: %s', async (question, there, wording) => {
    const { search } = searching([[there, 0.8]])
    const best = await searchInOtherWords(question, found(0.2), search)
    expect(best.quotes[0]?.text).toBe(wording)
  })

  it('are looked for by words alone: each vector is a request to the model', async () => {
    const { asked, search } = searching([[/annual leave/, 0.8]])
    const words = searching([[/annual leave/, 0.8]])
    const best = await searchInOtherWords('How much vacation do I have?', found(0.2), search, words.search)
    expect(best.quotes[0]?.text).toBe('How much annual leave do I have?')
    expect(asked).toEqual(['How much annual leave do I have?'])
    expect(words.asked.length).toBeGreaterThan(1)
  })

  it('are believed a little less, since they may mean something else', async () => {
    const { search } = searching([[/annual leave/, 0.8]])
    const best = await searchInOtherWords('How much vacation do I have?', found(0.2), search)
    expect(best.quotes[0]?.evidence).toBeCloseTo(0.77)
  })

  it('are not looked for where the own words find enough, or are none of an office', async () => {
    const { asked, search } = searching([[/annual leave/, 1]])
    const own = found(0.96)
    expect(await searchInOtherWords('How much vacation?', own, search)).toBe(own)
    await searchInOtherWords('Who painted the Mona Lisa?', found(0.1), search)
    await searchInOtherWords(`vacation ${'x'.repeat(600)}`, found(0.1), search)
    expect(asked).toEqual([])
  })

  it('of another language are looked for only where those of the question find nothing', async () => {
    const there = [[/annual leave/, 1.4]] as const
    const own = found(0.8)
    expect(await searchInOtherWords('Wann muss ich Urlaub beantragen?', own, searching(there).search)).toBe(own)
    const best = await searchInOtherWords('Wann muss ich Urlaub beantragen?', found(0.2), searching(there).search)
    expect(best.quotes[0]?.text).toMatch(/annual leave/)
    // `Laptop` is German, too.
    const both = searching([[/Rechner|rechner/, 1.4]])
    expect((await searchInOtherWords('Wo ist der Laptop?', own, both.search)).quotes[0]?.text).toMatch(/rechner/)
  })

  it('outdo an answer of the own words only by far, and are bounded', async () => {
    const own = found(0.7)
    const near = searching([[/annual leave/, 0.8]])
    expect(await searchInOtherWords('How much vacation?', own, near.search)).toBe(own)
    const all = searching([[/./, 0.1]])
    await searchInOtherWords('vacation salary pension laptop supplier dog', found(0.1), all.search)
    expect(all.asked.length).toBeLessThan(80)
  })

  it('give a model the best passages of both, each once', async () => {
    const own = { ...found(0.1), passages: [passageAt('a.md', 'L1'), passageAt('a.md', 'L2')] }
    const other = { ...found(0.8), passages: [passageAt('b.md', 'L9'), passageAt('a.md', 'L1')] }
    const search = async (question: string) => (question.includes('annual leave') ? other : own)
    const read = await addOtherWords('How much vacation?', own, search)
    expect(read.passages.map(({ file, place }) => `${file} ${place}`)).toEqual(['b.md L9', 'a.md L1'])
    expect(await addOtherWords('Who painted the Mona Lisa?', own, search)).toBe(own)
    const all = await addOtherWords('How much vacation?', own, async () => own)
    expect(all).toBe(own)
  })

  it('keep each passage of one page', async () => {
    const page = ['x', 'y', 'z'].map((body) => ({ ...passageAt('a.pdf', 'p.1'), body }))
    const { search } = searching([[/annual leave/, 0.8]])
    const read = await addOtherWords('How much vacation?', { ...found(0.1), passages: page }, search)
    expect(read.passages.map(({ file, body }) => `${file} ${body}`)).toEqual(['a.md x', 'a.pdf x', 'a.pdf y'])
  })
})

describe('other words are no answer', () => {
  it.each([
    ['What is the price of gold?', /\bfee\b/, /gold/],
    ['Wer hat die Bahn erfunden?', /\bzug\b/, /erfunden/],
  ])('where the files have nothing else of the question: %s', async (question, other, rest) => {
    const least = 0.7
    const without = searching([[other, least]])
    const having = searching([
      [other, least],
      [rest, 0.4],
    ])
    const none = await searchInOtherWords(question, found(0.2), without.search)
    const some = await searchInOtherWords(question, found(0.2), having.search)
    expect(none.quotes[0]?.evidence).toBeLessThan(0.56)
    expect(some.quotes[0]?.evidence).toBeGreaterThan(0.64)
  })

  it('in a language that has none of its own: French pays is not pay', async () => {
    const french = { ...found(0.2), language: 'fr' }
    const { search } = searching([[/./, 0.9]])
    expect(await searchInOtherWords('Quel pays est le plus grand ?', french, search)).toBe(french)
  })
})
