import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { ChannelModels } from '#bridge/port/channel-models.ts'
import type { ApiKeyInfo, ApiKeys } from '#bridge/port/api-keys.ts'
import type { AccessTokens, TokenInfo } from '#bridge/port/person-access.ts'
import { createScene } from '../adapters/web/scene.ts'
import { serve } from '../support/web/serve.ts'
import { launchBrowser, openPage } from './support/browser.ts'
import { findAccessibilityFaults, measureSidewaysScroll } from './support/page.ts'

let browser: Browser
beforeAll(async () => {
  browser = await launchBrowser()
})
afterAll(() => browser.close())

const TOKEN = `fbt-${'x'.repeat(59)}`

function createParts() {
  let chosen: string | undefined
  const known: TokenInfo[] = []
  const models: ChannelModels = {
    choiceIn: async () => ({ models: ['small', 'large'], usual: 'small', ...(chosen !== undefined && { chosen }) }),
    async chooseIn(_, model) {
      if (model === 'large' && chosen === 'large') return false
      chosen = model
      return true
    },
  }
  const tokens: AccessTokens = {
    address: 'https://ask.example.org/mcp',
    tools: ['search', 'fetch', 'get_passage', 'list_collections', 'list_files', 'list_gaps', 'ask'],
    async make(_, name, __, scope) {
      if (known.some((one) => one.name === name)) return undefined
      known.push({ name, createdAt: Date.UTC(2026, 10, 27), ...scope })
      return TOKEN
    },
    list: async () => known,
    revoke: async (_, name) =>
      known.splice(
        known.findIndex((one) => one.name === name),
        1,
      ).length > 0,
    forgetWorkspace: async () => undefined,
  }
  return { models, tokens, known, chosen: () => chosen }
}

test('the model is chosen, and tokens are made, shown once and ended, on a narrow dark screen as well', async () => {
  const { models, tokens, known, chosen } = createParts()
  const about = { version: '9.9.9', answers: 'answers by small (first of 2)', data: '/data/of/it' }
  await using scene = await createScene({ models: () => models, tokens, about: () => about })
  const served = await serve((request) => scene.adapter.fetch(request))
  const { page, errors } = await openPage(browser, `${served.url}/connect`)
  const dialog = page.getByTestId('settings-dialog')
  const model = dialog.getByLabel('Language model of your chats')
  await model.waitFor()
  await dialog.getByText(about.answers).waitFor()
  expect(await model.locator('option').allInnerTexts()).toEqual(['Default (small)', 'small', 'large'])
  await model.selectOption('large')
  await expect.poll(chosen).toBe('large')
  await model.selectOption('')
  await expect.poll(chosen).toBeUndefined()

  await dialog.getByText('https://ask.example.org/mcp').waitFor()
  await dialog.getByRole('button', { name: 'Make a token' }).click()
  await page.keyboard.type('Claude on my laptop')
  await page.keyboard.press('Enter')
  await dialog.getByText(TOKEN).waitFor()
  expect(known).toMatchObject([{ name: 'Claude on my laptop' }])
  await dialog.getByText('made Nov 27, 2026, never used').waitFor()
  expect(await findAccessibilityFaults(page)).toEqual([])
  await dialog.getByRole('button', { name: 'Make a token' }).click()
  await page.keyboard.type('Claude on my laptop')
  await page.keyboard.press('Enter')
  await dialog.getByRole('alert').filter({ hasText: 'There is a token of this name' }).waitFor()
  expect(await findAccessibilityFaults(page)).toEqual([])
  await page.keyboard.press('Escape')
  expect(await dialog.isVisible()).toBe(true)
  await dialog.getByRole('button', { name: 'Make a token' }).click()

  await page.keyboard.press('Control+A')
  await page.keyboard.type('Cursor')
  await dialog.getByLabel('It reads').selectOption('only #general')
  for (const tool of ['get_passage', 'list_collections', 'list_files', 'list_gaps', 'ask'])
    await dialog.getByRole('group', { name: 'Tools that it may use' }).getByLabel(tool).uncheck()
  expect(await findAccessibilityFaults(page)).toEqual([])
  await dialog.getByRole('button', { name: 'Make a token' }).click()
  await dialog.getByText('never used, for one channel only, for search and fetch only').waitFor()
  expect(known.at(-1)).toMatchObject({
    name: 'Cursor',
    channel: expect.stringMatching(/./),
    tools: ['search', 'fetch'],
  })
  await dialog.getByRole('button', { name: 'End the token of Cursor' }).click()
  await dialog.getByRole('button', { name: 'for good' }).click()
  await expect.poll(() => known.length).toBe(1)

  await page.setViewportSize({ width: 360, height: 740 })
  // Colours on their way from the light scheme to the dark one are no fault.
  await page.emulateMedia({ colorScheme: 'dark', reducedMotion: 'reduce' })
  await dialog.getByRole('button', { name: 'Make a token' }).click()
  expect(await findAccessibilityFaults(page)).toEqual([])
  expect(await measureSidewaysScroll(page)).toBe(0)
  await page.keyboard.press('Escape')
  await dialog.getByRole('button', { name: 'End the token of Claude on my laptop' }).click()
  expect(known).toHaveLength(1)
  await dialog.getByRole('button', { name: 'for good' }).click()
  await expect.poll(() => known).toEqual([])
  await dialog.getByText(TOKEN).waitFor({ state: 'hidden' })
  await page.keyboard.press('Escape')
  await dialog.waitFor({ state: 'hidden' })

  await page.goto(`${served.url}/#general`)
  await page.getByRole('button', { name: 'Show channels' }).click()
  await page.getByRole('button', { name: 'Settings', exact: true }).click()
  await dialog.getByLabel('Language model of #general').selectOption('large')
  await expect.poll(chosen).toBe('large')
  expect(errors).toEqual([expect.stringContaining('409')])
  await page.context().close()
  await served.close()
})

test('keys for the API are made, shown once and revoked, on a narrow dark screen as well', async () => {
  const known: ApiKeyInfo[] = [{ id: 4, name: 'Nightly job', hint: 'fb-abcde', createdAt: Date.UTC(2026, 10, 27) }]
  const keys: ApiKeys = {
    list: async () => [...known],
    choices: async () => ({ tools: ['search', 'fetch'], collections: ['web-page/plans', 'web-page/notes'] }),
    async make(name, scope) {
      if (known.some((one) => one.name === name)) return undefined
      known.push({
        id: known.length + 4,
        name,
        hint: 'fb-xyzxy',
        createdAt: Date.UTC(2026, 10, 28),
        ...(scope && { scope }),
      })
      return `fb-${'x'.repeat(43)}`
    },
    revoke: async (id) =>
      known.splice(
        known.findIndex((one) => one.id === id),
        1,
      ).length > 0,
    revokeAll: async () => 0,
  }
  await using scene = await createScene({ keys })
  const served = await serve((request) => scene.adapter.fetch(request))
  const { page, errors } = await openPage(browser, `${served.url}/#settings`)
  const dialog = page.getByTestId('settings-dialog')
  await dialog.getByText('fb-abcde…, made Nov 27, 2026').waitFor()
  await dialog.getByText(`${served.url}/v1`).waitFor()
  await dialog.getByRole('button', { name: 'Make a key' }).click()
  await page.keyboard.type('Laptop')
  await page.keyboard.press('Enter')
  await dialog.getByText(`fb-${'x'.repeat(43)}`).waitFor()
  expect(await findAccessibilityFaults(page)).toEqual([])
  await page.setViewportSize({ width: 360, height: 740 })
  await page.emulateMedia({ colorScheme: 'dark', reducedMotion: 'reduce' })
  expect(await findAccessibilityFaults(page)).toEqual([])
  expect(await measureSidewaysScroll(page)).toBe(0)
  await dialog.getByRole('button', { name: 'Make a key' }).click()
  await page.keyboard.type('Agent')
  await dialog.getByLabel('Only for agents (MCP), not for the API').check()
  await dialog.getByLabel('web-page/notes').uncheck()
  await dialog.getByLabel('fetch', { exact: true }).uncheck()
  expect(await findAccessibilityFaults(page)).toEqual([])
  expect(await measureSidewaysScroll(page)).toBe(0)
  await dialog.getByRole('button', { name: 'Make a key' }).click()
  await dialog.getByText('for agents only, web-page/plans, search').waitFor()
  expect(known.at(-1)?.scope).toEqual({ collections: ['web-page/plans'], tools: ['search'] })
  await dialog.getByRole('button', { name: 'Revoke the key Laptop' }).click()
  expect(known).toHaveLength(3)
  await dialog.getByRole('button', { name: 'Revoke the key Laptop for good' }).click()
  await expect.poll(() => known.map(({ name }) => name)).toEqual(['Nightly job', 'Agent'])
  await dialog.getByRole('button', { name: 'Revoke the key Agent' }).click()
  await dialog.getByRole('button', { name: 'Revoke the key Agent for good' }).click()
  await dialog.getByTestId('api-keys-made').waitFor({ state: 'hidden' })
  expect(errors).toEqual([])
  await page.context().close()
  await served.close()
})
