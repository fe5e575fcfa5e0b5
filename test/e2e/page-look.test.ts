import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { ChannelFiles, FileVersion } from '#bridge/port/channel-files.ts'
import type { Action, ConversationRef, ReceiptItem } from '#bridge/port/message.ts'
import { createScene, outgoing, type Scene } from '../adapters/web/scene.ts'
import { serve } from '../support/web/serve.ts'
import { launchBrowser, openPage } from './support/browser.ts'
import { findAccessibilityFaults, measureSidewaysScroll } from './support/page.ts'

let browser: Browser
beforeAll(async () => {
  browser = await launchBrowser()
})
afterAll(() => browser.close())

const LONG = 'a-file-name-that-nobody-would-think-of-but-somebody-has-given-to-a-scan-of-page-1.pdf'
const VERSION: FileVersion = {
  id: 'job#9',
  version: 1,
  state: 'ready',
  sizeBytes: 123_456,
  droppedBy: `Ada ${'Lovelace'.repeat(20)}`,
  droppedAt: '2026-11-12T10:00:00.000Z',
  messageId: 'm1',
}
const FAILED = { ...VERSION, id: 'job#1', state: 'failed', retryable: true, earlier: [], name: 'b.pdf' } as const
const FILES: ChannelFiles = {
  list: async () => [
    { ...VERSION, id: 'job#0', version: 3, name: LONG, retryable: false, earlier: [VERSION] },
    { ...FAILED, note: `No text was found in ${'it'.repeat(80)}.` },
  ],
  open: async () => undefined,
  search: async () => [],
  outline: async () => ({ pages: 12, headings: ['Opening hours', 'wide'.repeat(20), 'Fees'] }),
}
const LOOKS = [
  { colorScheme: 'light', width: 1280 },
  { colorScheme: 'dark', width: 1280 },
  { colorScheme: 'light', width: 360 },
  { colorScheme: 'dark', width: 360 },
] as const

/** One of everything that a channel can show. */
async function fill({ adapter, browser: web, receiver }: Scene): Promise<void> {
  const file = await web.upload(LONG, new Uint8Array(2000))
  const memo = await web.upload('memo.webm', new Uint8Array(20), {
    type: 'audio/webm',
    query: '&kind=voice&durationMs=3000',
  })
  await web.say('general', { text: `@footbridge ${'wide'.repeat(60)}`, files: [file.id, memo.id] })
  const { conversation } = receiver.message()
  await adapter.post(conversation, receipt())
  const place = { file: LONG, place: 'p.3' }
  const references = [
    {
      number: 1,
      ...place,
      passage: `It takes ${'forty'.repeat(60)} minutes. Every day.`,
      support: 'Every day.',
      version: 3,
      droppedBy: `Ada ${'Lovelace'.repeat(20)}`,
      droppedAt: '2026-11-12T10:00:00.000Z',
      link: `https://ask.example.org/#general/${conversation.thread}`,
    },
    { number: 2, ...place, passage: 'Dogs travel free.' },
  ]
  const text = `# Heading\n\n### Deeper\n\nText [1] and \`code\` [2], [a link](https://example.org).\n\n> quoted\n\n- one\n  1. two\n
| column | ${'wide '.repeat(20)} |\n|---|---|\n| a | ${'b'.repeat(80)} |\n\n\`\`\`js\n${'x'.repeat(300)}\n\`\`\`\n`
  await adapter.post(conversation, outgoing(text, { references }))
  await adapter.post(
    conversation,
    outgoing('I can’t reach the platform just now. Please ask again.', { kind: 'error' }),
  )
  await adapter.post(
    conversation,
    outgoing('None was dropped here yet.', {
      kind: 'notice',
      privateTo: 'person',
      notify: ['person'],
      actions: choices(),
    }),
  )
  const sent = { name: LONG, mimeType: 'application/pdf', bytes: new Blob(['x']) }
  await adapter.upload?.(conversation, sent, outgoing('Here it is.', { kind: 'notice' }))
  await adapter.status(conversation, 'is reading…', new AbortController().signal)
  await stream(adapter, conversation)
}

/** More buttons than fit in a row, of every kind. */
function choices(): readonly Action[] {
  const many = Array.from({ length: 12 }, (_, index): Action => ({
    id: 'choose',
    label: `Choice ${index}`,
    value: `${index}`,
  }))
  const prompt = { title: `A ${'very '.repeat(20)}long title`, label: 'w'.repeat(90), prefill: 'message' } as const
  return [
    { id: 'edit', label: 'Edit', value: '1', style: 'primary', prompt },
    { id: 'forget', label: 'Forget', value: '1', style: 'danger' },
    ...many,
  ]
}

function receipt() {
  const states: readonly ReceiptItem['state'][] = [
    'received',
    'downloading',
    'converting',
    'uploading',
    'indexing',
    'removed',
  ]
  const items: ReceiptItem[] = [
    ...states.map((state) => ({ file: `${state}-${LONG}`, state })),
    { file: LONG, state: 'ready', fileId: 'job#0', note: 'replaces the earlier file of this name' },
    { file: 'b.pdf', state: 'failed', note: `No text was found in ${'it'.repeat(80)}.` },
  ]
  const actions = [
    { id: 'retry', label: 'Retry', value: 'b' },
    { id: 'remove', label: 'Remove', value: 'b', style: 'danger' },
  ] as const
  return outgoing('words\n\n_Files go into this channel._', { kind: 'receipt', receipt: items, actions })
}

async function stream(adapter: Scene['adapter'], conversation: ConversationRef): Promise<void> {
  const person = { id: 'person', name: 'You' }
  await adapter.stream?.({ ...conversation, thread: 'another' }, outgoing('Growing [1] text'), person)
}

/** Faults of the look, in words; with the test id of a part, those of that part. */
async function findFaults(page: Page, part?: string): Promise<readonly string[]> {
  const sideways = await measureSidewaysScroll(page)
  const scroll = sideways === 0 ? [] : [`The page scrolls sideways by ${sideways} pixels.`]
  return [...(await findAccessibilityFaults(page, part)), ...scroll]
}

for (const { colorScheme, width } of LOOKS) {
  describe(`${colorScheme}, ${width} pixels wide`, () => {
    // With less motion the colours of a transition are not caught halfway.
    const context = { colorScheme, reducedMotion: 'reduce', viewport: { width, height: 740 } } as const
    // An opened part changes the page's structure, which one look covers: in the dark only its own colours are new.
    const faultsOf = (page: Page, opened: string) => findFaults(page, colorScheme === 'dark' ? opened : undefined)

    test('the empty page has no accessibility fault and no sideways scroll', async () => {
      await using scene = await createScene()
      const served = await serve((request) => scene.adapter.fetch(request))
      const { page } = await openPage(browser, `${served.url}/#general`, context)
      await page.getByTestId('empty-state').waitFor()
      expect(await findFaults(page)).toEqual([])
      await page.context().close()
      await served.close()
    })

    test('a full conversation has no accessibility fault and no sideways scroll', async () => {
      await using scene = await createScene({ files: () => FILES })
      await fill(scene)
      const served = await serve((request) => scene.adapter.fetch(request))
      const { page } = await openPage(browser, `${served.url}/#general`, context)
      await page.getByTestId('receipt').waitFor()
      await page
        .getByTestId('file-input')
        .setInputFiles({ name: LONG, mimeType: 'application/pdf', buffer: Buffer.alloc(10) })
      await page.getByTestId('reply').first().click()
      expect(await findFaults(page)).toEqual([])
      await page.getByTestId('cite').first().click()
      await page.getByTestId('reference-panel').waitFor()
      expect(await faultsOf(page, 'reference-panel')).toEqual([])
      await page.keyboard.press('Escape')
      await page.getByRole('button', { name: 'Edit', exact: true }).last().click()
      await page.getByTestId('prompt').waitFor()
      expect(await faultsOf(page, 'prompt')).toEqual([])
      await page.keyboard.press('Escape')
      for (const [button, opened] of [
        ['Files of this channel', 'file-panel'],
        ['Settings of this channel', 'channel-dialog'],
      ] as const) {
        await page.getByRole('button', { name: button }).click()
        await page.getByTestId(opened).waitFor()
        expect(await faultsOf(page, opened)).toEqual([])
        await page.keyboard.press('Escape')
      }
      await page.keyboard.press('Control+k')
      await page.getByTestId('search-dialog').getByRole('searchbox').fill('wide')
      await page.getByTestId('search-dialog').getByRole('button', { name: /wide/ }).first().waitFor()
      expect(await faultsOf(page, 'search-dialog')).toEqual([])
      await page.context().close()
      await served.close()
    })

    test('the login has no accessibility fault and no sideways scroll', async () => {
      await using scene = await createScene({ password: 'open sesame' })
      const served = await serve((request) => scene.adapter.fetch(request))
      const { page } = await openPage(browser, served.url, context)
      await page.getByLabel('Password').fill('wrong')
      await page.getByRole('button', { name: 'Log in' }).click()
      await page.getByRole('alert').waitFor()
      expect(await findFaults(page)).toEqual([])
      await page.context().close()
      await served.close()
    })
  })
}

for (const colorScheme of ['light', 'dark'] as const) {
  test(`the opened channel list of a narrow page has no accessibility fault and closes by keyboard, ${colorScheme}`, async () => {
    await using scene = await createScene()
    const served = await serve((request) => scene.adapter.fetch(request))
    const context = { colorScheme, reducedMotion: 'reduce', viewport: { width: 360, height: 740 } } as const
    const { page } = await openPage(browser, `${served.url}/#general`, context)
    await page.getByTestId('empty-state').waitFor()
    await page.getByRole('button', { name: 'Show channels' }).click()
    await page.getByRole('button', { name: 'Hide channels' }).waitFor()
    expect(await findFaults(page)).toEqual([])
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: 'Hide channels' }).waitFor({ state: 'hidden' })
    await page.context().close()
    await served.close()
  })
}
