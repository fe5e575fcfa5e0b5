import axe from 'axe-core'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { inLong } from '../support/forms.ts'
import { openPlatform, type TestPlatform } from '../platform/server/platform.ts'
import { makePdf } from '../fixtures/pdf.ts'
import { launchBrowser, openPage } from './support/browser.ts'

describe('the page at /docs', () => {
  let platform: TestPlatform
  let browser: Browser
  beforeAll(async () => {
    platform = await openPlatform({ over: 'socket' })
    await platform.fill('notes', { 'a.md': 'The ferry leaves at 9:40.' })
    browser = await launchBrowser()
  })
  afterAll(async () => {
    await browser.close()
    await platform.close()
  })

  it('sends every kind of request: with a name, with JSON as a stream, with a file', async () => {
    const { page, errors } = await openPage(browser, `${platform.url}/docs`)
    await page.getByLabel('Key').fill(platform.key)
    const open = async (id: string) => {
      const operation = page.locator(`#${id}`)
      await operation.locator('summary').click()
      return operation
    }
    const sent = async (id: string, expected: string) => {
      const output = page.locator(`#${id} pre`)
      await page.locator(`#${id}`).getByRole('button', { name: 'Send' }).click()
      await output.getByText(expected).waitFor()
      return output.innerText()
    }
    await (await open('getCollection')).getByLabel('name (path)').fill('notes')
    expect(await sent('getCollection', 'vector_db_version')).toMatch(/^200 .*\n[\s\S]*"id":"local\/notes"/)
    await open('chat')
    expect(await sent('chat', '[DONE]')).toMatch(/^200 .*\n[\s\S]*data: \{.*9:40/)
    const upload = await open('uploadFile')
    await upload.getByLabel('name (path)').fill('notes')
    const file = { name: 'b.md', mimeType: 'text/markdown', buffer: Buffer.from('# B') }
    await upload.getByLabel('file', { exact: true }).setInputFiles(file)
    expect(await sent('uploadFile', '"b.md"')).toMatch(/^201 /)
    await open('convertDocument')
    await page.locator('#convertDocument').getByLabel('document').setInputFiles(file)
    expect(await sent('convertDocument', '"markdown"')).toMatch(/^200 /)
    // A PDF is no text to show.
    const pdf = await makePdf([{ text: 'The bell rings.' }])
    await platform.fill('notes', { 'c.pdf': pdf })
    const download = await open('downloadFile')
    await download.getByLabel('name (path)').fill('notes')
    await download.getByLabel('file (path)').fill('c.pdf')
    expect(await sent('downloadFile', `Save ${pdf.byteLength} bytes`)).not.toContain('%PDF')
    expect(errors).toEqual([])
  })

  it('tells what holds for all operations, and shows code as code', async () => {
    const { page, errors } = await openPage(browser, `${platform.url}/docs`)
    await page.locator('#about summary').click()
    expect(await page.locator('#about li strong').allInnerTexts()).toContain('Rate limits')
    await page.locator('#chat summary').click()
    expect(await page.locator('#chat .more code').allInnerTexts()).toContain('enable-tools: true')
    expect(await page.locator('main, header').allInnerTexts()).not.toContainEqual(expect.stringMatching(/`|\*\*/))
    expect(errors).toEqual([])
  })

  const isUsable = async (colorScheme: 'light' | 'dark') => {
    const { page, errors } = await openPage(browser, `${platform.url}/docs`, {
      colorScheme,
      viewport: { width: 360, height: 800 },
    })
    await page.locator('#chat summary').click()
    await page.locator('#about summary').click()
    await page.evaluate(axe.source)
    const found = await page.evaluate('axe.run().then(({ violations }) => violations.map(({ id }) => id))')
    expect(found).toEqual([])
    const overflow = await page.evaluate('document.documentElement.scrollWidth - innerWidth')
    expect(overflow).toBeLessThanOrEqual(0)
    expect(errors).toEqual([])
  }
  // oxlint-disable vitest/expect-expect -- the function has the assertions
  it('is usable by everyone, in light', () => isUsable('light'))
  it('is usable by everyone, in dark', inLong, () => isUsable('dark'))
  // oxlint-enable vitest/expect-expect
})
