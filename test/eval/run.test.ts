import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { type GoldenCase, printGolden } from '#eval/golden.ts'
import { runEval } from '#eval/run.ts'
import { cited } from '../support/bridge/set-up.ts'
import { createFakePlatform } from '../support/fakes/platform.ts'
import { platformFailure } from '../support/fakes/switchboard.ts'

const golden = (id: string, change: Partial<GoldenCase> = {}): GoldenCase => ({
  id,
  question: `Question ${id}?`,
  want: 'answer',
  expected: [{ file: 'leave.md', passage: 'Full-time staff have 30 days of leave a year.' }],
  rejected: [],
  votes: { up: 1, down: 0 },
  reasons: [],
  models: ['fake-model'],
  ...change,
})

async function setUp(cases: readonly GoldenCase[]) {
  const directory = mkdtempSync(join(tmpdir(), 'footbridge-eval-'))
  onTestFinished(() => rmSync(directory, { recursive: true }))
  const path = join(directory, 'golden.jsonl')
  writeFileSync(path, printGolden(cases))
  const platform = createFakePlatform()
  await platform.collections.create('c1')
  const run = (...words: readonly string[]) =>
    runEval(
      [path, '--collection', 'c1', ...words],
      async () => ({ platform, model: undefined, close: async () => {} }),
      () => Date.UTC(2026, 10, 21),
    )
  const baseline = () => JSON.parse(readFileSync(join(directory, 'golden.baseline.json'), 'utf8')) as { model: string }
  return { path, platform, run, baseline }
}

const RIGHT = cited('Thirty.', 'leave.md', 'Full-time staff have 30 days of leave a year. Others fewer.')
const WRONG = cited('Soup.', 'canteen.md', 'There is soup.')

const open = () => Promise.reject(new Error('not reached'))

describe('an evaluation', () => {
  it('keeps its first run as the baseline, and tells how it did', async () => {
    const { platform, run, baseline } = await setUp([
      golden('one'),
      golden('two', { want: 'refusal', expected: [] }),
      golden('three', { want: 'other', expected: [], rejected: [{ file: 'canteen.md', passage: 'There is soup.' }] }),
    ])
    platform.script.answer(RIGHT, 'NOT_IN_FILES', WRONG)
    const { text, failed } = await run()
    expect(failed).toBe(false)
    expect(text.replaceAll(/ +/g, ' ').split('\n')).toEqual([
      ' now',
      'model fake-model',
      'as people want it 2/3',
      'expected file cited 1/1',
      'expected passage cited 1/1',
      'answered, where wanted 1/1',
      'refused, where wanted 1/1',
      'failed 0/3',
      '',
      expect.stringMatching(/^Kept as baseline: .*golden\.baseline\.json$/),
    ])
    expect(baseline().model).toBe('fake-model')
    const [request] = platform.script.requests
    expect(request?.collection).toBe('owner/c1')
    expect(request?.messages.at(-1)).toEqual({ role: 'user', content: 'Question one?' })
  })

  it('tells what got better and what got worse, and fails when more did than may', async () => {
    const { platform, run } = await setUp([golden('one'), golden('two'), golden('three')])
    platform.script.answer(RIGHT, WRONG, RIGHT)
    await run()
    platform.script.answer('NOT_IN_FILES', RIGHT, RIGHT)
    const { text, failed } = await run()
    expect(failed).toBe(true)
    expect(text).toContain('baseline of 2026-11-21')
    expect(text).toContain('Better (1):\n  + Question two?: answered from canteen.md → answered from leave.md')
    expect(text).toContain('Worse (1):\n  - Question one?: answered from leave.md → refused')
    platform.script.answer('NOT_IN_FILES', RIGHT, RIGHT)
    expect((await run('--worse', '1')).failed).toBe(false)
  })

  it('notices a passage that was lost although its file is cited', async () => {
    const { platform, run } = await setUp([golden('one')])
    platform.script.answer(RIGHT)
    await run()
    platform.script.answer(cited('Thirty.', 'leave.md', 'Something else altogether stands here.'))
    const { text, failed } = await run()
    expect(text).toContain('Passage lost, file kept (1):\n  ~ Question one?')
    expect(failed).toBe(false)
  })

  it('counts a failure of the platform as worse, with its reason', async () => {
    const { platform, run } = await setUp([golden('one')])
    platform.script.answer(RIGHT)
    await run()
    platform.script.fail('chat.stream', platformFailure('server', 'It broke.'))
    const { text, failed } = await run()
    expect(failed).toBe(true)
    expect(text).toContain('- Question one?: answered from leave.md → failed (It broke.)')
  })

  it('with --save is the baseline from then on', async () => {
    const { platform, run } = await setUp([golden('one')])
    platform.script.answer(RIGHT, 'NOT_IN_FILES', 'NOT_IN_FILES')
    await run()
    expect((await run('--save')).failed).toBe(true)
    expect((await run()).failed).toBe(false)
  })

  it('says what is missing', async () => {
    const { path, run } = await setUp([golden('one')])
    await expect(runEval([path], open)).rejects.toThrow(/names no collection: give one with --collection/)
    await expect(runEval([], open)).rejects.toThrow(/^Usage: footbridge eval/)
    await expect(run('--worse', 'many')).rejects.toThrow(/--worse takes a whole number/)
    await expect(run('--nonsense')).rejects.toThrow(/nonsense[^]*Usage/)
    writeFileSync(path.replace('.jsonl', '.baseline.json'), '{}')
    await expect(run()).rejects.toThrow(/is no baseline/)
    writeFileSync(path, '\n')
    await expect(run()).rejects.toThrow(/holds no question/)
  })
})
