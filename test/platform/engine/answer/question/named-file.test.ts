import { expect, it } from 'vitest'
import { namedFile } from '#platform/engine/answer/question/named-file.ts'

const FILES = ['Hire agreement Saltmarsh.docx.md', 'hire log 2026.csv.md', 'Handbook.pdf.md', 'scan_0047.jpg.md']
const passages = FILES.map((file) => ({ file, place: '', headings: [], lead: '', body: '', distance: 0, coverage: 1 }))

it.each([
  ['What is the weekly hire charge in the agreement with Saltmarsh Pictures?', FILES[0]],
  ['Which hires in the log are late?', FILES[1]],
  ['What is the weekly hire charge of Saltmarsh?', undefined],
  ['What does the handbook say about leave?', undefined],
  ['Is the hire agreement with Saltmarsh in the log?', undefined],
  ['What is on the scan?', undefined],
])('a file is named by all words of its name: %s', (question, file) => {
  expect(namedFile(question, passages)).toBe(file)
})
