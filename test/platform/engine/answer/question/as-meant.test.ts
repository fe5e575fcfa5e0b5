import { describe, expect, it } from 'vitest'
import { asMeant } from '#platform/engine/answer/question/as-meant.ts'

const passage = { file: 'hire.md', place: 'L1', headings: [], lead: '', distance: 0, coverage: 1 }
const mend = (question: string, ...bodies: readonly string[]) =>
  asMeant(question, {
    passages: bodies.map((body) => ({ ...passage, body })),
    quotes: [],
    language: 'en',
    nothingIndexed: false,
  })

describe('a question is read as it is meant', () => {
  it.each([
    ['wehn is the depsoit paid back', 'when is the deposit paid back'],
    ['how mcuh is a gaint lantern', 'how much is a giant lantern'],
    ['waht is the averge deposit', 'what is the average deposit'],
  ])('%s', (typed, meant) => {
    expect(mend(typed, 'The deposit for a giant lantern is paid back in May.')).toBe(meant)
  })

  it.each([
    'Which lanterns have deposits?',
    'Is there a form for it?',
    'How many days of annual leave are there?',
    'What does Mayr pay?',
  ])('%s stays as it is', (typed) => {
    expect(mend(typed, 'The deposit for a giant lantern is paid from May, by this form. Major works follow.')).toBe(
      typed,
    )
  })

  it('stays as it is where no passage was found', () => {
    expect(mend('wehn is the depsoit paid back')).toBe('wehn is the depsoit paid back')
  })
})
