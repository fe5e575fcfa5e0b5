import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { runFeedback } from '../../src/eval/feedback.ts'
import { readGolden } from '../../src/eval/golden.ts'
import { openStore } from '../../src/store/store.ts'

function folder(): string {
  const directory = mkdtempSync(join(tmpdir(), 'footbridge-feedback-'))
  onTestFinished(() => rmSync(directory, { recursive: true }))
  return directory
}

it('the golden set is written beside a running Footbridge, without the names of collections unless asked', async () => {
  const directory = folder()
  const store = openStore(directory)
  onTestFinished(() => store.close())
  const out = join(directory, 'golden.jsonl')
  expect(await runFeedback(directory, ['--out', out])).toBe(`0 questions in ${out}. Nothing was judged yet.`)
  await store.answers.put({
    id: 'a1',
    jobId: 'j1',
    queue: 'l1',
    channel: 'c1',
    conversation: { adapter: 'fake', workspace: 'W1', channel: 'C1', direct: false },
    collections: ['secret-name'],
    asker: 'U1',
    question: 'How many days?',
    model: 'small',
    text: 'Thirty.',
    references: [{ number: 1, file: 'leave.md', passage: '30 days.' }],
    outcome: 'answered',
    questionMessage: 'm1',
    messages: ['m2'],
    at: 0,
  })
  await store.answers.vote({ answerId: 'a1', by: 'U1', vote: 'up', at: 1 })
  expect(await runFeedback(directory, ['--out', out])).toBe(`1 question in ${out}. From 1 judged answer.`)
  const text = readFileSync(out, 'utf8')
  expect(text).not.toContain('secret-name')
  expect(text).not.toContain('U1')
  expect(readGolden(text, out)).toMatchObject([{ question: 'How many days?', want: 'answer' }])
  expect(await runFeedback(directory, ['--collections'])).toContain('"collections":["secret-name"]')
})

it('says when there is nothing to read, or a word that it does not know', async () => {
  await expect(runFeedback(folder(), [])).rejects.toThrow(/Footbridge has not run on this DATA_DIR yet/)
  await expect(runFeedback(folder(), ['--nonsense'])).rejects.toThrow(/nonsense[^]*Usage: npm run feedback/)
})
