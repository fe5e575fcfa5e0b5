/** Questions for a person: what a table says of things answers none of them. */
import { expect, it } from 'vitest'
import { readTables } from '#platform/engine/answer/tables/read-tables.ts'
import { answerFromTables } from '#platform/engine/answer/tables/table-answer.ts'

const REPAIRS = `## Repairs waiting

| Kite | Size | Damage | Hours | Who |
| --- | --- | --- | --- | --- |
| Heron | Small | bent spar | 3 | Ruth |
| Comet | Large | torn sail | 5 | Amos |
| Ray | Large | snapped keel | 7 | Amos |
`
const STAFF = `## Staff

| Name | Role | Hours per week | Hourly rate |
| --- | --- | --- | --- |
| Amos Thorne | Manager | 30 | 15.2 |
| Ruth Vale | Sailmaker | 20 | 13.4 |
| Ines Corby | Apprentice | 35 | 8.6 |
`
const KITES =
  '| Kite | Hours | Last flown |\n| --- | --- | --- |\n| Heron | 3 | 2026-01-04 |\n| Ray | 7 | 2026-05-02 |\n'
const OWNED = '| Kite | Owner | Price |\n| --- | --- | --- |\n| Heron | Ruth Vale | £30 |\n| Ray | Ines Corby | £90 |\n'
const OFFICERS =
  '| No. | Officer | Member | Hours |\n| --- | --- | --- | --- |\n| 1 | Clerk | Ruth | 4 |\n| 2 | Usher | Amos | 9 |\n'

const ask = (question: string, ...tables: readonly string[]) =>
  answerFromTables(
    question,
    tables.map((text, at) => ({ file: `file-${at}.md`, tables: readTables(text) })),
    question.startsWith('Wer') ? 'de' : 'en',
  )?.text ?? ''

it.each(['Who works the most hours?', 'Who has the most hours?', 'Wer arbeitet die meisten Stunden?'])(
  'a table whose rows are people answers, whichever file is found first: %s',
  (question) => {
    for (const tables of [
      [REPAIRS, STAFF],
      [STAFF, REPAIRS],
      [OFFICERS, STAFF],
    ])
      expect(ask(question, ...tables)).toMatch(/\*\*[^*]*Hours per week: 35 \(Ines Corby\)\*\*/)
  },
)

it.each([
  'Who works the most hours?',
  'Who flew last?',
  'Who was flown before March 2026?',
  'Wer hat die meisten Stunden?',
])('nothing is computed where a table has no people, or names one several times: %s', (question) => {
  expect(ask(question, KITES)).toBe('')
  expect(ask(question, REPAIRS)).toBe('')
})

it('the person is named, not the thing of the row', () => {
  expect(ask('Who has the most expensive kite?', OWNED)).toContain('**Highest Price: £90 (Ines Corby)**')
  expect(ask('Which kite is the most expensive?', OWNED)).toContain('**Highest Price: £90 (Ray)**')
})
