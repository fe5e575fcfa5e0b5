import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { describe, test } from 'vitest'
import { ferry, mole } from './drops.ts'
import { openHostedStage, runs } from './stage.ts'

const CLI = fileURLToPath(new URL('../../src/cli.ts', import.meta.url))
const run = promisify(execFile)

describe.concurrent.each(runs('slack'))('quality on %s, %s', (service, _, rough) => {
  test('is what people say of answers: exported as a golden set, and run against the platform', async (context) => {
    const stage = await openHostedStage(service, rough, context)
    const { seat, act, asks, drops, sees, answers, platform, env, dataDir } = stage
    const { expect } = context
    const operates = async (...words: readonly string[]) =>
      (await run(process.execPath, [CLI, ...words], { env })).stdout
    await drops(ferry, mole)
    await sees(/ferry\.md.*(?:ready|bereit)[^]*mole\.md.*(?:ready|bereit)/)

    await asks('From which pier does the ferry leave?')
    await answers(/from pier seven\. ?\[1\]/)
    await act(() => seat.presses('👍'))
    await sees(/(?:Thanks, noted|Danke, ist notiert)\.$/m)
    await asks('When is the mole of the harbour closed?')
    await answers(/closed from November to March\. ?\[1\]/)
    await act(() => seat.presses('👎', { text: 'it is open at Easter' }))
    await sees(/(?:Thanks, noted|Danke, ist notiert)\. (?:Whoever|Wer) /)

    const golden = join(dataDir, 'golden.jsonl')
    expect(await operates('feedback', '--collections', '--out', golden)).toMatch(
      /^2 questions in .*From 2 judged answers\./,
    )
    const cases = readFileSync(golden, 'utf8')
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as Record<string, unknown>)
    expect(cases).toContainEqual(
      expect.objectContaining({
        question: 'When is the mole of the harbour closed?',
        want: 'other',
        reasons: ['it is open at Easter'],
      }),
    )
    expect(cases).toContainEqual(
      expect.objectContaining({
        question: 'From which pier does the ferry leave?',
        want: 'answer',
        expected: [expect.objectContaining({ file: 'ferry.md' })],
        models: ['double-model'],
      }),
    )
    expect(await operates('eval', golden)).toMatch(/as people want it +1\/2/)
    // What people found wrong is not said any more.
    platform.script('chat', { kind: 'answer', text: 'NOT_IN_FILES' }, Infinity)
    const worse = await operates('eval', golden, '--worse', '1')
    expect(worse).toMatch(/Better \(1\):\n {2}\+ When is the mole[^]*Worse \(1\):\n {2}- From which pier/)
  }, 1_200_000)
})
