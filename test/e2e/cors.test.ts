import { createServer, type Server } from 'node:http'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openPlatform, type TestPlatform } from '../platform/server/platform.ts'
import { launchBrowser, openPage } from './support/browser.ts'

/** An app of somebody else: a page on an origin of its own. */
async function openApp(): Promise<{ readonly origin: string; readonly server: Server }> {
  const server = createServer((_, response) => {
    response.setHeader('content-type', 'text/html')
    response.end('<!doctype html><title>app</title>')
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return { origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, server }
}

interface Asked {
  readonly url: string
  readonly key: string
}

interface Seen {
  readonly status?: number
  readonly text?: string
  readonly left?: string | null
  readonly error?: string
}

/** Runs in the page: asks as an app does, with a key and JSON, and reads the stream to its end. */
async function askInPage({ url, key }: Asked): Promise<Seen> {
  try {
    const answer = await fetch(`${url}/v1/chat/completions`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json', 'x-stainless-lang': 'js' },
      body: JSON.stringify({
        model: 'extractive:local/notes',
        stream: true,
        messages: [{ role: 'user', content: 'When does the ferry leave?' }],
      }),
    })
    // Of the month: a minute may end between two questions.
    const left = answer.headers.get('x-ratelimit-remaining-month')
    return { status: answer.status, left, text: await answer.text() }
  } catch (error) {
    return { error: String(error) }
  }
}

describe('a page of another origin', () => {
  let app: Awaited<ReturnType<typeof openApp>>
  let stranger: Awaited<ReturnType<typeof openApp>>
  let platform: TestPlatform
  let browser: Browser
  beforeAll(async () => {
    app = await openApp()
    stranger = await openApp()
    platform = await openPlatform({ over: 'socket', corsOrigins: [app.origin], collectionsAsModels: true })
    await platform.fill('notes', { 'a.md': 'The ferry leaves at 9:40.' })
    browser = await launchBrowser()
  })
  afterAll(async () => {
    await browser.close()
    await platform.close()
    for (const { server } of [app, stranger]) server.close()
  })

  const askFrom = async (origin: string, key: string): Promise<Seen> => {
    const { page } = await openPage(browser, origin)
    return page.evaluate(askInPage, { url: platform.url, key })
  }

  it('gets its stream where its origin is set, and the limits beside it', async () => {
    const { status, text = '', left } = await askFrom(app.origin, platform.key)
    expect(status).toBe(200)
    expect(text).toMatch(/^data: \{[^]*9:40[^]*data: \[DONE\]\s*$/)
    expect(Number(left)).toBeGreaterThan(0)
  })

  it('reads why it is refused', async () => {
    const { status, text } = await askFrom(app.origin, 'wrong')
    expect(status).toBe(401)
    expect(text).toContain('"error"')
  })

  it('gets nothing where its origin is not set, and nothing is asked for it', async () => {
    const before = await askFrom(app.origin, platform.key)
    const { status, error } = await askFrom(stranger.origin, platform.key)
    expect(status).toBeUndefined()
    expect(error).toContain('Failed to fetch')
    // The browser stops at the preflight: only the two questions of the app are counted.
    const after = await askFrom(app.origin, platform.key)
    expect(Number(before.left) - Number(after.left)).toBe(1)
  })
})
