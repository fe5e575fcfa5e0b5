/** Drives the web page as a person does: by roles and names, and by test ids where many things look alike. */
import axe from 'axe-core'
import type { Locator, Page } from 'playwright-core'
import type { ReceiptItem } from '#bridge/port/message.ts'

export interface DroppedFile {
  readonly name: string
  readonly mimeType: string
  readonly bytes: Buffer
}

/** Opens a channel by the name in the list: `general`, `New chat`. */
export async function openChannel(page: Page, name: string): Promise<void> {
  const menu = page.getByRole('button', { name: 'Show channels' })
  if (await menu.isVisible()) await menu.click()
  await page.getByRole('navigation', { name: 'Channels' }).getByRole('button', { name, exact: true }).click()
  await page.getByRole('heading', { level: 1, name: new RegExp(`^#?${RegExp.escape(name)}$`) }).waitFor()
  await page.locator('main[aria-busy=false]').waitFor()
}

export async function createChannel(page: Page, name: string): Promise<void> {
  await page.getByRole('button', { name: 'New channel' }).click()
  await page.getByLabel('Channel name').fill(name)
  await page.getByRole('button', { name: 'Create', exact: true }).click()
  await page.getByRole('heading', { level: 1, name: `#${name}` }).waitFor()
  await page.locator('main[aria-busy=false]').waitFor()
}

/** Types a message and presses Enter. */
export async function say(page: Page, text: string): Promise<void> {
  await page.getByTestId('composer-text').fill(text)
  await page.getByTestId('composer-text').press('Enter')
}

/** Presses Send: for drafts with files or a memo. */
export async function send(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Send', exact: true }).click()
}

/** Drags files over the page and lets them go; they are in the draft then. */
export async function dropFiles(page: Page, files: readonly DroppedFile[]): Promise<void> {
  await page.getByTestId('composer-text').waitFor()
  const plain = files.map(({ name, mimeType, bytes }) => ({ name, mimeType, base64: bytes.toString('base64') }))
  await page.evaluate(`{
    const data = new DataTransfer()
    for (const { name, mimeType, base64 } of ${JSON.stringify(plain)}) {
      const bytes = Uint8Array.from(atob(base64), (char) => char.charCodeAt(0))
      data.items.add(new File([bytes], name, { type: mimeType }))
    }
    const target = document.querySelector('main')
    const fire = (type) =>
      target.dispatchEvent(new DragEvent(type, { dataTransfer: data, bubbles: true, cancelable: true }))
    fire('dragover')
    fire('drop')
  }`)
  await page
    .getByTestId('draft-files')
    .getByRole('listitem')
    .nth(files.length - 1)
    .waitFor()
}

/** Chooses files with the button instead. */
export async function chooseFiles(page: Page, files: readonly DroppedFile[]): Promise<void> {
  await page.getByTestId('composer-text').waitFor()
  await page
    .getByTestId('file-input')
    .setInputFiles(files.map(({ name, mimeType, bytes }) => ({ name, mimeType, buffer: bytes })))
}

/** Records a memo of about a second; it is in the draft then. */
export async function recordMemo(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Record a voice message' }).click()
  await page.getByText('0:01', { exact: true }).waitFor()
  await page.getByRole('button', { name: 'Stop recording' }).click()
  await page.getByTestId('draft-files').getByText('Voice message').waitFor()
}

/** The newest receipt of this file, once it is in this state. `text` is what a person reads. */
export async function waitForReceipt(
  page: Page,
  file: string,
  state: ReceiptItem['state'],
): Promise<{ readonly text: string }> {
  const item = page
    .getByTestId('receipt-item')
    .filter({ has: page.getByText(file, { exact: true }) })
    .last()
  // Many ready files are folded.
  const there = page.locator(`[data-testid=receipt-item][data-state=${state}]`, { hasText: file })
  await there.last().waitFor({ state: 'attached' })
  return { text: await item.innerText() }
}

/** Footbridge's newest message of this kind, once it no longer grows. */
export async function waitForMessage(
  page: Page,
  kind: 'answer' | 'notice' | 'error',
  text?: string | RegExp,
): Promise<Locator> {
  const whole = page.locator(`[data-testid=message][data-ours=true][data-kind=${kind}][data-streaming=false]`)
  const message = (text === undefined ? whole : whole.filter({ hasText: text })).last()
  await message.waitFor()
  return message
}

export interface ShownReference {
  readonly file: string
  readonly place: string
  readonly passage: string
}

/** Opens a reference of a message by its mark in the text and reads the panel. */
export async function openReference(message: Locator, number: number): Promise<ShownReference> {
  await message
    .getByTestId('cite')
    .filter({ hasText: new RegExp(`^${number}$`) })
    .first()
    .click()
  return readReference(message.page())
}

/** The contents of the open panel. */
export async function readReference(page: Page): Promise<ShownReference> {
  const panel = page.getByTestId('reference-panel')
  await panel.waitFor()
  const place = panel.getByTestId('reference-place')
  return {
    file: await panel.locator('.panel-file').innerText(),
    place: (await place.count()) === 0 ? '' : await place.innerText(),
    passage: (await panel.getByTestId('reference-passage').textContent()) ?? '',
  }
}

/** Everything said in the open channel: author, kind, text. */
export async function readMessages(
  page: Page,
): Promise<readonly { readonly kind: string; readonly ours: boolean; readonly text: string }[]> {
  const messages = await page.getByTestId('message').all()
  return Promise.all(
    messages.map(async (message) => ({
      kind: (await message.getAttribute('data-kind')) ?? '',
      ours: (await message.getAttribute('data-ours')) === 'true',
      text: await message.locator('.message-main').innerText(),
    })),
  )
}

/**
 * Violations of the accessibility rules on the page, or in a part of it by its test id, each as one line; empty without
 * violations.
 */
export async function findAccessibilityFaults(page: Page, part?: string): Promise<readonly string[]> {
  // Half a megabyte: once for each page.
  if (!(await page.evaluate('"axe" in window'))) await page.evaluate(axe.source)
  const where = part === undefined ? 'document' : JSON.stringify(`[data-testid="${part}"]`)
  const results = (await page.evaluate(`axe.run(${where})`)) as axe.AxeResults
  return results.violations.flatMap(({ id, nodes }) =>
    nodes.map((node) => `${id}: ${node.target.join(' ')} (${node.failureSummary ?? ''})`),
  )
}

/** How far the page could be scrolled sideways, pixels. */
export async function measureSidewaysScroll(page: Page): Promise<number> {
  const width = 'document.documentElement.scrollWidth - document.documentElement.clientWidth'
  return Number(await page.evaluate(width))
}
