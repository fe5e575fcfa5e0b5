import { chromium, type Browser, type BrowserContextOptions, type Page } from 'playwright-core'
import { findChromium } from '#test/support/chromium.ts'
import { PATIENCE_MS } from '#test/support/patience.ts'

/** Loopback only, with a microphone that always works and hums. */
const ARGS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--use-fake-device-for-media-stream',
  '--use-fake-ui-for-media-stream',
]

/** The Chromium from npm, or of this machine. @throws {Error} a sentence, when there is none. */
export async function launchBrowser(): Promise<Browser> {
  const found = findChromium()
  if (found === undefined) {
    throw new Error('The page tests need Chromium: run npm ci, or install it (Debian: apt-get install chromium).')
  }
  return chromium.launch({ ...found, args: ARGS })
}

export interface OpenedPage {
  readonly page: Page
  /** Errors of the page and its console: script errors, refusals by the content policy, failed requests. */
  readonly errors: readonly string[]
}

/** A fresh person at a browser: own storage, own cookies. English, 1280 × 800, light, unless said otherwise. */
export async function openPage(
  browser: Browser,
  url: string,
  options: BrowserContextOptions = {},
): Promise<OpenedPage> {
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 }, locale: 'en-US', ...options })
  context.setDefaultTimeout(PATIENCE_MS)
  const page = await context.newPage()
  const errors: string[] = []
  page.on('pageerror', (error) => errors.push(error.stack ?? error.message))
  page.on('console', (message) => {
    if (message.type() === 'error') errors.push(message.text())
  })
  await page.goto(url)
  return { page, errors }
}
