import { expect, it } from 'vitest'
import { LANGUAGES } from '#lexicon/languages.ts'
import { matchPart, matchStart, matchWhole, matchWithin, oneOf, phrasesIn } from '#lexicon/match.ts'

it.each([
  ['a choice', '(in|on) time', ['in time', 'On Time'], ['time']],
  ['a part that may be left out', 'thank[s][ you| a lot]', ['thank you', 'thanks', 'thanks a lot'], ['thank lot']],
  ['a part that stands as often as it likes', 'danke[ dir| sehr]*', ['danke', 'danke dir sehr'], ['danke mir']],
  ['any letters', 'kost~', ['kost', 'Kosten'], ['kost4', 'unkosten']],
  ['white space and apostrophes of any kind', "it's  ok", ['it’s\tok', "it's ok"], ['its ok']],
  ['signs of a pattern, which mean themselves', 'p. $5?', ['P. $5?'], ['px $5', 'p. $']],
])('%s', (_, phrase, fitting, others) => {
  const pattern = matchWhole([phrase])
  expect(fitting.filter((text) => !pattern.test(text))).toEqual([])
  expect(others.filter((text) => pattern.test(text))).toEqual([])
})

it('a part has the pattern that is given for it, and must have one', () => {
  expect(matchWhole(['open {file} now'], { file: '(.+)' }).exec('open plan.pdf now')?.[1]).toBe('plan.pdf')
  expect(() => oneOf(['open {file}'])).toThrow('{file}')
})

it('a phrase ends where a letter follows', () => {
  expect(matchWithin(['und']).test('Hund und Katze')).toBe(true)
  expect(matchWithin(['und']).test('Hund')).toBe(false)
  expect(matchStart(['and']).test(' and then')).toBe(true)
  expect(matchStart(['and']).test('android')).toBe(false)
  expect(matchPart(['~datum~', 'tag']).test('lieferdatum')).toBe(true)
  expect(matchPart(['~datum~', 'tag']).test('tagung')).toBe(false)
})

it('a language without a list has no phrases, and no phrase fits nothing', () => {
  expect(phrasesIn(undefined)).toEqual([])
  expect(matchWhole([]).test('')).toBe(false)
})

it('every phrase of every language can be read', () => {
  const slots = new Proxy({}, { get: () => 'x' })
  const textsOf = (value: unknown): readonly string[] =>
    typeof value === 'string' ? [value] : Object.values(value as object).flatMap(textsOf)
  const all = LANGUAGES.flatMap(textsOf).flatMap(phrasesIn)
  expect(all.length).toBeGreaterThan(2000)
  expect(all.filter((phrase) => matchWhole([phrase], slots) === undefined)).toEqual([])
  // Brackets that may stand as often as they like are `[` and `]`.
  expect(all.filter((phrase) => phrase.includes(')*'))).toEqual([])
})
