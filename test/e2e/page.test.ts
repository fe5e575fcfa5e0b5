import type { Browser, BrowserContextOptions } from 'playwright-core'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import type { WebAdapterOptions } from '#adapters/web/adapter.ts'
import type { Author } from '#bridge/port/author.ts'
import type { Message, Outgoing, Reference } from '#bridge/port/message.ts'
import { createScene, outgoing } from '../adapters/web/scene.ts'
import { serve } from '../support/web/serve.ts'
import { launchBrowser, openPage } from './support/browser.ts'
import {
  chooseFiles,
  createChannel,
  dropFiles,
  openChannel,
  openReference,
  readMessages,
  readReference,
  recordMemo,
  say,
  send,
  waitForMessage,
  waitForReceipt,
} from './support/page.ts'
import { PATIENCE, PATIENCE_MS } from '../support/patience.ts'
import { inLong } from '#test/support/forms.ts'

const ASKER: Author = { id: 'person', name: 'You' }
const REFERENCES: readonly Reference[] = [
  { number: 1, file: 'ferry.pdf', place: 'p.2', passage: 'The crossing\n  takes 47 minutes.' },
  { number: 2, file: 'handbook.md', passage: 'Dogs travel free.' },
]

let browser: Browser
beforeAll(async () => {
  browser = await launchBrowser()
})
afterAll(() => browser.close())

/** The page on a port, a browser on it; the test itself is the bridge. */
async function createPageScene(
  options: Partial<WebAdapterOptions> = {},
  context: BrowserContextOptions & { readonly path?: string } = {},
) {
  const scene = await createScene(options)
  const served = await serve((request) => scene.adapter.fetch(request))
  const { path = '/#general', ...contextOptions } = context
  const opened = await openPage(browser, served.url + path, contextOptions)
  return {
    ...opened,
    scene,
    url: served.url,
    /** The next message with this text, as the bridge gets it. */
    told: (text: string): Promise<Message> =>
      vi.waitFor(() => {
        for (const inbound of scene.receiver.inbounds.toReversed()) {
          if (inbound.kind === 'message' && inbound.message.text === text) return inbound.message
        }
        throw new Error(`Nobody said “${text}”.`)
      }, PATIENCE),
    cutLine: () => served.cut(),
    mendLine: () => served.mend(),
    async [Symbol.asyncDispose]() {
      await opened.page.context().close()
      await scene[Symbol.asyncDispose]()
      await served.close()
    },
  }
}

type PageScene = Awaited<ReturnType<typeof createPageScene>>

async function answer({ scene, told }: PageScene, asked: string, reply: Partial<Outgoing>) {
  const { conversation } = await told(asked)
  return scene.adapter.post(conversation, outgoing('', reply))
}

async function streamTo({ scene, told }: PageScene, asked: string, first: Outgoing) {
  const { conversation } = await told(asked)
  const stream = await scene.adapter.stream?.(conversation, first, ASKER)
  if (!stream) throw new Error('The page does not stream.')
  return stream
}

test('a fresh page says what to do, and the first message begins the conversation', async () => {
  await using opened = await createPageScene()
  const { page, errors } = opened
  await page.getByRole('heading', { name: 'Ask the files of #general' }).waitFor()
  expect(await page.getByTestId('empty-state').innerText()).toMatch(/Drop a file[^]*Ask[^]*Check/)
  await say(page, 'hello all')
  await opened.told('hello all')
  await page.getByTestId('empty-state').waitFor({ state: 'detached' })
  await page.getByTestId('message').waitFor()
  expect(await readMessages(page)).toMatchObject([{ kind: 'message', ours: false, text: /hello all/ }])
  expect(errors).toEqual([])
})

test('an answer streams in, its marks open the passage, and all is there after a reload', async () => {
  await using opened = await createPageScene()
  const { page, scene, errors } = opened
  await say(page, '@footbridge how long is the ferry?')
  const { conversation } = await opened.told('how long is the ferry?')
  const status = new AbortController()
  await scene.adapter.status(conversation, 'is reading…', status.signal)
  await page.getByTestId('status').getByText('Footbridge is reading…').waitFor()

  const first = outgoing('The ferry')
  const stream = await streamTo(opened, 'how long is the ferry?', first)
  await page.getByTestId('answer-text').getByText('The ferry').waitFor()
  await page.getByTestId('status').waitFor({ state: 'detached' })
  await stream.append(' takes **47')
  await stream.append(' minutes** [1].')
  await page.getByTestId('answer-text').getByText('47 minutes').waitFor()
  expect(await page.getByTestId('cite').count()).toBe(0)
  await stream.finish({ ...first, text: 'The ferry takes **47 minutes** [1].', references: REFERENCES })

  const message = await waitForMessage(page, 'answer')
  expect(await openReference(message, 1)).toEqual({
    file: 'ferry.pdf',
    place: 'p.2',
    passage: 'The crossing\n  takes 47 minutes.',
  })
  await openChannel(page, 'New chat')
  await page.getByTestId('reference-panel').waitFor({ state: 'detached' })
  await openChannel(page, 'general')
  await page.reload()
  const again = await waitForMessage(page, 'answer')
  expect(await openReference(again, 1)).toMatchObject({ file: 'ferry.pdf', place: 'p.2' })
  expect(errors).toEqual([])
})

test('a reload in the middle of an answer shows it so far, and it goes on', inLong, async () => {
  await using opened = await createPageScene()
  const { page } = opened
  await say(page, '@footbridge how long?')
  const stream = await streamTo(opened, 'how long?', outgoing('The ferry'))
  await stream.append(' takes')
  await page.getByText('The ferry takes').waitFor()
  await page.reload()
  await page.getByText('The ferry takes').waitFor()
  await stream.append(' 47 minutes.')
  await page.getByText('The ferry takes 47 minutes.').waitFor()
  expect(await readMessages(page)).toHaveLength(2)
})

test('references are opened, walked through and closed by keyboard alone', inLong, async () => {
  await using opened = await createPageScene()
  const { page } = opened
  await say(page, '@footbridge how long?')
  await answer(opened, 'how long?', { text: 'Long [1]. Dogs are free [2].', references: REFERENCES })
  await waitForMessage(page, 'answer')
  const mark = page.getByRole('button', { name: 'Reference 1: ferry.pdf, p.2' })
  await mark.focus()
  await page.keyboard.press('Enter')
  expect(await readReference(page)).toMatchObject({ file: 'ferry.pdf' })
  expect(await page.evaluate('document.activeElement.id')).toBe('reference-title')
  await page.keyboard.press('ArrowRight')
  await page.getByTestId('reference-panel').getByText('Dogs travel free.').waitFor()
  expect(await readReference(page)).toEqual({ file: 'handbook.md', place: '', passage: 'Dogs travel free.' })
  await page.keyboard.press('Escape')
  await page.getByTestId('reference-panel').waitFor({ state: 'detached' })
  expect(await page.evaluate('document.activeElement.textContent')).toBe('1')
})

test('dropped files go up whole, and their receipts live', async () => {
  await using opened = await createPageScene()
  const { page, scene, errors } = opened
  const bytes = Buffer.from('# Ferry\n47 minutes\n')
  await dropFiles(page, [
    { name: 'ferry.md', mimeType: 'text/markdown', bytes },
    { name: 'scan.pdf', mimeType: 'application/pdf', bytes: Buffer.alloc(3_000_000, 7) },
  ])
  await send(page)
  const message = await opened.told('')
  expect(message.attachments).toMatchObject([
    { name: 'ferry.md', kind: 'document', sizeBytes: bytes.length },
    { name: 'scan.pdf', sizeBytes: 3_000_000 },
  ])
  const [first] = message.attachments
  if (!first) throw new Error('No file came.')
  const stored = await scene.adapter.open(first, AbortSignal.timeout(PATIENCE_MS))
  expect(Buffer.from(await new Response(stored).arrayBuffer())).toEqual(bytes)

  const receipt = outgoing('in words\n\n_Files go into this channel._', {
    kind: 'receipt',
    receipt: [
      { file: 'ferry.md', state: 'indexing' },
      { file: 'scan.pdf', state: 'downloading' },
    ],
  })
  const ref = await scene.adapter.post(message.conversation, receipt)
  expect((await waitForReceipt(page, 'ferry.md', 'indexing')).text).toContain('Indexing')
  await page.getByText('Files go into this channel.').waitFor()
  await scene.adapter.edit?.(ref, {
    ...receipt,
    receipt: [
      { file: 'ferry.md', state: 'ready' },
      { file: 'scan.pdf', state: 'failed', note: 'No text was found in it.' },
    ],
    actions: [{ id: 'retry', label: 'Retry', value: 'scan' }],
  })
  expect((await waitForReceipt(page, 'ferry.md', 'ready')).text).toContain('Ready')
  expect((await waitForReceipt(page, 'scan.pdf', 'failed')).text).toContain('No text was found in it.')
  await page.getByRole('button', { name: 'Retry' }).click()
  await vi.waitFor(
    () => expect(scene.receiver.inbounds.at(-1)).toMatchObject({ kind: 'action', messageId: ref.id }),
    PATIENCE,
  )
  expect(errors).toEqual([])
})

test('a file over the cap is refused at once with a sentence', inLong, async () => {
  await using opened = await createPageScene({ maxFileBytes: 1000 })
  await chooseFiles(opened.page, [{ name: 'big.pdf', mimeType: '', bytes: Buffer.alloc(2000) }])
  expect(await opened.page.getByTestId('problem').innerText()).toBe(
    'big.pdf is larger than 1 kB, the most that one file may have here.',
  )
})

test('a memo recorded in a channel is a voice attachment that can be heard again', inLong, async () => {
  await using opened = await createPageScene()
  const { page, scene, errors } = opened
  await recordMemo(page)
  await send(page)
  const message = await opened.told('')
  expect(message).toMatchObject({ attachments: [{ kind: 'voice', mimeType: 'audio/webm' }] })
  const [memo] = message.attachments
  if (!memo) throw new Error('No memo came.')
  expect(memo.durationMs).toBeGreaterThan(900)
  const bytes = await new Response(await scene.adapter.open(memo, AbortSignal.timeout(PATIENCE_MS))).arrayBuffer()
  // EBML: the first bytes of every WebM file.
  expect(Buffer.from(bytes).subarray(0, 4).toString('hex')).toBe('1a45dfa3')
  await page.getByLabel('Voice message', { exact: true }).waitFor()
  expect(errors).toEqual([])
})

test('the microphone that is asked for twice is opened once, and stops with the recording', inLong, async () => {
  await using opened = await createPageScene()
  const { page, errors } = opened
  await page.evaluate(`{
    const devices = navigator.mediaDevices
    const open = devices.getUserMedia.bind(devices)
    window.streams = []
    const allowed = new Promise((resolve) => (window.allow = resolve))
    devices.getUserMedia = async (wanted) => {
      await allowed
      const stream = await open(wanted)
      window.streams.push(stream)
      return stream
    }
  }`)
  await page.getByRole('button', { name: 'Record a voice message' }).click()
  await page.getByRole('button', { name: 'Record a voice message' }).click()
  await page.evaluate('window.allow()')
  await page.getByRole('button', { name: 'Discard recording' }).click()
  const live = 'window.streams.flatMap((one) => one.getTracks()).map((track) => track.readyState)'
  expect(await page.evaluate(live)).toEqual(['ended'])
  expect(errors).toEqual([])
})

test('without a microphone the page says why and what to do instead', inLong, async () => {
  await using opened = await createPageScene()
  const { page } = opened
  const cases = [
    ['NotFoundError', /No microphone was found.*drop an audio file/],
    ['NotAllowedError', /blocked.*Allow it/],
    ['NotReadableError', /could not be started/],
  ] as const
  for (const [name, sentence] of cases) {
    await page.evaluate(`navigator.mediaDevices.getUserMedia = () => Promise.reject(new DOMException('', '${name}'))`)
    await page.getByRole('button', { name: 'Record a voice message' }).click()
    await expect.poll(() => page.getByTestId('problem').innerText()).toMatch(sentence)
  }
  // Over plain http beyond localhost browsers do not have it at all.
  await page.evaluate('delete Navigator.prototype.mediaDevices')
  await page.getByRole('button', { name: 'Record a voice message' }).click()
  await page
    .getByTestId('problem')
    .getByText(/only over https or on localhost/)
    .waitFor()
})

test('a reply stays in its thread and needs no mention', inLong, async () => {
  await using opened = await createPageScene()
  const { page } = opened
  await say(page, '@footbridge how long?')
  await answer(opened, 'how long?', { text: '47 minutes' })
  await waitForMessage(page, 'answer')
  await say(page, 'something else')
  const other = await opened.told('something else')
  const thread = page.getByTestId('thread').filter({ hasText: '47 minutes' })
  await thread.getByRole('button', { name: 'Reply' }).click()
  await page.getByTestId('thread-line').getByText('Replying to “how long?”').waitFor()
  await say(page, 'and on Tuesday?')
  const question = await opened.told('how long?')
  const reply = await opened.told('and on Tuesday?')
  expect(reply.conversation).toEqual(question.conversation)
  expect(other.conversation).not.toEqual(question.conversation)
  await thread.getByText('and on Tuesday?').waitFor()
  await page.getByTestId('composer-text').press('Escape')
  await page.getByTestId('thread-line').waitFor({ state: 'detached' })
})

test('a person edits a message of theirs, and deletes it after being asked', inLong, async () => {
  await using opened = await createPageScene()
  const { page, scene } = opened
  await say(page, '@footbridge how logn?')
  const { id } = await opened.told('how logn?')
  await page.getByTestId('message').hover()
  await page.getByRole('button', { name: 'Edit' }).click()
  await page.getByRole('textbox', { name: 'Edit' }).fill('@footbridge how long?')
  await page.keyboard.press('Enter')
  await page.getByText('edited', { exact: true }).waitFor()
  expect(scene.receiver.inbounds.at(-1)).toMatchObject({ kind: 'edit', message: { id, text: 'how long?' } })
  await page.getByRole('button', { name: 'Delete' }).click()
  await page.keyboard.press('Escape')
  expect(await readMessages(page)).toMatchObject([{ text: /how long/ }])
  await page.getByRole('button', { name: 'Delete' }).click()
  await page.getByText('Delete this message, and the answer to it?').waitFor()
  await page.keyboard.press('Enter')
  await page.getByTestId('empty-state').waitFor()
  expect(scene.receiver.inbounds.at(-1)).toMatchObject({ kind: 'delete', messageId: id })
})

test('channels are made, kept apart and remembered in the address; no mention is needed', inLong, async () => {
  await using opened = await createPageScene({}, { path: '/' })
  const { page } = opened
  await page.getByRole('heading', { level: 1, name: 'New chat' }).waitFor()
  await createChannel(page, 'harbour')
  await page.getByTestId('composer-text').pressSequentially('who?')
  await openChannel(page, 'general')
  expect(await page.getByTestId('composer-text').inputValue()).toBe('')
  await openChannel(page, 'harbour')
  await page.getByTestId('composer-text').press('Shift+Enter')
  await page.getByTestId('composer-text').press('Enter')
  expect(await opened.told('who?')).toMatchObject({ addressed: true })
  await openChannel(page, 'general')
  await answer(opened, 'who?', { text: 'Ada.' })
  await page.getByRole('button', { name: /harbour.*new messages/ }).click()
  await waitForMessage(page, 'answer', 'Ada.')
  await page.reload()
  await page.getByRole('heading', { level: 1, name: '#harbour' }).waitFor()
  await waitForMessage(page, 'answer', 'Ada.')
})

test('a message that was not taken says so and gets through with one press', inLong, async () => {
  await using opened = await createPageScene()
  const { page, scene } = opened
  scene.receiver.gate(() => Promise.reject(new Error('The disk is full.')))
  await say(page, 'keep this')
  await page.getByText('Nothing is lost: try again.').waitFor()
  scene.receiver.gate(undefined)
  await page.reload()
  await page.getByText('Not delivered yet.').waitFor()
  await page.getByRole('button', { name: 'Try again' }).click()
  await page.getByText('Not delivered yet.').waitFor({ state: 'detached' })
  expect(await readMessages(page)).toHaveLength(1)
  expect((await opened.scene.browser.history('general')).messages).toMatchObject([{ accepted: true }])
})

test('a lost connection is told, what is written meanwhile is kept, and what was missed comes in', async () => {
  await using opened = await createPageScene()
  const { page, scene } = opened
  await say(page, '@footbridge how long?')
  const { conversation } = await opened.told('how long?')
  opened.cutLine()
  await page.getByText('Connection lost. Trying again …').waitFor()
  await say(page, 'are you there?')
  await page.getByText('Footbridge cannot be reached.').waitFor()
  await scene.adapter.post(conversation, outgoing('47 minutes'))
  opened.mendLine()
  await waitForMessage(page, 'answer', '47 minutes')
  await page.getByText('Connection lost.').waitFor({ state: 'detached' })
  await page.getByRole('button', { name: 'Try again' }).click()
  await opened.told('are you there?')
  await page.getByTestId('pending').waitFor({ state: 'detached' })
  expect(await readMessages(page)).toHaveLength(3)
})

test('what one browser says, the other sees at once', inLong, async () => {
  await using opened = await createPageScene()
  const other = await openPage(browser, `${opened.url}/#general`)
  await say(opened.page, 'hello all')
  await other.page.getByText('hello all').waitFor()
  expect(await readMessages(other.page)).toHaveLength(1)
  await other.page.context().close()
})

test(
  'what is said while the messages of a channel are on their way is not lost, and a failed load is tried again',
  inLong,
  async () => {
    await using opened = await createPageScene()
    const { page, scene } = opened
    await page.locator('main[aria-busy=false]').waitFor()
    const loads: string[] = []
    await page.route('**/channels/general/messages', async (route) => {
      loads.push('asked')
      if (loads.length === 1) return route.abort()
      const response = await route.fetch()
      await scene.browser.say('general', { text: 'said while it is on its way' })
      // The event has the shorter way.
      await new Promise((resolve) => {
        setTimeout(resolve, 300)
      })
      return route.fulfill({ response })
    })
    let states = 0
    await page.route('**/api/web/state', (route) => ((states += 1) < 3 ? route.abort() : route.continue()))
    await page.reload()
    await page.getByText('Connection lost.').waitFor()
    await page.getByText('said while it is on its way').waitFor()
    await page.getByText('Connection lost.').waitFor({ state: 'detached' })
    expect([loads.length, states]).toEqual([2, 3])
    expect(await readMessages(page)).toHaveLength(1)
  },
)

test('the name of the person goes with the messages and is remembered', inLong, async () => {
  await using opened = await createPageScene()
  const { page } = opened
  await page.getByTitle('Change your name').click()
  await page.getByLabel('Your name').fill('Ada')
  await page.getByRole('button', { name: 'Save' }).click()
  await say(page, 'hello')
  expect((await opened.told('hello')).author.name).toBe('Ada')
  await page.reload()
  await page.getByTitle('Change your name').getByText('Ada').waitFor()
})

test('an answer of 20,000 characters with code and a table arrives whole while it streams', inLong, async () => {
  await using opened = await createPageScene()
  const { page, errors } = opened
  const code = Array.from({ length: 120 }, (_, line) => `const line${line} = ${line} // ${'x'.repeat(40)}`).join('\n')
  const rows = Array.from({ length: 60 }, (_, row) => `| row${row} | ${'cell '.repeat(12)} |`).join('\n')
  const prose = Array.from({ length: 1200 }, (_, word) => `word${word}`).join(' ')
  const text = `Begin.\n\n\`\`\`js\n${code}\n\`\`\`\n\n| a | b |\n|---|---|\n${rows}\n\n${prose}\n\nThe end.`
  expect(text.length).toBeGreaterThan(20_000)
  await say(page, '@footbridge tell all')
  const first = outgoing(text.slice(0, 10))
  const stream = await streamTo(opened, 'tell all', first)
  for (let at = 10; at < text.length; at += 40) await stream.append(text.slice(at, at + 40))
  await stream.finish({ ...first, text })
  const message = await waitForMessage(page, 'answer', 'The end.')
  const shown = (await message.getByTestId('answer-text').textContent()) ?? ''
  for (const line of code.split('\n')) expect(shown).toContain(line)
  expect(await message.locator('tbody tr').count()).toBe(60)
  expect(shown.replaceAll(/\s+/g, ' ')).toContain(prose)
  expect(errors).toEqual([])
})

test('nothing in an answer, a name or a message becomes live', async () => {
  await using opened = await createPageScene()
  const { page, errors } = opened
  const evil = '<img src=/assets/icon.svg onerror=alert(1)><script>alert(1)</script>'
  await say(page, `@footbridge ${evil}`)
  const references = [{ number: 1, file: evil, place: evil, passage: evil }]
  const text = `${evil} ![x](http://127.0.0.1:1/x.png) [click](javascript:alert(1)) [1]`
  await answer(opened, evil, { text, references })
  const message = await waitForMessage(page, 'answer')
  expect((await openReference(message, 1)).passage).toBe(evil)
  expect(await page.locator('main img, main script, main a[href^=javascript]').count()).toBe(0)
  expect(errors).toEqual([])
})

test('a streamed answer is announced when it begins and when it is whole, not piece by piece', inLong, async () => {
  await using opened = await createPageScene()
  const { page } = opened
  await say(page, '@footbridge how long?')
  const first = outgoing('The')
  const stream = await streamTo(opened, 'how long?', first)
  const announcement = page.getByTestId('announcement')
  await announcement.getByText('Footbridge is answering').waitFor({ state: 'attached' })
  await stream.append(' ferry')
  await page.getByText('The ferry').waitFor()
  expect(await announcement.innerText()).toBe('Footbridge is answering')
  expect(await page.getByTestId('answer-text').getAttribute('aria-live')).toBe('off')
  await stream.finish({ ...first, text: 'The ferry takes 47 minutes.' })
  await announcement.getByText('Footbridge has answered: The ferry takes 47 minutes.').waitFor({ state: 'attached' })
})

test('the page speaks German to a German browser', async () => {
  await using opened = await createPageScene({}, { locale: 'de-DE' })
  await opened.page.getByRole('heading', { name: 'Frag die Dateien von #general' }).waitFor()
  expect(await opened.page.evaluate('document.documentElement.lang')).toBe('de')
  await say(opened.page, 'Hallo')
  expect((await opened.told('Hallo')).author).toMatchObject({ name: 'Du', language: 'de-DE' })
})

test('with a password the page asks for it, and the log-out button leads back', inLong, async () => {
  await using opened = await createPageScene({ password: 'open sesame' }, { path: '/' })
  const { page } = opened
  await page.getByLabel('Password').fill('wrong')
  await page.getByRole('button', { name: 'Log in' }).click()
  await page.getByRole('alert').getByText('This is not the password.').waitFor()
  await page.getByLabel('Password').fill('open sesame')
  await page.getByLabel('Password').press('Enter')
  await page.getByRole('heading', { level: 1, name: 'New chat' }).waitFor()
  await page.getByRole('button', { name: 'Log out' }).click()
  await page.getByLabel('Password').waitFor()
  await page.goto(opened.url)
  await page.getByLabel('Password').waitFor()
  expect(new URL(page.url()).pathname).toBe('/login')
})
