import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { WebSearch } from '#adapters/web/protocol.ts'
import { createScene, outgoing } from '../adapters/web/scene.ts'
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

test('it is offered once, below the first answer that found nothing sure, and goes on from there', async () => {
  let search: WebSearch = OFF
  await using scene = await createScene({
    search: () => search,
    chooseMeaning: async (wanted) => void (search = wanted ? { ...ON, downloaded: 37 } : OFF),
  })
  const served = await serve((request) => scene.adapter.fetch(request))
  const { page, errors } = await openPage(browser, `${served.url}/#general`)
  await page.getByTestId('composer-text').waitFor()
  await scene.browser.say('general', { text: '@footbridge when is vacation?' })
  const { conversation } = scene.receiver.message()
  await scene.adapter.post(conversation, outgoing('Sure.'))
  await page.getByText('Sure.').waitFor()
  const offer = page.getByTestId('meaning-offer')
  expect(await offer.count()).toBe(0)
  await scene.adapter.post(conversation, outgoing('**I found no passage.**', { isUnsure: true }))
  await offer.getByText('135 MB, downloaded once').waitFor()
  await scene.adapter.post(conversation, outgoing('**I am not sure.**', { isUnsure: true }))
  await page.getByTestId('thread').getByText('I am not sure.').waitFor()
  expect(await offer.count()).toBe(1)
  expect(await findAccessibilityFaults(page)).toEqual([])
  await page.setViewportSize({ width: 360, height: 740 })
  await page.emulateMedia({ colorScheme: 'dark', reducedMotion: 'reduce' })
  expect(await findAccessibilityFaults(page)).toEqual([])
  expect(await measureSidewaysScroll(page)).toBe(0)
  await page.reload()
  await offer.getByRole('button', { name: 'Switch on (135 MB)' }).click()
  await offer.getByText('being downloaded: 37 %').waitFor()
  expect(search).toMatchObject({ by: 'meaning', isChosen: true })
  search = OFF
  await page.reload()
  await page.getByTestId('thread').getByText('I am not sure.').waitFor()
  expect(await offer.count()).toBe(0)
  expect(errors).toEqual([])
  await page.context().close()
  await served.close()
})

test('an offer that is declined does not come back', async () => {
  await using scene = await createScene({ search: () => OFF, chooseMeaning: async () => undefined })
  const served = await serve((request) => scene.adapter.fetch(request))
  const { page } = await openPage(browser, `${served.url}/#general`)
  await page.getByTestId('composer-text').waitFor()
  await scene.browser.say('general', { text: '@footbridge when is vacation?' })
  const { conversation } = scene.receiver.message()
  await scene.adapter.post(conversation, outgoing('**I found no passage.**', { isUnsure: true }))
  const offer = page.getByTestId('meaning-offer')
  await offer.getByRole('button', { name: 'Not now' }).click()
  await offer.waitFor({ state: 'detached' })
  await scene.adapter.post(conversation, outgoing('**I am not sure.**', { isUnsure: true }))
  await page.reload()
  await page.getByTestId('thread').getByText('I am not sure.').waitFor()
  expect(await offer.count()).toBe(0)
  await page.context().close()
  await served.close()
})
