import { expect, test } from 'vitest'
import { answerFromPassages } from '../../../../src/platform/engine/answer/extractive.ts'
import type { Passage } from '../../../../src/platform/engine/api/retrieve.ts'

const passage: Passage = {
  file: 'prices.csv.md',
  place: 'L1',
  headings: [],
  lead: '',
  body: '| item | price |\n| --- | --- |\n| soup | 4.20 |',
  distance: 0.25,
  coverage: 1,
}

const quoteOf = (text: string) => {
  const quote = { hit: 0, text, score: 1, coverage: 1, evidence: 1 }
  return answerFromPassages('What does it cost?', {
    language: 'en',
    nothingIndexed: false,
    passages: [passage],
    quotes: [quote],
  }).text
}

test.each([
  ['| soup | 4.20 |', '> item: soup · price: 4.20 [RREF1]'],
  ['| bread | 1.10 |', '> bread · 1.10 [RREF1]'],
  [String.raw`| white \| red |  | 7 |`, '> white | red · 7 [RREF1]'],
  ['A ticket | costs twelve.', '> A ticket | costs twelve. [RREF1]'],
])('a row of a table is quoted without its lines: %j', (text, expected) => {
  expect(quoteOf(text)).toContain(`${expected}\n`)
})
