import { expect, it } from 'vitest'
import { isScattered, lacksOne, withWhole } from '#platform/engine/answer/quotes/whole.ts'

const toPassage = (body: string) => ({
  file: 'a.md',
  place: '',
  headings: [],
  lead: '',
  body,
  distance: 0,
  coverage: 1,
})
const toQuote = (text: string, [held, near, asked]: readonly [number, number, number]) => ({
  hit: 0,
  text,
  score: 1,
  coverage: 0.4,
  evidence: 0.2,
  words: { held, near, asked },
})
const found = (quote: ReturnType<typeof toQuote>) => ({
  passages: [toPassage(quote.text)],
  quotes: [quote],
  language: 'en',
  nothingIndexed: false,
})

it.each([
  ['all of its words', 'What happens to gratuities of customers?', 'Tips are shared by the crew.', [2, 2, 2], true],
  ['one word, and it is all', 'How do I renew my passport?', 'Passports must be valid.', [1, 1, 1], false],
  ['not all of its words', 'Which pieces are good for beginners?', 'Pianos are heavy.', [2, 2, 3], false],
  ['half of them, with the number', 'How high is the deposit for the church?', 'A deposit of £300.', [1, 2, 2], true],
  ['half of them, without a number', 'How high is the deposit for the church?', 'A deposit is due.', [1, 2, 2], false],
  ['half of them, and no kind is asked for', 'Can I smoke in the lorry?', 'The lorry is red.', [1, 2, 2], false],
  ['all of them, and nothing is asked', 'turnover per team?', 'The takings of the team.', [2, 2, 2], false],
] as const)('a sentence may answer that has %s', (_, question, text, words, answers) => {
  const whole = withWhole(question, found(toQuote(text, words)), false)
  expect((whole?.quotes[0]?.evidence ?? 0) >= 0.64).toBe(answers)
})

it.each([
  [[1, 3, 3], 'en', true],
  [[2, 3, 3], 'en', false],
  [[1, 2, 2], 'en', true],
  [[1, 1, 1], 'en', false],
  [[1, 3, 3], 'de', false],
] as const)('words of a question are scattered: %j, %s', (words, language, scattered) => {
  const text = 'The crate holds 80 litres and costs 14 pounds in the shop.'
  expect(isScattered(toQuote(text, words), toPassage(text), language)).toBe(scattered)
})

it.each([
  ['Is there a hospital?', [0, 0, 1], true],
  ['What is the speed of light?', [1, 1, 2], true],
  ['What is the speed of the line?', [2, 2, 2], false],
  ['What time do the crews meet at the yard?', [2, 2, 3], false],
] as const)('a passage lacks a word of the question: %s', (question, words, lacks) => {
  expect(lacksOne(toQuote(question, words), 'en')).toBe(lacks)
  expect(lacksOne(toQuote(question, words), 'de')).toBe(false)
})
