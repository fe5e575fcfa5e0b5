import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import type { Action, Inbound, Reference } from '#bridge/port/message.ts'
import { createScene, outgoing } from '../adapters/web/scene.ts'
import { serve } from '../support/web/serve.ts'
import { launchBrowser, openPage } from './support/browser.ts'
import { findAccessibilityFaults, measureSidewaysScroll } from './support/page.ts'
import { PATIENCE } from '../support/patience.ts'
import { inLong } from '#test/support/forms.ts'

let browser: Browser
beforeAll(async () => {
  browser = await launchBrowser()
})
afterAll(() => browser.close())

const edit: Action = {
  id: 'edit',
  label: 'Edit',
  value: 'offer:1',
  style: 'primary',
  prompt: { title: 'Edit what was heard', label: 'The words', prefill: 'message' },
}

const ANEW: readonly Action[] = ['another', 'shorter', 'longer'].map((manner) => ({
  id: `say.${manner}`,
  label: manner,
  value: 'a1',
}))

/** A question in `general`, a browser on it; the test itself is the bridge. */
async function ask(viewport = { width: 1280, height: 800 }) {
  const scene = await createScene()
  const served = await serve((request) => scene.adapter.fetch(request))
  const { page, errors } = await openPage(browser, `${served.url}/#general`, { viewport })
  await page.getByTestId('composer-text').waitFor()
  const said = await scene.browser.say('general', { text: '@footbridge how long?' })
  const { conversation } = scene.receiver.message()
  return {
    page,
    errors,
    scene,
    said,
    conversation,
    url: served.url,
    next: <K extends Inbound['kind']>(kind: K): Promise<Extract<Inbound, { kind: K }>> =>
      vi.waitFor(() => {
        const found = scene.receiver.inbounds.find((each): each is Extract<Inbound, { kind: K }> => each.kind === kind)
        if (found === undefined) throw new Error(`No ${kind} has arrived.`)
        return found
      }, PATIENCE),
    async [Symbol.asyncDispose]() {
      await page.context().close()
      await scene[Symbol.asyncDispose]()
      await served.close()
    },
  }
}

test('a button that asks for a text is answered by keyboard alone, and the focus comes back to it', async () => {
  await using opened = await ask()
  const { page, scene, conversation, errors } = opened
  const ref = await scene.adapter.post(conversation, outgoing('🎙️ “how long?”', { actions: [edit] }))
  const button = page.getByRole('button', { name: 'Edit', exact: true }).last()
  await button.focus()
  await page.keyboard.press('Enter')
  const dialog = page.getByRole('dialog', { name: 'Edit what was heard' })
  const field = dialog.getByLabel('The words')
  await expect.poll(() => field.evaluate((node) => node.matches(':focus'))).toBe(true)
  expect(await field.inputValue()).toBe('how long?')
  await page.keyboard.press('ControlOrMeta+A')
  await page.keyboard.type('how far?')
  await page.keyboard.press('Tab')
  await page.keyboard.press('Enter')
  await dialog.waitFor({ state: 'hidden' })
  expect(await opened.next('action')).toMatchObject({
    messageId: ref.id,
    action: { id: 'edit', value: 'offer:1', text: 'how far?' },
  })
  await expect.poll(() => button.evaluate((node) => node.matches(':focus'))).toBe(true)
  expect(errors).toEqual([])
})

test(
  'a dialog closes by Escape without a word, asks for words, and says when they were not taken',
  inLong,
  async () => {
    await using opened = await ask()
    const { page, scene, conversation } = opened
    await scene.adapter.post(conversation, outgoing('how long?', { actions: [edit] }))
    const button = page.getByRole('button', { name: 'Edit', exact: true }).last()
    const dialog = page.getByTestId('prompt')
    await button.click()
    await page.keyboard.press('Escape')
    await dialog.waitFor({ state: 'hidden' })
    await button.click()
    await dialog.getByLabel('The words').fill('  ')
    await dialog.getByRole('button', { name: 'Send' }).click()
    await dialog.getByRole('alert').filter({ hasText: 'Write something first' }).waitFor()
    scene.receiver.gate(() => Promise.reject(new Error('The disk is full.')))
    await dialog.getByLabel('The words').fill('how far?')
    await dialog.getByRole('button', { name: 'Send' }).click()
    await dialog.getByRole('alert').filter({ hasText: 'Nothing is lost' }).waitFor()
    expect(await dialog.getByLabel('The words').inputValue()).toBe('how far?')
    scene.receiver.gate(undefined)
    await dialog.getByRole('button', { name: 'Send' }).click()
    await dialog.waitFor({ state: 'hidden' })
  },
)

test('many buttons wrap within the message and none is cut', inLong, async () => {
  await using opened = await ask({ width: 390, height: 800 })
  const { page, scene, conversation } = opened
  const actions = Array.from({ length: 15 }, (_, index): Action => ({
    id: 'choose',
    label: `Choice number ${index}`,
    value: `${index}`,
  }))
  await scene.adapter.post(conversation, outgoing('Which?', { actions }))
  const group = page.getByRole('group', { name: 'Choices' })
  await group.waitFor()
  const inside = await group.evaluate((box) => {
    const { left, right } = box.getBoundingClientRect()
    return [...box.querySelectorAll('button')].every((button) => {
      const at = button.getBoundingClientRect()
      return at.left >= left && at.right <= right && button.scrollWidth <= button.clientWidth
    })
  })
  expect(inside).toBe(true)
  await group.getByRole('button', { name: 'Choice number 14' }).click()
  expect((await opened.next('action')).action).toEqual({ id: 'choose', value: '14' })
})

test('a message is marked to be kept, and says so', inLong, async () => {
  await using opened = await ask()
  const { page, said, conversation } = opened
  const message = page.getByTestId('message').filter({ hasText: 'how long?' })
  await message.hover()
  await message.getByRole('button', { name: 'Keep this message in the files' }).click()
  await message.getByRole('button', { name: 'Marked to be kept' }).waitFor()
  expect(await opened.next('pin')).toMatchObject({ messageId: said.id, conversation, author: { id: 'person' } })
})

test('a file that is handed out is downloaded, also after a restart', async () => {
  await using opened = await ask()
  const { page, scene, conversation } = opened
  const file = { name: 'Fähre "A".html', mimeType: 'text/html', bytes: new Blob(['<script>alert(1)</script>']) }
  await scene.adapter.upload?.(conversation, file, outgoing('Here it is.'))
  const link = page.getByRole('link', { name: `Download ${file.name}` })
  const [download] = await Promise.all([page.waitForEvent('download'), link.click()])
  expect(download.suggestedFilename()).toBe('Fähre _A_.html')
  await scene.restart()
  const response = await fetch(new URL((await link.getAttribute('href')) ?? '', opened.url))
  expect(await response.text()).toBe('<script>alert(1)</script>')
  expect(response.headers.get('content-disposition')).toMatch(/^attachment; filename\*=UTF-8''F%C3%A4hre/)
  expect(response.headers.get('content-type')).toBe('application/octet-stream')
  expect(response.headers.get('x-content-type-options')).toBe('nosniff')
  expect(response.headers.get('content-security-policy')).toContain('sandbox')
})

test(
  'a reference says version, who and when, marks the sentence, and leads to the message far above',
  inLong,
  async () => {
    await using opened = await ask()
    const { page, scene, said, errors } = opened
    const link = await scene.adapter.permalink({ conversation: opened.conversation, id: said.id })
    expect(link).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/#general\/[\w-]+$/)
    for (let index = 0; index < 60; index += 1) await scene.browser.say('general', { text: `line ${index}` })
    const reference: Reference = {
      number: 1,
      file: '<b>ferry</b>.pdf',
      place: 'p.3',
      passage: 'The ferry sails daily.\nIt takes 47 minutes. <b>Dogs</b> are free.',
      support: 'It takes 47 minutes.',
      version: 2,
      droppedBy: '<i>Ada</i>',
      droppedAt: '2026-11-12T10:00:00.000Z',
      ...(link !== undefined && { link }),
    }
    const { conversation } = scene.receiver.message()
    await scene.adapter.post(conversation, outgoing('47 minutes [1].', { references: [reference] }))
    await page.reload()
    await page.getByTestId('cite').click()
    const panel = page.getByTestId('reference-panel')
    expect(await panel.getByTestId('reference-source').locator('p').innerText()).toMatch(
      /Version 2\s*·?\s*dropped by <i>Ada<\/i>\s*·?\s*Nov 12, 2026/,
    )
    expect(await panel.getByTestId('reference-support').innerText()).toBe('It takes 47 minutes.')
    expect(await panel.getByTestId('reference-passage').textContent()).toBe(reference.passage)
    await panel.getByRole('link', { name: 'Go to the message' }).click()
    const target = page.locator(`#m-${said.id}`)
    await expect.poll(() => target.evaluate((node) => node.matches(':focus'))).toBe(true)
    expect(await target.isVisible()).toBe(true)
    expect(errors).toEqual([])
  },
)

test('an address elsewhere opens beside the page, and what is no address is none', inLong, async () => {
  await using opened = await ask()
  const { page, scene, conversation } = opened
  const references = ['https://elsewhere.example/#a/b/c', 'javascript:alert(1)'].map((link, index): Reference => ({
    number: index + 1,
    file: 'a.pdf',
    passage: 'x',
    link,
  }))
  await scene.adapter.post(conversation, outgoing('One [1], two [2].', { references }))
  await page.getByTestId('cite').first().click()
  const link = page.getByTestId('reference-panel').getByRole('link', { name: 'Go to the message' })
  expect(await link.getAttribute('target')).toBe('_blank')
  expect(await link.getAttribute('rel')).toContain('noopener')
  await page.keyboard.press('ArrowRight')
  await expect.poll(() => link.count()).toBe(0)
})

test('what only the person sees, and what they are told of, says so', inLong, async () => {
  await using opened = await ask()
  const { page, scene, conversation } = opened
  await scene.adapter.post(conversation, outgoing('a secret', { privateTo: 'person' }))
  await scene.adapter.post(conversation, outgoing('please look', { notify: ['person'] }))
  const of = (text: string) => page.getByTestId('message').filter({ hasText: text })
  await of('a secret').getByTestId('private').waitFor()
  await of('please look').getByTestId('notifies').waitFor()
  expect(await page.getByTestId('private').count()).toBe(1)
  expect(await page.getByTestId('notifies').count()).toBe(1)
})

const NEAR: Reference = {
  number: 1,
  file: 'ferry.md',
  place: 'L3',
  passage: '- Boats leave at **nine**.\n- Dogs pay.',
  support: 'Dogs pay.',
}

test('the nearest passages are cards that open, and an open passage gives way to that of a newer answer', async () => {
  await using opened = await ask()
  const { page, scene, conversation, errors } = opened
  const text = '**I found no passage with these words.**\n\nThese may help:\n- Boats leave at nine. [1]\n\n_A note._'
  await scene.adapter.post(conversation, outgoing(text, { references: [NEAR], isUnsure: true }))
  const message = page.getByTestId('message').filter({ hasText: 'I found no passage' })
  const card = message.getByTestId('nearest').getByRole('button')
  expect(await card.innerText()).toMatch(/ferry\.md\s*L3\s*Boats leave at nine\./)
  expect(await message.innerText()).toMatch(/These may help:[^]*ferry\.md[^]*A note\./)
  expect(await message.getByText('Boats leave at nine.').count()).toBe(1)
  await card.click()
  const panel = page.getByTestId('reference-panel')
  expect(await panel.getByRole('listitem').allInnerTexts()).toEqual(['Boats leave at **nine**.', 'Dogs pay.'])
  expect(await findAccessibilityFaults(page)).toEqual([])

  await page.getByTestId('composer-text').focus()
  const references = [{ number: 2, file: 'tides.md', passage: 'High at noon.' }]
  await scene.adapter.post(conversation, outgoing('At noon [2].', { references, model: 'llama3.3', actions: ANEW }))
  await panel.getByText('High at noon.').waitFor()
  expect(await page.evaluate('document.activeElement?.dataset.testid')).toBe('composer-text')
  const answered = page.getByTestId('message').filter({ hasText: 'At noon' })
  await answered.getByText('Answered by llama3.3').waitFor()
  for (const name of ['Another answer', 'Shorter', 'Longer'])
    expect(await answered.getByRole('button', { name }).innerText()).toBe(name)
  expect(errors).toEqual([])
})

test('signs in our own sentences are icons, those of an answer stay', async () => {
  await using opened = await ask()
  const { page, scene, conversation } = opened
  await scene.adapter.post(conversation, outgoing('\u2705 All is ready. \u{1F4CC} it.', { kind: 'notice' }))
  await scene.adapter.post(conversation, outgoing('\u2705 Yes.'))
  const notice = page.getByTestId('message').filter({ hasText: 'All is ready' })
  expect(await notice.getByTestId('answer-text').innerText()).toMatch(/^\s*All is ready\.\s+it\.$/)
  await notice.getByRole('img', { name: 'Keep this message in the files' }).waitFor()
  await page.getByText('\u2705 Yes.').waitFor()
})

test('many ready files are one line that opens, each with its pages', async () => {
  await using opened = await ask()
  const { page, scene, conversation } = opened
  const ready = ['a.md', 'b.md', 'c.md', 'd.md'].map((file) => ({ file, state: 'ready' as const }))
  const failed = { file: 'e.pdf', state: 'failed' as const, note: 'It is damaged.' }
  await scene.adapter.post(conversation, outgoing('x', { kind: 'receipt', receipt: [...ready, failed] }))
  const items = page.getByTestId('receipt-item')
  const seen = items.filter({ visible: true })
  await page.getByText('4 files ready').waitFor()
  expect(await seen.count()).toBe(1)
  expect(await findAccessibilityFaults(page)).toEqual([])
  await page.getByText('4 files ready').click()
  expect(await seen.count()).toBe(5)
  expect(await findAccessibilityFaults(page)).toEqual([])
})

test('formulas are drawn as MathML, prices and wrong LaTeX stay text, on a narrow dark screen as well', async () => {
  await using opened = await ask()
  const { page, scene, conversation, errors } = opened
  const wide = Array.from({ length: 40 }, (_, index) => `x_{${index}}`).join(' + ')
  const text = String.raw`It costs $5, not $10: $p = \frac{n}{2}$ [1].

\[\sum_{i=1}^{n} i = ${wide}\]

Wrong: $\frac{$ and $\undefinedthing{x}$, and $\href{javascript:alert(1)}{y}$.`
  await scene.adapter.post(conversation, outgoing(text, { references: [NEAR] }))
  const answer = page.getByTestId('answer-text')
  await answer.locator('math mfrac').waitFor()
  await answer.locator('math[display=block] munderover').waitFor()
  expect(await answer.locator('math').count()).toBe(2)
  expect(await answer.innerText()).toMatch(/It costs \$5, not \$10:/)
  expect(await answer.locator('code:visible').allInnerTexts()).toEqual([
    String.raw`\frac{`,
    String.raw`\undefinedthing{x}`,
    String.raw`\href{javascript:alert(1)}{y}`,
  ])
  expect(await answer.locator('a').count()).toBe(0)
  expect(await findAccessibilityFaults(page)).toEqual([])
  await page.setViewportSize({ width: 360, height: 740 })
  await page.emulateMedia({ colorScheme: 'dark', reducedMotion: 'reduce' })
  expect(await findAccessibilityFaults(page)).toEqual([])
  expect(await measureSidewaysScroll(page)).toBe(0)
  expect(errors).toEqual([])
})
