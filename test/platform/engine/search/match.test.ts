import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { matchChunk, matchTerms } from '#platform/engine/search/match.ts'
import { createRelations } from '#platform/engine/search/relations.ts'
import { analyseChunk } from '#platform/engine/search/score.ts'
import { numberOf, toRuns } from '#platform/engine/search/term-numbers.ts'
import { growsFaster } from '#test/support/growth.ts'

const ask = (terms: readonly string[], isUnknown = false) =>
  createRelations({
    concepts: terms.map((term) => ({ terms: [term], weight: 1, inflected: true, isUnknown })),
    pairs: [],
    language: 'en',
  })

function toChunk(headings: readonly string[], body: readonly string[]) {
  const [above, terms] = [Int32Array.from(headings, numberOf), Int32Array.from(body, numberOf)]
  return { above, terms, runs: toRuns([above, terms]) }
}

/** How often each run of four characters occurs in a text. */
function countRuns(text: string): Map<string, number> {
  const counts = new Map<string, number>()
  for (let at = 0; at + 4 <= text.length; at += 1) {
    const run = text.slice(at, at + 4)
    counts.set(run, (counts.get(run) ?? 0) + 1)
  }
  return counts
}

const word = fc.string({ unit: fc.constantFrom('a', 'b', 'ß', '漢'), minLength: 1, maxLength: 12 })
const words = (maxLength: number, minLength = 0) => fc.array(word, { minLength, maxLength })

describe('a chunk and a question', () => {
  it('have the runs in common that stand in its terms, one blank between them', () => {
    fc.assert(
      fc.property(words(5), words(3), words(40), (asked, headings, body) => {
        const own = new Set(asked.flatMap((term) => [...countRuns(` ${term} `).keys()]))
        const there = countRuns(` ${[...headings, ...body].join(' ')} `)
        const { runs } = matchChunk(ask(asked), toChunk(headings, body), 3)
        expect([...runs]).toEqual([...own].map((run) => there.get(run) ?? 0))
      }),
    )
  })

  it('have the relatives in common that a look at each term finds', () => {
    let found = 0
    fc.assert(
      fc.property(words(4, 1), words(6), (asked, others) => {
        const relations = ask(asked)
        // Words that begin as those of the question: random ones alone are seldom relatives.
        const chunk = toChunk([], [...others, ...asked.map((term) => `${term}ab`)])
        const { relatives } = matchChunk(relations, chunk, 3)
        expect(relatives).toEqual(matchTerms(relations, chunk.terms).relatives)
        found += relatives.reduce((sum, one) => sum + one, 0)
      }),
      { numRuns: 500 },
    )
    expect(found).toBeGreaterThan(0)
  })

  it('have no relatives and slips in common that stand in a heading alone', () => {
    const relations = ask(['maintenanc', 'alowanc'], true)
    const inBody = matchChunk(relations, toChunk([], ['maintenancefee', 'allowanc']), 3)
    expect([inBody.relatives[0], inBody.meant[1]]).toEqual([1, 1])
    const above = matchChunk(relations, toChunk(['maintenancefee', 'allowanc'], []), 3)
    expect([above.relatives[0], above.meant[1]]).toEqual([0, 0])
  })

  it('are compared in time that grows with the chunk, whatever the question', () => {
    const many = Array.from({ length: 500 }, (_, index) => `word${index * 7919}`)
    const relations = ask(many)
    expect(
      growsFaster(
        (text) => matchChunk(relations, analyseChunk({ headings: '', body: text, language: 'en' }, 0), 3),
        (length) => many.join(' ').repeat(9).slice(0, length),
      ),
    ).toBeUndefined()
  })
})
