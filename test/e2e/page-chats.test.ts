import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createScene } from '../adapters/web/scene.ts'
import { serve } from '../support/web/serve.ts'
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
  await page.emulateMedia({ colorScheme: 'dark' })
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
  await dialog.getByText('the files that were dropped in it, for all chats').waitFor()
  await dialog.getByRole('button', { name: 'Delete for good' }).click()
  await title('Ferry')
  expect(errors).toEqual([])
  await page.context().close()
  await served.close()
})
