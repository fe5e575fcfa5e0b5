import { expect, it } from 'vitest'
import { hasNoName, lacksNumbered } from '#platform/engine/answer/quotes/named.ts'

const PASSAGE = {
  file: 'lorries.md',
  place: 'L1',
  headings: ['Colossus'],
  lead: '',
  body: 'The lorry holds 46 cubic metres. Otis Palmer drives it.',
  distance: 0.2,
  coverage: 1,
}

it.each([
  ['How many cubic metres fit into Magnus?', 'en', true],
  ['What did we charge Metcalfe for the move?', 'und', true],
  ['How many cubic metres fit into Colossus?', 'en', false],
  ['Does Otis drive for Metcalfe?', 'en', false],
  ['How many cubic metres fit into Collosus?', 'en', false],
  ['How many cubic metres are there? Thanks, Kirsty', 'en', false],
  ['how many cubic metres are there Many thanks in advance, Kirsty', 'en', false],
  ['May I drive it to York?', 'en', false],
  ['Is it on TV?', 'en', false],
  ['Wie viele Kubikmeter passen in den Anhänger?', 'de', false],
  ['how many cubic metres fit into magnus', 'en', false],
])('a passage without any name of the question is about others: %s', (question, language, expected) => {
  expect(hasNoName(question, language, PASSAGE)).toBe(expected)
})

it.each([
  ['What is the rate of the Alexa 65?', true],
  ['What is the rate of the Alexa 35?', false],
  ['When is Bay 6 ready?', false],
  ['Who sang at Super Bowl 50?', false],
  ['What happened on May 14?', false],
  ['Was ist in Raum 7?', false],
])('a numbered thing is no other one: %s', (question, lacks) => {
  const passages = [{ ...PASSAGE, body: '| Alexa 35 body | Bay 06 | 65.00 |' }]
  expect(lacksNumbered(question, { passages, quotes: [], language: 'en', nothingIndexed: false })).toBe(lacks)
})
