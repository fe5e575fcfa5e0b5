import { expect, it } from 'vitest'
import { hasNoReason, isAboutAnother, toAskedLines } from '#platform/engine/answer/quotes/fit-quotes.ts'
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
const toQuote = (text: string, evidence = 1) => ({ hit: 0, text, score: evidence, coverage: 1, evidence })

it.each([
  ['What is the salary of Vera Holt?', true],
  ['Wie hoch ist das Gehalt von Vera Holt?', true],
  ['What is the phone number of Vera Holt?', false],
  ['What is the salary of a welder?', false],
  ['Who is Vera Holt?', false],
])('sentences with a name answer no question for something that is nowhere: %s', (question, isOther) => {
  expect(isAboutAnother(question, [toPassage('Written by Vera Holt, phone 0117.')])).toBe(isOther)
})

it('the word has to be in a passage with the name', () => {
  const passages = [toPassage('Written by Vera Holt.'), toPassage('Phone of the gate: 0117.')]
  expect(isAboutAnother('What is the phone number of Vera Holt?', passages)).toBe(true)
})

it('another word for it is enough', () => {
  expect(isAboutAnother('What is the salary of Vera Holt?', [toPassage('The pay of Vera Holt is 3,000.')])).toBe(false)
})

const FORM = `Machine: hoist Verlinde, serial number 88-4417
Place: Unit 6, Kiln Yard, Bristol
Inspected on 14 August 2026 by R. Pemberton, Avon Lifting Ltd`

it('of a form the lines are quoted that have words of the question', () => {
  const quote = toQuote(FORM.replaceAll('\n', ' '))
  expect(toAskedLines('Who inspected the lift?', quote, FORM).text).toBe(
    'Inspected on 14 August 2026 by R. Pemberton, Avon Lifting Ltd',
  )
  expect(toAskedLines('Who painted it?', quote, FORM)).toBe(quote)
})

it('a sentence over several lines stays whole', () => {
  const text =
    'The machine was inspected last summer by the company\nthat has looked after all of our hoists for many years, and\nit may be used again.'
  const quote = toQuote(text.replaceAll('\n', ' '))
  expect(toAskedLines('Who inspected it?', quote, text)).toBe(quote)
})

it.each([
  ['Why was the camp dropped?', 'The camp was dropped because the hostel has closed.', '', false],
  ['Why was the camp dropped?', 'The camp was dropped.', ' The reason is the price.', false],
  ['Why was there no report?', 'Damage to my piano, job of 11 September.', ' Who hides damage gets a warning.', true],
  ['Where is the defibrillator?', 'The defibrillator hangs left of the door, in the shower block.', '', false],
  ['Where do we gather?', 'Go to the assembly point: the old cattle dock.', '', false],
  ['Where do we practise?', 'The boiler broke down on Tuesday.', '', true],
  ['Where is V-01?', '| V-01 | Cathedral |', '', false],
  ['How is it?', 'It broke down.', '', false],
])('a reason or a place has to be told: %s %s%s', (question, text, more, isMissing) => {
  expect(hasNoReason(question, text, toPassage(`${text}${more}`))).toBe(isMissing)
})
