import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test, describe } from 'vitest'
import { readConfig } from '../../src/config.ts'
import { runFeedback } from '../../src/eval/feedback.ts'
import { readGolden } from '../../src/eval/golden.ts'
import { openExamined, runEval } from '../../src/eval/run.ts'
import type { Desk } from '../support/whole/desk.ts'
import { withUpstream } from '../support/whole/platforms.ts'
import { closeAtEnd, DESKS, ferryNote, open, SERVICES, UNDER_NOTHING } from '../support/whole/stage.ts'

const QUESTION = 'Who painted the Mona Lisa?'

/** Waits for a message of ours that matches, newest first. */
async function shows(desk: Desk, pattern: RegExp): Promise<string> {
  return desk.until(() => desk.sees().findLast((line) => pattern.test(line)))
}

describe.each(SERVICES)('on %s', (service) => {
  test('what the files do not say is asked of people, and their reply is cited from then on', async () => {
    const desk = closeAtEnd(await DESKS[service]())
    const footbridge = await open(desk.env)
    desk.does({ files: [ferryNote] })
    await shows(desk, /ready/)
    desk.does({ text: QUESTION, mention: true })
    await shows(desk, new RegExp(`Not in this channel’s files[^]*${RegExp.escape(UNDER_NOTHING)}$`))

    desk.press('Ask a person')
    await shows(desk, /Who knows this\?|Wer weiß das\?/)
    const post = desk.ours().at(-1) ?? ''
    await footbridge.stop()
    await footbridge.restart()
    // By a second person: who asked is not taken at their own word in a thread.
    desk.does({ text: 'Leonardo da Vinci painted the Mona Lisa.', after: post, by: 'Ben' })
    await shows(desk, /Shall I file this answer/)
    await footbridge.stop()
    await footbridge.restart()
    desk.press('File this answer')
    await shows(desk, /Filed: the answer of Ben/)
    await shows(desk, /painted the Mona Lisa.*ready/)

    desk.does({ text: QUESTION, mention: true })
    await shows(desk, /> Leonardo da Vinci painted the Mona Lisa\. \[1\][^]*Who painted the Mona Lisa\.md/)
    desk.does({ text: 'gaps', mention: true })
    await shows(desk, /No question is open here/)
    expect(footbridge.alarms()).toEqual([])
  })

  test('a message that somebody marks with 📌 is quoted from then on', async () => {
    const desk = closeAtEnd(await DESKS[service]())
    const footbridge = await open(desk.env)
    const said = desk.does({ text: 'The boiler in the tower has the code 4711.', by: 'Ben' })
    desk.pin(said)
    await shows(desk, /The boiler in the tower.*ready/)
    desk.does({ text: 'Which code has the boiler in the tower?', mention: true })
    await shows(desk, /> .*The boiler in the tower has the code 4711\.[^]*\[1\]/)
    expect(footbridge.alarms()).toEqual([])
  })

  test('another answer takes the place of the first', async () => {
    const desk = closeAtEnd(await DESKS[service]())
    const { env, upstream } = closeAtEnd(await withUpstream())
    const footbridge = await open(desk.env, env)
    desk.does({ files: [ferryNote] })
    await shows(desk, /ready/)
    upstream.script({ kind: 'chat', text: 'At 9:40 [RREF1].' })
    desk.does({ text: 'When does the ferry to the island leave?', mention: true })
    await shows(desk, /At 9:40 \[1\]\.[^]*\[Longer\]$/)
    const count = desk.sees().length
    upstream.script({ kind: 'chat', text: 'It leaves at 9:40 from pier seven [RREF1].' })
    desk.press('Longer')
    await shows(desk, /It leaves at 9:40 from pier seven \[1\]\.[^]*ferry\.md[^]*\[Longer\]$/)
    await footbridge.stop()
    expect(desk.sees()).toHaveLength(count)
    expect(footbridge.alarms()).toEqual([])
  })

  test('judgements become a golden set, which the embedded platform is measured by', async () => {
    const desk = closeAtEnd(await DESKS[service]())
    const dataDir = mkdtempSync(join(tmpdir(), 'footbridge-golden-'))
    onTestFinished(() => rmSync(dataDir, { recursive: true, force: true }))
    const footbridge = await open(desk.env, { DATA_DIR: dataDir })
    desk.does({ files: [ferryNote] })
    await shows(desk, /ready/)
    desk.does({ text: 'When does the ferry to the island leave?', mention: true })
    await shows(desk, /> The ferry to the island leaves/)
    desk.press('👍')
    await shows(desk, /Thanks, noted|Danke, ist notiert/)
    desk.does({ text: QUESTION, mention: true })
    await shows(desk, /Not in this channel/)
    desk.press('👍')
    const golden = join(dataDir, 'golden.jsonl')
    const words = ['--out', golden, '--collections']
    await expect
      .poll(() => runFeedback(dataDir, words), { timeout: 10_000 })
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
  })
})
