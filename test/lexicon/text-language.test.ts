import { expect, test } from 'vitest'
import { messageLanguage } from '#lexicon/text-language.ts'

test.each([
  ['Wie lange ist die Probezeit?', 'de'],
  ['was kostet es?', 'de'],
  ['Was steht im Vertrag?', 'de'],
  ['Was passiert danach?', 'de'],
  ['Urlaub mit Kindern und Hund', 'de'],
  ['Worauf muss ich achten?', 'de'],
  ['Wer arbeitet an Apollo?', 'de'],
  ['What is the notice period?', 'en'],
  ['Was payment received in time?', 'en'],
  ['is the MIT license fine?', 'en'],
  ['How many people die of it?', 'en'],
])('%s is %s', (text, language) => {
  expect(messageLanguage(text)).toBe(language)
})

test.each([
  '¿Cuál es el plazo?',
  'Prix du billet',
  'Combien coûte la location des salles ?',
  'MIT license?',
  'um resumo',
])('words that other languages have too make nothing German: %s', (text) => {
  expect(messageLanguage(text)).toBeUndefined()
})
