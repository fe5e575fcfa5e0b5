import { expect, it } from 'vitest'
import { holdingFirst } from '#platform/engine/answer/quotes/holding-first.ts'
import type { Passage } from '#platform/engine/api/retrieve.ts'

const toPassage = (body: string, lead = ''): Passage => ({
  file: 'notes.md',
  place: 'L1',
  headings: [],
  lead,
  body,
  distance: 0.2,
  coverage: 1,
})

const toQuote = (text: string, coverage: number) => ({ hit: 0, text, score: coverage, coverage, evidence: 1 })

/** Texts of the quotes in their new order. */
function ordered(question: string, texts: readonly string[], passage = toPassage(texts.join('\n'))): readonly string[] {
  const quotes = texts.map((text, at) => toQuote(text, 1 - at / 20))
  const found = { passages: [passage], quotes, language: 'en', nothingIndexed: false }
  return holdingFirst(question, found).map(({ text }) => text)
}

it.each([
  ['Who do I ask about the waiting list?', 'Waiting list: 63 boats', 'Waiting list: Rhona Keir'],
  ['And who signs the waiting list?', 'The waiting list is long.', 'Every waiting list is signed by the secretary.'],
  ['Who hands out the keys?', 'The keys are handed out.', 'Keys are handed out by Tom Reyes.'],
  ['When did Greta Holm join?', 'Rooms: Greta Holm', '| Greta Holm | 2015-04-20 |'],
  ['Until when is the hall cold?', 'If you have a cold, stay away.', 'The hall stays cold until 30 November.'],
  ['What is the weekly hire charge?', 'Hire of 9 February, Unit 4', 'The hire charge is £6,850.'],
  ['What is the rent for Unit 4?', '| Unit 4 | 18 March |', 'Rent is 300 euros.'],
  ['When are the wages paid?', 'Wages of singers under 26 are paid.', 'Wages are paid on the 24th.'],
  ['How many boats are in room R13?', 'R13 is used for boats.', 'Room 13 holds twelve boats.'],
  ['How many guests came in 2025?', 'Guests of the season 2025/26', '2000 guests came.'],
  ['What is the deposit for the key?', 'The deposit is for the key.', 'The deposit for the key is 30 pounds.'],
  ['What was the serial number of the hoist?', 'Invoice number 10862 of the hoist', 'Hoist, serial no. TH35-0917'],
  ['Wann wird der Lohn gezahlt?', 'Der Lohn wird gezahlt.', 'Der Lohn wird am Freitag gezahlt.'],
  ['Wie viele Boote gibt es?', 'Es gibt Boote.', 'Es gibt zwölf Boote.'],
  ['Wie viele Tage Urlaub gibt es?', 'Jeder Tag Urlaub wird beantragt.', 'Es gibt 28 Tage Urlaub.'],
  ['Wie oft wird geprüft?', 'Die Prüfung ist wichtig.', 'Geprüft wird jede Woche.'],
])('the sentence with the kind of fact in question is quoted first: %s', (question, best, holding) => {
  expect(ordered(question, [best, holding])).toEqual([holding, best])
  expect(ordered(question, [holding, best])).toEqual([holding, best])
  expect(ordered(question, [best])).toEqual([])
})

it.each([
  ['When the alarm rings, where do we meet?', 'We meet at the lamp post.'],
  ['Where is the key?', 'The key is in the box.'],
  ['Who decides?', 'Piotr decides.'],
  ['When does it happen?', 'It happens when the wind turns.'],
])('other questions are left as they are: %s', (question, best) => {
  expect(ordered(question, [best, 'Freya Munro, 12 May, 30 pounds'])[0]).toBe(best)
})

it('a sentence about somebody is quoted with the one that names them', () => {
  const body = 'The lamps failed. Gregor found the cause. He will change the lamps on Friday.'
  const texts = ['The lamps failed.', 'He will change the lamps on Friday.']
  expect(ordered('Who changes the lamps?', texts, toPassage(body))).toEqual([
    'Gregor found the cause. He will change the lamps on Friday.',
    'The lamps failed.',
  ])
})

it('a row has the names of its columns', () => {
  const row = '| Falmouth | +44 1326 555 0177 |'
  const passage = toPassage(row, '| Warehouse | Phone |\n| --- | --- |\n')
  expect(ordered('What is the phone number of Falmouth?', [row], passage)).toEqual([row])
})

it('a sentence that covers little of the question is no answer, whatever it holds', () => {
  const passages = [toPassage('')]
  const [best, other] = ['Wages are paid.', 'The tour begins on 2 May.']
  const quotes = [toQuote(best, 0.8), toQuote(other, 0.2)]
  expect(holdingFirst('When are wages paid?', { passages, quotes, language: 'en', nothingIndexed: false })).toEqual([])
})
