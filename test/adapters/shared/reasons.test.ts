import { expect, it } from 'vitest'
import { reasonsFor, toReason } from '#adapters/shared/reasons.ts'

it.each([
  [[], '', ''],
  [[], ' It is ten. ', ' It is ten. '],
  [['outdated', 'wrong'], '', 'wrong, outdated'],
  [['off topic'], '  ', 'off topic'],
  [['wrong', 'made up by a client'], 'It is ten.', 'wrong: It is ten.'],
])('ticked %j and typed %j is told as %j', (ticked, typed, told) => {
  expect(toReason(ticked, typed)).toBe(told)
})

it('boxes are in the language of who sees them, and their values in one', () => {
  const [german, english] = [reasonsFor('de-AT'), reasonsFor('pt-BR')]
  expect(german.options.map(({ value }) => value)).toEqual(english.options.map(({ value }) => value))
  expect([german.label, german.options[0]?.label]).toEqual(['Was trifft zu?', 'Sie stimmt nicht'])
  expect([english.label, english.options[0]?.label]).toEqual(['What applies?', 'It is wrong'])
})
