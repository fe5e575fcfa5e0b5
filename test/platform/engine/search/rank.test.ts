import { expect, it } from 'vitest'
import { toQuestion } from '#platform/engine/search/question.ts'
import { type ChunkRow, rankRows } from '#platform/engine/search/rank.ts'
import type { AnalysedChunk } from '#platform/engine/search/score.ts'
import { forgetTerms, toTermNumbers } from '#platform/engine/search/term-numbers.ts'

function quotesOf(text: string, body: string): readonly string[] {
  const question = toQuestion(text, ['en'], { total: 1, found: () => 1 })
  const chunk = { name: 'a.md', language: 'en', body, lead: '', headings: '[]', page: 1, lineFrom: 1, lineTo: 9 }
  const rows = [{ id: 1, fileId: 1, revision: 1, ...chunk }]
  const { quotes } = rankRows(question, { total: 1, averageTerms: 10 }, rows, undefined, {
    question: text,
    limit: 3,
    quotes: true,
  })
  return quotes.map((quote) => quote.text)
}

it('quotes neither headings nor heads and feet of pages', () => {
  const body = '## 4. Maintenance fee\n\nThe maintenance costs 400 euros.\n\nMaintenance agreement of Kessler Page 1\n'
  expect(quotesOf('What does the maintenance cost?', body)).toEqual(['The maintenance costs 400 euros.'])
  expect(
    quotesOf('Maintenance?', 'Maintenance plan, Seite 3 von 12\n\nIt is on page 7 of the maintenance book.'),
  ).toEqual(['It is on page 7 of the maintenance book.'])
})

it('reads a chunk anew that it remembers by terms which were forgotten', () => {
  const text = 'What does the maintenance cost?'
  const question = toQuestion(text, ['en'], { total: 1, found: () => 1 })
  const body = 'The maintenance costs 400 euros. It is paid in May.'
  const chunk = { name: 'a.md', language: 'en', body, lead: '', headings: '["Fees"]', page: 1, lineFrom: 1, lineTo: 9 }
  const remembered = new Map<number, AnalysedChunk>()
  const recall = (row: ChunkRow, make: (row: ChunkRow) => AnalysedChunk) => {
    const known = remembered.get(row.id) ?? make(row)
    remembered.set(row.id, known)
    return known
  }
  const rank = () =>
    rankRows(
      question,
      { total: 1, averageTerms: 10, recall },
      [{ id: 1, fileId: 1, revision: 1, ...chunk }],
      undefined,
      { question: text, limit: 3, quotes: true },
    )
  const before = rank()
  const generation = forgetTerms()
  for (let at = 0; at < 60_000; at += 1000) {
    toTermNumbers(Array.from({ length: 1000 }, (_, word) => `x${at + word}`).join(' '), 'en')
  }
  expect(rank()).toEqual(before)
  expect(forgetTerms()).toBeGreaterThan(generation)
})

it('quotes no head of a table, which names columns', () => {
  const body = '| Item | Maintenance fee |\n| --- | --- |\n| Lift | 400 |\n\nThe maintenance fee is paid in May.'
  expect(quotesOf('What is the maintenance fee of an item?', body)).not.toContain('| Item | Maintenance fee |')
})

it('quotes a paragraph that was taken for the head of a table', () => {
  const row = '| Maintenance of the hoist, serial number TH35 |  |  |'
  const body = `${row}\n| --- | --- | --- |\n| Pump | 1 | 400 |`
  expect(quotesOf('What is the serial number of the hoist?', body).map((text) => text.split(' |')[0])).toContain(
    row.split(' |')[0],
  )
})

it('asks for more evidence where a larger collection holds more of a question by chance', () => {
  const text = 'What does the maintenance cost?'
  const evidenceAt = (total: number) => {
    const question = toQuestion(text, ['en'], { total: 240, found: () => 1 })
    const chunk = { name: 'a.md', language: 'en', body: 'The maintenance costs 400.', lead: '', headings: '[]' }
    const row = { id: 1, fileId: 1, revision: 1, ...chunk, page: 1, lineFrom: 1, lineTo: 9 }
    const request = { question: text, limit: 3, quotes: true }
    return rankRows(question, { total, averageTerms: 10 }, [row], undefined, request).quotes[0]?.evidence ?? 0
  }
  expect(evidenceAt(240) - evidenceAt(8_339)).toBeGreaterThan(0.05)
  expect(evidenceAt(8_339)).toBeGreaterThan(evidenceAt(100_000))
})
