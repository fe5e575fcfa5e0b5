import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { ferryPages, makePdf } from '../fixtures/pdf.ts'
import { startUpstreamDouble } from '../doubles/upstream/double.ts'
import { startFootbridge, type Environment } from '../support/footbridge.ts'
import { launchBrowser, openPage } from './support/browser.ts'
import {
  dropFiles,
  findAccessibilityFaults,
  openChannel,
  openReference,
  readMessages,
  recordMemo,
  say,
  send,
  waitForMessage,
  waitForReceipt,
  type DroppedFile,
} from './support/page.ts'

const NOTES = [
  '---',
  'title: House rules',
  'secret: heron-front-matter',
  '---',
  '# House rules',
  'Quiet hours begin at ten in the evening.',
  '',
  '## Dogs',
  'Dogs are welcome in the garden, never in the tower.',
].join('\n')

let browser: Browser
beforeAll(async () => {
  browser = await launchBrowser()
})
afterAll(() => browser.close())

async function start(env: Environment = {}) {
  const footbridge = await startFootbridge(env)
  onTestFinished(() => footbridge.close())
  return footbridge
}

async function files(): Promise<readonly DroppedFile[]> {
  const pdf = Buffer.from(await makePdf(ferryPages))
  return [
    { name: 'ferry.pdf', mimeType: 'application/pdf', bytes: pdf },
    { name: 'rules.md', mimeType: 'text/markdown', bytes: Buffer.from(NOTES) },
  ]
}

test('a PDF and a markdown file become answers with references that open, and all is there after a restart', async () => {
  const footbridge = await start()
  expect(footbridge.output.said).toHaveLength(3)
  const { page, errors } = await openPage(browser, footbridge.url)
  await openChannel(page, 'general')
  await dropFiles(page, await files())
  await send(page)
  expect((await waitForReceipt(page, 'ferry.pdf', 'ready')).text).toMatch(/Ready/)
  await waitForReceipt(page, 'rules.md', 'ready')
  await say(page, 'When does the ferry to the island leave?')
  const answer = await waitForMessage(page, 'answer', /9:40 from pier seven/)
  const reference = await openReference(answer, 1)
  expect(reference).toMatchObject({ file: 'ferry.pdf', place: expect.stringMatching(/\b2\b/) })
  expect(reference.passage).toContain('The ferry to the island leaves at 9:40')
  await page.keyboard.press('Escape')
  await say(page, '@footbridge When do quiet hours begin?')
  await waitForMessage(page, 'answer', /ten in the evening/)
  expect(await page.content()).not.toContain('heron-front-matter')
  expect(await findAccessibilityFaults(page)).toEqual([])
  const suggested = (shown: typeof page) => shown.getByTestId('samples').getByRole('button').nth(1).waitFor()
  await suggested(page)
  const before = await readMessages(page)
  await page.reload()
  await openChannel(page, 'general')
  await waitForMessage(page, 'answer', /ten in the evening/)
  await suggested(page)
  expect(await readMessages(page)).toEqual(before)
  expect(errors).toEqual([])

  await footbridge.restart()
  const again = await openPage(browser, `${footbridge.url}/#general`)
  await waitForMessage(again.page, 'answer', /ten in the evening/)
  await suggested(again.page)
  expect(await readMessages(again.page)).toEqual(before)
  await say(again.page, '@footbridge Where may dogs go?')
  const dogs = await waitForMessage(again.page, 'answer', /welcome in the garden/)
  expect(await openReference(dogs, 1)).toMatchObject({ file: 'rules.md' })
  expect(footbridge.alarms()).toEqual([])
})

test('with a model behind it the answer streams, a memo is heard and answered, and marks open their passages', async () => {
  const upstream = await startUpstreamDouble()
  onTestFinished(() => upstream.close())
  const footbridge = await start({
    UPSTREAM_BASE_URL: upstream.baseUrl,
    UPSTREAM_TRANSCRIPTION_MODEL: 'double-whisper',
  })
  const { page } = await openPage(browser, footbridge.url)
  await openChannel(page, 'general')
  await dropFiles(page, await files())
  await send(page)
  await waitForReceipt(page, 'ferry.pdf', 'ready')
  await waitForReceipt(page, 'rules.md', 'ready')
  upstream.script(
    {
      kind: 'chat',
      // No refusal begins like this, so it is shown from the first words on.
      deltas: ['Ferries leave at ', '9:40 ', '[RRE', 'F1]', ', except on Mondays.'],
      delayMs: 300,
    },
    { kind: 'transcript', text: 'What does a return ticket cost?' },
    { kind: 'chat', text: 'Twelve euros [RREF1].' },
  )
  await say(page, '@footbridge When does the ferry leave?')
  await page.locator('[data-testid=message][data-streaming=true]', { hasText: 'Ferries leave at' }).waitFor()
  const answer = await waitForMessage(page, 'answer', /except on Mondays/)
  expect(await openReference(answer, 1)).toMatchObject({ file: 'ferry.pdf', place: expect.stringMatching(/\b2\b/) })
  await page.keyboard.press('Escape')
  await recordMemo(page)
  await send(page)
  await waitForMessage(page, 'notice', /What does a return ticket cost\?/)
  const spoken = await waitForMessage(page, 'answer', /Twelve euros/)
  expect(await openReference(spoken, 1)).toMatchObject({ file: 'ferry.pdf' })
  expect(footbridge.alarms()).toEqual([])
})

test('what can not be taken in or heard is told in a sentence, once to the person and once in the log', async () => {
  const footbridge = await start()
  const { page } = await openPage(browser, footbridge.url)
  await openChannel(page, 'general')
  await dropFiles(page, [
    { name: 'broken.pdf', mimeType: 'application/pdf', bytes: Buffer.from('%PDF-1.7\nnothing of a PDF') },
    { name: 'empty.md', mimeType: 'text/markdown', bytes: Buffer.alloc(0) },
  ])
  await send(page)
  expect((await waitForReceipt(page, 'broken.pdf', 'failed')).text).toMatch(/damaged|not a PDF/i)
  expect((await waitForReceipt(page, 'empty.md', 'failed')).text).toContain('empty')
  await recordMemo(page)
  await send(page)
  const told = await waitForMessage(page, 'error', /no speech model/i)
  expect(await told.innerText()).not.toMatch(/ at .*\.ts|status \d{3}/)
  expect((await readMessages(page)).filter(({ kind }) => kind === 'error')).toHaveLength(1)
  const logged = footbridge.output.log.filter(({ level }) => level >= 40)
  expect(logged.map(({ msg }) => msg)).toEqual([
    'A dropped file could not be ingested; its receipt says why',
    'A dropped file could not be ingested; its receipt says why',
    'Voice message could not be transcribed; whoever sent it was told why',
  ])
})
