import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { WebSearch } from '#adapters/web/protocol.ts'
import { createScene } from '../adapters/web/scene.ts'
import { serve } from '../support/web/serve.ts'
import { launchBrowser, openPage } from './support/browser.ts'
import { findAccessibilityFaults, measureSidewaysScroll } from './support/page.ts'

let browser: Browser
beforeAll(async () => {
  browser = await launchBrowser()
})
afterAll(() => browser.close())

const OFF: WebSearch = { by: 'words', offeredMegabytes: 135 }
const ON = { by: 'meaning', model: 'multilingual-e5-small', state: 'preparing', percent: 0, isChosen: true } as const
const PROBLEM = 'The embedding model cannot be downloaded from https://huggingface.co/model.onnx (status 503).'

test.each([
  ['en', 'Settings', 'Switch on (135 MB)', 'Switch off', 'being downloaded: 37 %', 'is tried again'],
  ['de', 'Einstellungen', 'Einschalten (135 MB)', 'Ausschalten', '37 %', 'wird wiederholt'],
])('search by meaning is switched on and off, narrow and dark (%s)', async (locale, name, on, off, part, again) => {
  let search: WebSearch = OFF
  await using scene = await createScene({
    search: () => search,
    chooseMeaning: async (wanted) => void (search = wanted ? { ...ON, downloaded: 37 } : OFF),
  })
  const served = await serve((request) => scene.adapter.fetch(request))
  const view = { viewport: { width: 360, height: 740 }, colorScheme: 'dark', locale } as const
  const { page, errors } = await openPage(browser, served.url, view)
  const check = async () => {
    expect(await findAccessibilityFaults(page)).toEqual([])
    expect(await measureSidewaysScroll(page)).toBe(0)
  }
  await page.locator('header button').first().click()
  await page.getByRole('button', { name, exact: true }).click()
  const section = page.getByTestId('meaning')
  await check()
  await section.getByRole('button', { name: on }).click()
  await section.getByText(part).waitFor()
  await check()
  search = { ...ON, downloaded: 0, problem: PROBLEM }
  await section.getByText(again).waitFor()
  expect(await section.getByText(PROBLEM).count()).toBe(locale === 'en' ? 1 : 0)
  await check()
  search = { ...ON, state: 'ready', percent: 100 }
  await section.getByText(again).waitFor({ state: 'detached' })
  await check()
  await section.getByRole('button', { name: off }).click()
  await section.getByRole('button', { name: on }).waitFor()
  expect(errors).toEqual([])
  await page.context().close()
  await served.close()
})
