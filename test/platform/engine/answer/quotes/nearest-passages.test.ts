import { describe, expect, it } from 'vitest'
import { nearestPassages } from '#platform/engine/answer/quotes/nearest-passages.ts'

const toPassage = (body: string) => ({
  file: 'a.md',
  place: '',
  headings: [],
  lead: '',
  body,
  distance: 0,
  coverage: 1,
})
const toQuote = (hit: number, text: string, score: number) => ({ hit, text, score, coverage: score, evidence: 0 })
const asFound = (bodies: readonly string[], quotes: readonly ReturnType<typeof toQuote>[]) => ({
  passages: bodies.map(toPassage),
  quotes,
  language: 'en',
  nothingIndexed: false,
})
const shown = (question: string, found: ReturnType<typeof asFound>) =>
  nearestPassages(question, found, 3).map(({ body }) => body)

const VOLUNTEERS = `After ten shifts a volunteer receives a key. Volunteers below 16 work with an adult beside them at all times.
Travel costs are refunded for each shift up to a limit that the board sets in spring; hand in the ticket by the end of the month.`

describe('nearestPassages', () => {
  it('begins with the sentence that has most of the question, not with the passage', () => {
    const travel = /^Travel costs are refunded/
    const found = asFound([VOLUNTEERS], [toQuote(0, 'Travel costs are refunded for each shift up to a limit', 0.7)])
    expect(shown('Do I get my train fare back?', found)).toEqual([expect.stringMatching(travel)])
  })

  it('shows a second sentence of a passage, but no sentence twice', () => {
    const first = 'You get two sets of clothes.'
    const [below, far] = ['Wash them at home.', `Who brings us a colleague gets £250. ${'More of it. '.repeat(30)}`]
    const body = `${first} ${below} ${'We wear them at work each day of the week. '.repeat(5)}${far}`
    const quotes = [
      toQuote(0, first, 0.9),
      toQuote(0, below, 0.8),
      toQuote(0, 'Who brings us a colleague gets £250.', 0.7),
    ]
    const [one = '', two = '', ...more] = shown('What do I get for a friend?', asFound([body], quotes))
    expect([one.startsWith(`${first} ${below}`), two.startsWith('Who brings us'), more]).toEqual([true, true, []])
  })

  it('shows sentences that follow each other once, as one passage', () => {
    const [before, first, after] = ['It was built in 1884.', 'It is painted white.', 'Visitors climb 142 steps.']
    const quotes = [toQuote(0, first, 0.9), toQuote(0, before, 0.5), toQuote(0, after, 0.4)]
    const found = asFound([`${before} ${first} ${after}`], quotes)
    expect(shown('Who painted it?', found)).toEqual([`${before} ${first} ${after}`])
  })

  it('ends before a stretch that is shown already, where both are too long for one', () => {
    const [before, first] = [`It was built ${'by the harbour council '.repeat(6)}in 1884.`, 'It is painted white.']
    const body = `${before} ${first} ${'Visitors climb the steps. '.repeat(9)}`
    const [one = '', ...more] = shown(
      'Who painted it?',
      asFound([body], [toQuote(0, first, 0.9), toQuote(0, before, 0.5)]),
    )
    expect([one.startsWith(first), more]).toEqual([true, [before]])
  })

  it('shows a text that two files have once', () => {
    const found = asFound(['One. It is white.', 'It is white.'], [toQuote(1, 'It is white.', 0.5)])
    expect(shown('Which colour?', found)).toEqual(['It is white.'])
  })

  it('puts a sentence with the kind of fact before one without', () => {
    const quotes = [toQuote(0, 'The fee is paid to the secretary.', 0.7), toQuote(1, 'The fee is £40.', 0.6)]
    const found = asFound(['The fee is paid to the secretary.', 'The fee is £40.'], quotes)
    expect(shown('How much is the fee?', found)).toEqual(['The fee is £40.', 'The fee is paid to the secretary.'])
  })

  it('shows a passage without such a sentence as it is', () => {
    expect(shown('When?', asFound(['One.', 'Two.'], [toQuote(1, 'Two.', 0.5)]))).toEqual(['Two.', 'One.'])
  })
})
