import { expect, it } from 'vitest'
import { ownPart, withOwnWords } from '#platform/engine/answer/quotes/own-words.ts'
import type { Passage } from '#platform/engine/api/retrieve.ts'

const toPassage = (body: string): Passage => ({
  file: 'report.pdf.md',
  place: 'p.1',
  headings: [],
  lead: '',
  body,
  distance: 0.2,
  coverage: 1,
})
const toQuote = (text: string, evidence = 1, hit = 0) => ({ hit, text, score: evidence, coverage: 1, evidence })

const REPORT = 'The next test is due in May. Cost of this test: 185 pounds. The lift may be used.'
const found = (...quotes: readonly ReturnType<typeof toQuote>[]) => ({
  passages: [REPORT, 'Students pay £22.'].map(toPassage),
  quotes,
  language: 'en',
  nothingIndexed: false,
})

it('a question that goes on from another one is answered by sentences with its own words', () => {
  const quotes = [toQuote('The next test is due in May.'), toQuote('Cost of this test: 185 pounds.', 0.4)]
  expect(withOwnWords('And what did it cost?', found(...quotes)).quotes).toEqual([{ ...quotes[1], evidence: 1 }])
  expect(withOwnWords('And who pays?', found(...quotes)).quotes).toEqual(quotes)
})

it('sentences of other passages answer it where they have its words and the kind of fact', () => {
  const quotes = [toQuote('A key costs £5.'), toQuote('Students pay £22.', 0.4, 1)]
  expect(withOwnWords('How much is it for students?', found(...quotes)).quotes).toEqual([{ ...quotes[1], evidence: 1 }])
  expect(withOwnWords('Who tells the students?', found(...quotes)).quotes).toEqual(quotes)
  expect(withOwnWords('How long does it take?', found(...quotes)).quotes).toEqual(quotes)
})

it.each([
  ['And families?\n\nAnd families? fee month', 'And families?'],
  ['And families?\n\nWho pays?', undefined],
  ['And families?', undefined],
])('the own part of a message is what it says twice: %j', (message, own) => {
  expect(ownPart(message)).toBe(own)
})
