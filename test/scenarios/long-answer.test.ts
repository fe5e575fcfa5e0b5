import { expect } from 'vitest'
import { scenario } from './scenario.ts'

let serial = 0
/** A mark that occurs once, so that nothing can be lost, doubled or moved unseen. */
const mark = () => `M${String((serial += 1)).padStart(4, '0')}`

const paragraph = () =>
  `The harbour office notes under ${mark()} that boats, people and goods pass the pier in good order, and ends with ${mark()}.`

const lines = (count: number, line: () => string) => Array.from({ length: count }, line).join('\n')

const code = (count: number) =>
  `\`\`\`ts\n${lines(count, () => `const berth${serial} = moor('${mark()}') // keeps its line`)}\n\`\`\``

/** 20,000 characters: prose, a table of 70 rows, code of 160 lines, a list, short code between paragraphs and at the end. */
function longAnswer(): string {
  const parts = [
    `# Harbour report ${mark()}`,
    lines(20, () => `${paragraph()}\n`),
    `| berth | boat | length |\n|---|---|---:|\n${lines(70, () => `| ${mark()} | Ferry No. ${serial} | ${serial} m |`)}`,
    `Between table and code ${mark()}.`,
    code(160),
    lines(20, () => `- an item ${mark()} of a list`),
  ]
  while (parts.join('\n\n').length < 19_700) parts.push(paragraph(), code(15))
  parts.push(`~~~\nthe last words ${mark()}\n~~~`)
  return parts.join('\n\n')
}

const answer = longAnswer()
const marksOf = (text: string) => text.match(/\bM\d{4}\b/g) ?? []

/** Readable by itself: no code block is left open, and rows of a table are below its head. */
function expectReadable(part: string, tables: 'markdown' | 'code'): void {
  const fences = part.match(/^\s*(`{3,}|~{3,})/gm) ?? []
  expect(fences.length % 2, `balanced fences in:\n${part}`).toBe(0)
  const rowAt = part.search(/Ferry No\. \d+/)
  const head = tables === 'markdown' ? /\| berth \| boat \| length \|\n\|[-:| ]+\|/ : /berth +│ boat +│ +length/
  const headAt = part.search(head)
  expect(rowAt === -1 || (headAt !== -1 && headAt < rowAt), `the head above the rows in:\n${part}`).toBe(true)
}

const deltas = answer.match(/[\s\S]{1,160}/g) ?? []

scenario(
  'an answer of 20,000 characters arrives whole, readable in every part, its longest code and table as files',
  { workspace: { editLimit: 1000 } },
  async ({ workspace, footbridge, ada, upstream, alarms }) => {
    upstream.script({ kind: 'chat', deltas, delayMs: 5 })
    await ada.asks('Tell me everything')
    await ada.sees(/_Not from files: there are none here yet\._/)
    // The page ends with Footbridge; the others show what came at the very last, too.
    if (workspace.service !== 'web') await footbridge.stop()
    const parts = (await ada.shown()).map(({ text }) => text)
    expect(answer.length).toBeGreaterThan(19_700)
    expect(parts.filter((part) => part.includes('Not from files'))).toHaveLength(1)
    expect(alarms()).toEqual([])
    // The page shows it in one piece, as it was written.
    if (workspace.service === 'web')
      return expect(parts).toEqual([`${answer}\n\n_Not from files: there are none here yet._`])
    expect(parts.length).toBeGreaterThan(1)
    const files = await workspace.handedOut(ada.channel)
    expect(files.map(({ name }) => name)).toEqual(['table.csv', 'code-2.ts'])
    const [table = '', program = ''] = files.map(({ bytes }) => Buffer.from(bytes).toString())
    expect([marksOf(table).length, marksOf(program).length]).toEqual([70, 160])
    const inFiles = new Set(marksOf(table + program))
    const marks = marksOf(parts.join('\n'))
    // The part in a file begins in the text, and the text has all the rest, once and in order.
    expect(marks.filter((one) => inFiles.has(one))).toHaveLength(12)
    expect(marks.filter((one) => !inFiles.has(one))).toEqual(marksOf(answer).filter((one) => !inFiles.has(one)))
    for (const part of parts) expectReadable(part, workspace.service === 'slack' ? 'markdown' : 'code')
  },
)
