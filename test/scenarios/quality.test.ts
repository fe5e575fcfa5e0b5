import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { readConfig } from '#src/config.ts'
import { runFeedback } from '#eval/feedback.ts'
import { readGolden } from '#eval/golden.ts'
import { openExamined, runEval } from '#eval/run.ts'
import { ferry, mole } from './drops.ts'
import { hostedScenario, scenarioWithoutModel } from './scenario.ts'

const CLI = fileURLToPath(new URL('../../src/cli.ts', import.meta.url))
const run = promisify(execFile)

hostedScenario(
  'what people say of answers is exported as a golden set, and run against the platform',
  { killedOn: 'slack' },
  async ({ ada, platform, env, footbridge, expect }) => {
    const operates = async (...words: readonly string[]) =>
      (await run(process.execPath, [CLI, ...words], { env })).stdout
    await ada.drops(ferry, mole)
    await ada.sees(/ferry\.md.*ready[^]*mole\.md.*ready/)

    await ada.asks('From which pier does the ferry leave?')
    await ada.seesAnswer(/from pier seven\. ?\[1\]/)
    await ada.presses('👍')
    await ada.sees(/Thanks, noted\.$/m)
    await ada.asks('When is the mole of the harbour closed?')
    await ada.seesAnswer(/closed from November to March\. ?\[1\]/)
    await ada.presses('👎', 'it is open at Easter', ['outdated', 'incomplete'])
    await ada.sees(/Thanks, noted\. Whoever /)

    const golden = join(footbridge.dataDir, 'golden.jsonl')
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
        reasons: ['incomplete, outdated: it is open at Easter'],
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
    // An answer that people found wrong is not given any more.
    platform.script('chat', { kind: 'answer', text: 'NOT_IN_FILES' }, Infinity)
    const worse = await operates('eval', golden, '--worse', '1')
    expect(worse).toMatch(/Better \(1\):\n {2}\+ When is the mole[^]*Worse \(1\):\n {2}- From which pier/)
  },
)

scenarioWithoutModel(
  'judgements become a golden set that the embedded platform is measured by',
  { on: ['slack', 'discord'] },
  async ({ ada, footbridge, expect }) => {
    const { dataDir } = footbridge
    await ada.drops(ferry)
    await ada.sees(/ferry\.md.*ready/)
    await ada.asks('When does the ferry to the island leave?')
    await ada.sees(/> The ferry to the island leaves/)
    await ada.presses('👍')
    await ada.sees(/Thanks, noted/)
    await ada.asks('Who painted the Mona Lisa?')
    await ada.seesAnswer(/I found no passage|I am not sure that/)
    await ada.presses('👍')
    const golden = join(dataDir, 'golden.jsonl')
    await expect
      .poll(() => runFeedback({ dataDir }, ['--out', golden, '--collections']))
      .toBe(`2 questions in ${golden}. From 2 judged answers.`)
    expect(readGolden(readFileSync(golden, 'utf8'), golden)).toMatchObject([
      { want: 'answer', expected: [{ file: 'ferry.md' }], models: ['extractive'] },
      { want: 'refusal', expected: [] },
    ])
    await footbridge.stop()

    const config = readConfig({ DATA_DIR: dataDir })
    const first = await runEval([golden], () => openExamined(config))
    expect(first.failed).toBe(false)
    expect(first.text).toMatch(/as people want it +2\/2\n.*1\/1\nexpected passage cited +1\/1/)
    const second = await runEval([golden], () => openExamined(config))
    expect(second).toMatchObject({ failed: false, text: expect.not.stringContaining('Worse') })
  },
)
