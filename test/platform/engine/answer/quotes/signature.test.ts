import { expect, it } from 'vitest'
import { answerFromPassages } from '#platform/engine/answer/extractive.ts'
import type { Passage } from '#platform/engine/api/retrieve.ts'

const toPassage = (body: string): Passage => ({
  file: 'letter.docx.md',
  place: '',
  headings: [],
  lead: '',
  body,
  distance: 0.2,
  coverage: 1,
})

/** The answer where the best sentence is the one about the letter. */
function answer(question: string, ...bodies: readonly string[]): string {
  const quotes = [
    { hit: 0, text: 'Dear Ms Feltham, the letter is about the roof.', score: 1, coverage: 1, evidence: 1 },
  ]
  const found = { passages: bodies.map(toPassage), quotes, language: 'en', nothingIndexed: false }
  return answerFromPassages(question, found, true).text
}

const LETTER = 'Dear Ms Feltham, the letter is about the roof.'

it.each([
  ['Who signed the letter?', 'Yours faithfully\n\nImogen Strake, planning officer', 'Imogen Strake, planning officer'],
  ['who wrote the letter about the roof', 'Kind regards,\nStuart Bligh\nHarlow Fuels', 'Stuart Bligh Harlow Fuels'],
  ['Wer hat den Brief geschrieben?', 'Mit freundlichen Grüßen\n\nJens Petersen', 'Jens Petersen'],
])('a question for who signed is answered with the name at the end: %s', (question, closing, name) => {
  expect(answer(question, `${LETTER}\n\n${closing}\n`)).toContain(`> ${name} [`)
  expect(answer(question, LETTER, closing)).toContain(`> ${name} [`)
})

it('other questions, and letters without a name below, are answered with sentences', () => {
  expect(answer('What is the letter about?', `${LETTER}\n\nYours sincerely\nIda Moe`)).not.toContain('> Ida Moe')
  expect(answer('Who signed the letter?', `${LETTER}\n\nWe send our best wishes to all.`)).toContain('about the roof')
})
