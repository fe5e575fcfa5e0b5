import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createScene } from '../adapters/web/scene.ts'
import { serve } from '../support/web/serve.ts'
import { PATIENCE } from '../support/patience.ts'
import { launchBrowser, openPage } from './support/browser.ts'
import { findAccessibilityFaults, measureSidewaysScroll, openChannel, say } from './support/page.ts'

let browser: Browser
beforeAll(async () => {
  browser = await launchBrowser()
})
afterAll(() => browser.close())

test('chats are begun, found, renamed and deleted, by keyboard too, on a narrow dark screen as well', async () => {
  await using scene = await createScene()
  const served = await serve((request) => scene.adapter.fetch(request))
  const { page, errors } = await openPage(browser, served.url)
  const list = page.getByRole('navigation', { name: 'Channels' })
  const title = (name: string) => page.getByRole('heading', { level: 1, name, exact: true }).waitFor()
  await title('New chat')
  await say(page, 'When does the ferry leave?')
  await title('When does the ferry leave?')
  await page.getByRole('button', { name: 'New chat' }).focus()
  await page.keyboard.press('Enter')
  await title('New chat')
  await page.getByTestId('empty-state').waitFor()
  await say(page, 'Who keeps the keys?')
  await title('Who keeps the keys?')
  expect(await list.getByRole('listitem').allInnerTexts()).toEqual([
    'Who keeps the keys?',
    'When does the ferry leave?',
    expect.stringMatching(/general$/),
  ])

  await page.keyboard.press('Control+k')
  const search = page.getByRole('dialog', { name: 'Search' })
  await page.keyboard.type('ferry')
  await search.getByRole('button', { name: 'When does the ferry leave?' }).first().click()
  await title('When does the ferry leave?')

  await page.setViewportSize({ width: 360, height: 740 })
  await page.emulateMedia({ colorScheme: 'dark', reducedMotion: 'reduce' })
  await page.getByRole('button', { name: 'Rename or delete this chat' }).click()
  const dialog = page.getByTestId('channel-dialog')
  expect(await findAccessibilityFaults(page)).toEqual([])
  expect(await measureSidewaysScroll(page)).toBe(0)
  expect(await dialog.getByRole('button', { name: 'Archive' }).count()).toBe(0)
  await dialog.getByLabel('Title of the chat').fill('Ferry')
  await page.keyboard.press('Enter')
  await title('Ferry')
  await openChannel(page, 'Who keeps the keys?')
  expect(await findAccessibilityFaults(page)).toEqual([])
  await page.getByRole('button', { name: 'Rename or delete this chat' }).click()
  await dialog.getByRole('button', { name: 'Delete chat' }).click()
  await dialog.getByText('The files that were dropped in it are removed for all chats').waitFor()
  await dialog.getByRole('button', { name: 'Delete for good' }).click()
  await title('Ferry')
  expect(errors).toEqual([])
  await page.context().close()
  await served.close()
})

test('theme and language are chosen and stay, the settings tell what runs, and a sample file is one press away', async () => {
  const about = { version: '9.9.9', data: '/data/of/it' }
  await using scene = await createScene({ about: () => about, search: () => ({ by: 'words' }) })
  const served = await serve((request) => scene.adapter.fetch(request))
  const { page, errors } = await openPage(browser, served.url, { viewport: { width: 360, height: 740 } })
  const ground = () => page.evaluate('getComputedStyle(document.body).backgroundColor')
  const menu = page.getByRole('button', { name: 'Show channels' })
  await menu.click()
  await page.getByRole('button', { name: 'Settings', exact: true }).click()
  const dialog = page.getByTestId('settings-dialog')
  for (const fact of Object.values(about)) await dialog.getByText(fact).waitFor()
  await dialog.getByText('Quotes from the files.').waitFor()
  await dialog.getByText('Footbridge searches by words').waitFor()
  const light = await ground()
  expect(await findAccessibilityFaults(page)).toEqual([])
  await dialog.getByLabel('Theme').selectOption('Dark')
  expect(await ground()).not.toBe(light)
  expect(await findAccessibilityFaults(page)).toEqual([])
  expect(await measureSidewaysScroll(page)).toBe(0)
  await dialog.getByLabel('Language').selectOption('Deutsch')
  await page.getByRole('heading', { level: 1, name: 'Neuer Chat' }).waitFor()
  expect(await ground()).not.toBe(light)
  expect(await page.evaluate('document.documentElement.lang')).toBe('de')

  const sample = page.getByRole('button', { name: 'Mit einer Beispieldatei ausprobieren' })
  const [upper, lower] = await Promise.all([page.getByText('Datei wählen').boundingBox(), sample.boundingBox()])
  expect(lower?.y).toBeGreaterThan((upper?.y ?? 0) + (upper?.height ?? 0) + 4)
  await sample.click()
  await expect.poll(() => scene.receiver.inbounds.length, PATIENCE).toBe(1)
  const { attachments, author } = scene.receiver.message()
  expect(attachments).toMatchObject([{ name: 'handbook.pdf', mimeType: 'application/pdf' }])
  expect(author.language).toBe('de')
  expect(errors).toEqual([])
  await page.context().close()
  await served.close()
})
