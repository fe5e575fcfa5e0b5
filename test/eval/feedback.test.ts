import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { runFeedback } from '#eval/feedback.ts'
import { readGolden } from '#eval/golden.ts'
import { openPostgresStore } from '#store/postgres/open-store.ts'
import { openStore } from '#store/store.ts'
import { createLogSink } from '../support/fakes/log.ts'
import { usePostgres } from '../support/postgres/postgres.ts'

function folder(): string {
  const directory = mkdtempSync(join(tmpdir(), 'footbridge-feedback-'))
  onTestFinished(() => rmSync(directory, { recursive: true }))
  return directory
}

const ANSWER = {
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
} as const

it('the golden set is written beside a running Footbridge, without the names of collections unless asked', async () => {
  const directory = folder()
  const store = openStore(directory)
  onTestFinished(() => store.close())
  const out = join(directory, 'golden.jsonl')
  expect(await runFeedback({ dataDir: directory }, ['--out', out])).toBe(
    `0 questions in ${out}. Nothing was judged yet.`,
  )
  await store.answers.put(ANSWER)
  await store.answers.vote({ answerId: 'a1', by: 'U1', vote: 'up', at: 1 })
  expect(await runFeedback({ dataDir: directory }, ['--out', out])).toBe(`1 question in ${out}. From 1 judged answer.`)
  const text = readFileSync(out, 'utf8')
  expect(text).not.toContain('secret-name')
  expect(text).not.toContain('U1')
  expect(readGolden(text, out)).toMatchObject([{ question: 'How many days?', want: 'answer' }])
  expect(await runFeedback({ dataDir: directory }, ['--collections'])).toContain('"collections":["secret-name"]')
})

it('says when there is nothing to read, or a word that it does not know', async () => {
  await expect(runFeedback({ dataDir: folder() }, [])).rejects.toThrow(/Footbridge has not run on this DATA_DIR yet/)
  await expect(runFeedback({ dataDir: folder() }, ['--nonsense'])).rejects.toThrow(
    /nonsense[^]*Usage: footbridge feedback/,
  )
})

describe('with DATABASE_URL', () => {
  const postgres = usePostgres()

  it('the answers of the database are read, not those of a folder that was carried over', async () => {
    const url = await postgres.database()
    const dataDir = folder()
    openStore(dataDir).close()
    await expect(runFeedback({ dataDir, databaseUrl: url }, [])).rejects.toThrow(
      /has not run on the database of DATABASE_URL yet/,
    )
    const store = await openPostgresStore(url, dataDir, createLogSink())
    onTestFinished(() => store.close())
    await store.answers.put(ANSWER)
    await store.answers.vote({ answerId: 'a1', by: 'U1', vote: 'up', at: 1 })
    const out = join(dataDir, 'golden.jsonl')
    expect(await runFeedback({ dataDir, databaseUrl: url }, ['--out', out])).toBe(
      `1 question in ${out}. From 1 judged answer.`,
    )
  })
})
