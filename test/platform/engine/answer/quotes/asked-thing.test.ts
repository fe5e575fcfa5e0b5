import { expect, it } from 'vitest'
import { isOneOfSum } from '#platform/engine/answer/quotes/asked-kind.ts'
import { hasNoThing } from '#platform/engine/answer/quotes/asked-thing.ts'

const PASSAGE = {
  file: 'handbook.md',
  place: 'L1',
  headings: ['Joining'],
  lead: '',
  body: 'Come to the induction morning in the mess room, where the kettle and the fridge are. The fee is 28 pounds.',
  distance: 0.2,
  coverage: 1,
}

it.each([
  ['what is the wifi password in the mess room?', 'en', true],
  ['What colour is the mess room?', 'en', false],
  ['What is the price for joining?', 'en', false],
  ['What is the induction in the mess room?', 'en', false],
  ['What is the inducton in the mess room?', 'en', false],
  ['Wie lautet das Kennwort im Aufenthaltsraum?', 'de', false],
  ['Is there a password in the mess room?', 'en', false],
])('a passage without a word for the thing in question, in its language, says something else: %s', (...given) => {
  const [question, language, expected] = given
  expect(hasNoThing(question, language, PASSAGE)).toBe(expected)
})

const ROWS = { ...PASSAGE, lead: '| Train | Seats |\n|---|---|\n', body: '| Gala | 287 |\n| Total | 1871 |' }

it.each([
  ['How many seats were sold altogether?', '| Gala | 287 |', true],
  ['What share of the seats was sold?', '| Gala | 287 |', true],
  ['How many seats were sold altogether?', '| Total | 1871 |', false],
  ['How many seats were sold for the Gala?', '| Gala | 287 |', false],
  ['How many seats are there in total?', 'There are 300 seats.', false],
])('a row is no answer to a question that adds up rows, unless it is a sum: %s %s', (question, text, expected) => {
  expect(isOneOfSum(question, text, ROWS)).toBe(expected)
})
