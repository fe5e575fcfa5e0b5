import { expect, it } from 'vitest'
import { LANGUAGES } from '#lexicon/languages.ts'
import { matchWhole, phrasesIn } from '#lexicon/match.ts'
import { execFirst, phrasePatterns } from '#lexicon/phrase-patterns.ts'

const whole = (list: readonly string[]) => phrasePatterns(list, (phrase) => `^${phrase}$`)

it.each([
  ['a choice', '(in|on) time', ['in time', 'On TIME']],
  ['a choice of parts of a word', 'bo(m|a) dia', ['bom dia', 'Boa dia']],
  ['a choice that may be left out', '[many |big ]*thanks', ['thanks', 'MANY big thanks']],
  [
    'a part that may be left out, at the start and within a word',
    '[i ]hope good[ ]bye[s]',
    ['hope goodbye', 'I hope good byes'],
  ],
  ['any letters on both sides', '~datum kost~', ['Lieferdatum kosten', 'datum kost']],
  ['apostrophes and signs', "it's 24/7, ok", ['it’s 24/7, OK']],
  ['letters beyond ASCII', 'grüß (dich|gott)', ['GRÜSS GOTT', 'Grüß Gott']],
])('%s fits what one pattern of the whole list fits', (_, phrase, texts) => {
  const fits = (text: string) => execFirst(whole([phrase])(text), text) !== null
  expect(texts.map(fits)).toEqual(texts.map((text) => matchWhole([phrase]).test(text)))
  expect(texts.some(fits)).toBe(true)
})

it('the first phrase of the list that fits is found', () => {
  const patterns = phrasePatterns(['thanks', 'thanks {whom}'], (phrase) => `^${phrase}`, { whom: '(.*)' })
  expect(patterns('thanks Ben').map((pattern) => pattern.exec('thanks Ben')?.[0])).toEqual(['thanks', 'thanks Ben'])
})

it('only phrases whose words a text has get a pattern', () => {
  const list = LANGUAGES.flatMap(({ requests }) => phrasesIn(requests?.courtesies))
  const patternsFor = phrasePatterns(list, (phrase) => phrase, { whom: 'x', rest: 'x', clause: 'x' })
  expect(patternsFor('From which pier does the ferry leave?')).toEqual([])
  expect(patternsFor('Hi Ben, much appreciated').length).toBeLessThan(8)
})

it('each phrase without free parts is found in itself', () => {
  const list = LANGUAGES.flatMap(({ requests, talk }) => [
    ...phrasesIn(requests?.courtesies),
    ...phrasesIn(talk?.farewells),
  ])
  const plain = list.filter((phrase) => !/[^\p{L}\p{N} ]/u.test(phrase))
  const patternsFor = whole(list.map((phrase) => phrase.replaceAll(/\{\w+\}/g, '')))
  expect(plain.length).toBeGreaterThan(20)
  expect(plain.filter((text) => execFirst(patternsFor(text), text) === null)).toEqual([])
})
