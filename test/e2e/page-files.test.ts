import type { Browser, Page } from 'playwright-core'
import { PNG } from 'pngjs'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import type { DrawPage } from '#adapters/shared/page-pictures.ts'
import type { ChannelFile, ChannelFiles } from '#bridge/port/channel-files.ts'
import type { Action, Inbound, InboundOf, Outgoing, ReceiptItem } from '#bridge/port/message.ts'
import { createScene, outgoing } from '../adapters/web/scene.ts'
import { PATIENCE } from '../support/patience.ts'
import { serve } from '../support/web/serve.ts'
import { launchBrowser, openPage } from './support/browser.ts'
import {
  createChannel,
  findAccessibilityFaults,
  measureSidewaysScroll,
  openChannel,
  say,
  waitForMessage,
} from './support/page.ts'
import { inLong } from '#test/support/forms.ts'

let browser: Browser
beforeAll(async () => {
  browser = await launchBrowser()
})
afterAll(() => browser.close())

const handbook: ChannelFile = {
  id: 'job#0',
  name: 'handbook.pdf',
  version: 2,
  state: 'ready',
  sizeBytes: 12_000,
  droppedBy: 'Ada',
  droppedAt: '2026-11-20T10:00:00.000Z',
  messageId: 'm2',
  retryable: false,
  earlier: [{ id: 'job#9', version: 1, state: 'ready', droppedBy: 'Ben', messageId: 'm1' }],
}
const broken: ChannelFile = {
  ...handbook,
  id: 'job#1',
  name: 'broken.pdf',
  version: 1,
  state: 'failed',
  note: 'The PDF is damaged.',
  retryable: true,
  earlier: [],
}
const files: ChannelFiles = {
  list: async ({ channel }) => (channel === 'general' ? [handbook, broken] : []),
  open: async (_, id) => ({ name: 'handbook.pdf', mimeType: '', bytes: new Blob([`%PDF-1.7 ${id}`]) }),
  search: async ({ channel }, words) =>
    channel === 'general' && words.includes('bicycle')
      ? [{ file: handbook, line: '- **A bicycle** can be leased by everybody.' }]
      : [],
  outline: async () => ({
    pages: 12,
    headings: ['How we work here', 'Wie wir arbeiten', 'Opening hours', 'Who keeps the keys', 'Is it open?', 'Fees'],
  }),
}

/** Page 4 alone can be drawn. */
const drawPage: DrawPage = async (_, { page }) => {
  if (page !== 4) throw new Error('It has no such page.')
  return new Uint8Array(PNG.sync.write(new PNG({ width: 60, height: 80 })))
}

/** The page with two files in its channel; a question was asked there. */
async function openFiles() {
  const scene = await createScene({ files: () => files, search: () => ({ by: 'words' }), drawPage })
  const served = await serve((request) => scene.adapter.fetch(request))
  await scene.browser.say('general', { text: 'who keeps the keys?' })
  const { conversation } = scene.receiver.message()
  const opened = await openPage(browser, `${served.url}/#general`)
  await opened.page.getByTestId('message').first().waitFor()
  return {
    ...opened,
    scene,
    post: (text: string, more: Partial<Outgoing> = {}) => scene.adapter.post(conversation, outgoing(text, more)),
    next: <Kind extends Inbound['kind']>(kind: Kind) =>
      vi.waitFor(() => {
        const found = scene.receiver.inbounds.findLast((inbound) => inbound.kind === kind)
        if (found === undefined) throw new Error(`Nothing of the kind ${kind} has arrived.`)
        return found as InboundOf<Kind>
      }, PATIENCE),
    async [Symbol.asyncDispose]() {
      await opened.page.context().close()
      await scene[Symbol.asyncDispose]()
      await served.close()
    },
  }
}

const focused = (page: Page) => page.evaluate<string>('document.activeElement?.id ?? ""')

test('the field has the focus when the page is there, and the first Tab stop of the page leads to it', async () => {
  await using opened = await openFiles()
  const { page } = opened
  await expect.poll(() => focused(page)).toBe('composer')
  const skip = page.getByRole('button', { name: 'Skip to the message field' })
  const first = "document.querySelector('button, a[href], input, textarea, [tabindex]').className"
  expect(await page.evaluate(first)).toBe('skip')
  await skip.focus()
  expect((await skip.boundingBox())?.width).toBeGreaterThan(100)
  await page.keyboard.press('Enter')
  expect(await focused(page)).toBe('composer')
})

test('a screen reader hears the words of a new message, neither its marks nor its buttons', inLong, async () => {
  await using opened = await openFiles()
  const { page, post } = opened
  const heard = page.getByTestId('announcement')
  expect(await page.getByTestId('log').getAttribute('aria-live')).toBe('off')
  const references = [{ number: 1, file: 'a.md', passage: 'x' }]
  const text = '**Ms Okonkwo** [1], see [the list](https://example.org):\n\n- `room 12`\n- safe\n\n|a|b|\n|-|-|\n|1|2|'
  await post(text, { references })
  await heard.getByText('Footbridge has answered').waitFor({ state: 'attached' })
  expect(await heard.textContent()).toBe(
    'Footbridge has answered: Ms Okonkwo, see the list:\nroom 12\nsafe\na, b,\n1, 2,',
  )
  const item: ReceiptItem = { file: 'b.pdf', state: 'failed', note: 'No text was found.' }
  await post('words', { kind: 'receipt', receipt: [item] })
  await heard.getByText('b.pdf: Failed, No text was found.').waitFor({ state: 'attached' })
})

test('the actions under an answer are one row, a vote looks pressed and needs no reason', inLong, async () => {
  await using opened = await openFiles()
  const { page, post, next } = opened
  const vote = { value: 'a1', group: 'vote' }
  const actions: readonly Action[] = [
    { id: 'vote.up', label: '👍', ...vote },
    {
      id: 'vote.down',
      label: '👎',
      ...vote,
      prompt: { title: 'What was wrong?', label: 'In a few words', reasons: true },
    },
    { id: 'say.another', label: '↻', value: 'a1' },
    { id: 'say.shorter', label: 'Shorter', value: 'a1' },
  ]
  await post('At noon.', { actions })
  const message = await waitForMessage(page, 'answer')
  const row = message.getByRole('group', { name: 'Choices' })
  const names = ['Copy', 'Good answer', 'Bad answer', 'Another answer', 'Shorter']
  const buttons = names.map((name) => row.getByRole('button', { name, exact: true }))
  const tops = await Promise.all(buttons.map(async (button) => (await button.boundingBox())?.y))
  expect(new Set(tops).size).toBe(1)
  const up = row.getByRole('button', { name: 'Good answer', pressed: false })
  await up.click()
  await row.getByRole('button', { name: 'Good answer', pressed: true }).waitFor()
  await row.getByRole('button', { name: 'Bad answer' }).click()
  await page.getByRole('dialog', { name: 'What was wrong?' }).getByRole('button', { name: 'Send' }).click()
  await row.getByRole('button', { name: 'Bad answer', pressed: true }).waitFor()
  await row.getByRole('button', { name: 'Good answer', pressed: false }).waitFor()
  expect((await next('action')).action).toEqual({ id: 'vote.down', value: 'a1', text: '' })
  await row.getByRole('button', { name: 'Bad answer' }).click()
  const dialog = page.getByRole('dialog', { name: 'What was wrong?' })
  await dialog.getByRole('group', { name: 'What applies?' }).getByLabel('It is out of date').check()
  await dialog.getByLabel('In a few words').fill('It is one.')
  expect(await findAccessibilityFaults(page)).toEqual([])
  await dialog.getByRole('button', { name: 'Send' }).click()
  await dialog.waitFor({ state: 'detached' })
  expect((await next('action')).action).toMatchObject({ text: 'outdated: It is one.' })
  expect(await findAccessibilityFaults(page)).toEqual([])
})

test(
  'each card of a receipt has its own buttons; a ready file tells its pages and suggests three questions',
  inLong,
  async () => {
    await using opened = await openFiles()
    const { page, post, next } = opened
    const retry = { id: 'file.retry', label: 'Retry', value: '1.x' }
    const receipt: readonly ReceiptItem[] = [
      { file: 'handbook.pdf', state: 'ready', fileId: 'job#0' },
      { file: 'broken.pdf', state: 'failed', note: 'The PDF is damaged.', actions: [retry] },
    ]
    const actions: readonly Action[] = [
      { ...retry, label: 'Retry broken.pdf' },
      { id: 'files.off', label: 'Don’t collect', value: 'files-off' },
    ]
    await post('words', { kind: 'receipt', receipt, actions })
    const cards = page.getByTestId('receipt-item')
    await cards.nth(0).getByText('Ready · 12 pages').waitFor()
    await cards.nth(1).getByRole('button', { name: 'Retry', exact: true }).click()
    expect((await next('action')).action).toEqual({ id: 'file.retry', value: '1.x' })
    expect(await page.getByRole('button', { name: 'Retry broken.pdf' }).count()).toBe(0)
    expect(await page.getByRole('button', { name: 'Don’t collect' }).count()).toBe(0)
    const samples = page.getByTestId('samples').getByRole('button')
    expect(await samples.allInnerTexts()).toEqual([
      'What does handbook.pdf say about “Opening hours”?',
      'Who keeps the keys?',
      'Is it open?',
    ])
    expect(await findAccessibilityFaults(page)).toEqual([])
    await samples.nth(0).click()
    await vi.waitFor(() => expect(opened.scene.receiver.message().text).toContain('“Opening hours”'), PATIENCE)

    const plan: ReceiptItem = { file: 'plan.pptx', state: 'ready', fileId: 'job#0' }
    await post('words', { kind: 'receipt', receipt: [{ ...plan, file: 'handbook.pdf' }, plan] })
    await samples.getByText('What does plan.pptx say about “Opening hours”?').waitFor()
  },
)

test(
  'the files of a channel are listed with version, size, person and day, opened, tried again and deleted',
  inLong,
  async () => {
    await using opened = await openFiles()
    const { page, next } = opened
    await page.getByRole('button', { name: 'Files of this channel' }).click()
    const panel = page.getByRole('dialog', { name: 'Files of #general' })
    await panel.getByText('Footbridge searches by words.').waitFor()
    const card = panel.getByTestId('file-card').filter({ hasText: 'handbook.pdf' })
    const facts = await card.innerText()
    for (const fact of ['Ready', 'Version 2', '12 kB', 'dropped by Ada', 'Nov 20, 2026']) expect(facts).toContain(fact)
    const bytes = async (name: string) => {
      const href = await card.getByRole('link', { name, exact: true }).getAttribute('href')
      return (await page.request.get(new URL(href ?? '', page.url()).href)).text()
    }
    expect(await bytes('handbook.pdf')).toBe('%PDF-1.7 job#0')
    await card.getByText('1 earlier version').click()
    expect(await bytes('Version 1')).toBe('%PDF-1.7 job#9')
    expect(await findAccessibilityFaults(page)).toEqual([])
    const failed = panel.getByTestId('file-card').filter({ hasText: 'broken.pdf' })
    await failed.getByText('The PDF is damaged.').waitFor()
    await failed.getByRole('button', { name: 'Try again' }).click()
    expect((await next('action')).action).toEqual({ id: 'file.retry-id', value: 'job#1' })
    await card.getByRole('button', { name: 'Delete handbook.pdf' }).click()
    await card.getByText('Remove this file with all 2 versions?').waitFor()
    await card.getByRole('button', { name: 'Delete for good' }).click()
    await vi.waitFor(async () => expect((await next('action')).action.id).toBe('file.forget-id'), PATIENCE)
    await page.keyboard.press('Escape')
    await panel.waitFor({ state: 'detached' })
    expect(await page.evaluate('document.activeElement?.getAttribute("aria-label")')).toBe('Files of this channel')
  },
)

test('a reference opens its file at its page', async () => {
  await using opened = await openFiles()
  const { page, post } = opened
  const references = [{ number: 1, file: 'handbook.pdf', place: 'p.7', passage: 'x', version: 2 }]
  await post('There [1].', { references })
  await page.getByTestId('cite').click()
  const href = await page.getByRole('link', { name: 'Open page 7' }).getAttribute('href')
  expect(href).toMatch(/#page=7$/)
  const answer = await page.request.get(new URL(href ?? '', page.url()).href)
  expect([answer.headers()['content-type'], await answer.text()]).toEqual(['application/pdf', '%PDF-1.7 job#0'])
})

test('a channel is renamed, archived, restored and deleted; one that is archived is read only', inLong, async () => {
  await using opened = await openFiles()
  const { page } = opened
  const settings = page.getByRole('button', { name: 'Settings of this channel' })
  await createChannel(page, 'tides')
  await say(page, 'when?')
  await settings.click()
  const dialog = page.getByTestId('channel-dialog')
  expect(await dialog.getByLabel('Channel name').evaluate((node) => node.matches(':focus'))).toBe(true)
  await dialog.getByLabel('Channel name').fill('general')
  await page.keyboard.press('Enter')
  await dialog.getByText('There is a channel of this name already.').waitFor()
  await dialog.getByLabel('Channel name').fill('High tides & low')
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { level: 1, name: '#High tides & low' }).waitFor()
  await settings.click()
  expect(await findAccessibilityFaults(page)).toEqual([])
  await dialog.getByRole('button', { name: 'Archive' }).click()
  await page.getByText('This channel is archived').waitFor()
  expect(await page.getByTestId('composer-text').count()).toBe(0)
  expect(await findAccessibilityFaults(page)).toEqual([])
  await page.getByRole('button', { name: 'Restore' }).click()
  await page.getByTestId('composer-text').waitFor()
  await settings.click()
  await dialog.getByRole('button', { name: 'Delete channel' }).click()
  await dialog.getByRole('button', { name: 'Delete for good' }).click()
  await page.getByRole('heading', { level: 1, name: 'New chat' }).waitFor()
  const names = page.getByRole('navigation', { name: 'Channels' }).getByRole('button')
  await vi.waitFor(async () => expect((await names.allInnerTexts()).join()).not.toContain('tides'), PATIENCE)
})

test('a search by keyboard leads to the message and to the drop of a file', inLong, async () => {
  await using opened = await openFiles()
  const { page, post } = opened
  const found = await post('The harbour master, **Ms Okonkwo**, keeps them.')
  await openChannel(page, 'New chat')
  await page.keyboard.press('Control+k')
  const dialog = page.getByRole('dialog', { name: 'Search' })
  await page.keyboard.type('okon')
  const finding = dialog.getByRole('button', { name: /harbour master, Ms Okonkwo, keeps/ })
  await finding.waitFor()
  expect(await findAccessibilityFaults(page)).toEqual([])
  await finding.click()
  await page.getByRole('heading', { level: 1, name: '#general' }).waitFor()
  await expect.poll(() => focused(page)).toBe(`m-${found.id}`)
  await page.keyboard.press('Control+k')
  await page.keyboard.type('handbook')
  await dialog.getByRole('button', { name: /handbook\.pdf.*#general · 12 kB/s }).waitFor()
  await page.getByLabel('Search chats, messages and files').fill('bicycle')
  await dialog.getByRole('button', { name: /handbook\.pdf.*A bicycle can be leased.*#general/s }).waitFor()
  await page.getByLabel('Search chats, messages and files').fill('zzz')
  await dialog.getByText('Nothing found.').waitFor()
  await page.keyboard.press('Escape')
  await dialog.waitFor({ state: 'detached' })
})

test('a passage of a PDF has the picture of its page, which a press enlarges; other passages have none', async () => {
  await using opened = await openFiles()
  const { page, post, errors } = opened
  const references = [
    { number: 1, file: 'handbook.pdf', place: 'p.4', passage: 'The keys hang there.' },
    { number: 2, file: 'notes.md', place: 'L4', passage: 'The keys hang there.' },
    // The file of another chat service is not the one of this name here.
    { number: 3, file: 'handbook.pdf', place: 'p.4', passage: 'x', link: 'https://a.slack.com/archives/C1/p17' },
    { number: 4, file: 'handbook.pdf', place: 'p.5', passage: 'The keys hang there.' },
  ]
  await post('The keys [1] [2] [3] [4].', { references })
  await page.getByTestId('cite').first().click()
  const picture = page.getByTestId('page-picture')
  await picture.getByText('Picture of page 4').waitFor()
  await page.locator('[data-testid=page-picture][aria-busy=false]').waitFor()
  const enlarge = picture.getByRole('button', { name: 'Page 4, enlarged' })
  const widthOf = async () => (await picture.locator('img').boundingBox())?.width ?? 0
  expect(await widthOf()).toBeLessThan(500)
  await enlarge.press('Enter')
  expect(await widthOf()).toBeGreaterThan(700)
  expect(await findAccessibilityFaults(page)).toEqual([])
  // Arrows scroll the picture.
  await enlarge.press('ArrowRight')
  await page.setViewportSize({ width: 360, height: 740 })
  expect(await measureSidewaysScroll(page)).toBe(0)
  expect(errors).toEqual([])
  for (const next of ['2 of 4', '3 of 4', '4 of 4']) {
    await page.getByRole('button', { name: 'Next reference' }).click()
    await page.getByText(next).waitFor()
    await picture.waitFor({ state: 'detached' })
    expect(await page.getByRole('link', { name: /^Open (?:the file|page)/ }).count()).toBe(next === '3 of 4' ? 0 : 1)
  }
  await expect.poll(() => errors).toEqual([expect.stringContaining('404')])
})
