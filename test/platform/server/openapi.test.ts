import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openPlatform, type TestPlatform } from './platform.ts'

interface Description {
  readonly openapi: string
  readonly info: { readonly version: string }
  readonly paths: Readonly<Record<string, Readonly<Record<string, unknown>>>>
  readonly components: {
    readonly schemas: Readonly<Record<string, unknown>>
    readonly headers: Readonly<Record<string, unknown>>
  }
}

interface Operation {
  readonly operationId: string
  readonly security: readonly object[]
  readonly responses: Readonly<Record<string, { readonly description: string }>>
}

describe('the OpenAPI document', () => {
  let platform: TestPlatform
  let text: string
  let description: Description
  beforeAll(async () => {
    platform = await openPlatform()
    text = await (await platform.call('GET', '/openapi.json', { key: null })).text()
    description = JSON.parse(text) as Description
  })
  afterAll(() => platform.close())

  const operations = () =>
    Object.values(description.paths).flatMap((item) =>
      Object.entries(item).flatMap(([name, value]) => (name === 'servers' ? [] : [value as Operation])),
    )

  it('is OpenAPI 3.1 with the version of the platform', () => {
    expect(description.openapi).toMatch(/^3\.1\./)
    expect(description.info.version).toBe(platform.engine.version)
  })

  it('refers only to what it holds', () => {
    const found = [...text.matchAll(/"#\/components\/(\w+)\/([^"]+)"/g)]
    expect(found.length).toBeGreaterThan(50)
    for (const [, kind = '', name = ''] of found) {
      expect(kind === 'headers' ? description.components.headers : description.components.schemas).toHaveProperty([
        name,
      ])
    }
  })

  it('names each operation once, with the form of its key and its refusals', () => {
    const all = operations()
    expect(new Set(all.map((one) => one.operationId)).size).toBe(all.length)
    const statuses = all.map(({ responses }) => Object.keys(responses))
    expect(statuses.filter((one) => !one.includes('default'))).toEqual([])
    const guarded = all.filter(({ security }) => security.length > 0)
    expect(guarded.length).toBeGreaterThan(15)
    expect(guarded.filter(({ responses }) => !('401' in responses))).toEqual([])
    const sentences = all.flatMap(({ responses }) => Object.values(responses).map((one) => one.description))
    expect(sentences.filter((one) => !/\S+\.$/.test(one))).toEqual([])
  })

  it('marks what the interface leaves open with how sure it is', () => {
    expect(text.match(/"x-sureness":"[ABCDU]"/g)?.length).toBeGreaterThan(20)
  })

  it('describes every path that answers', async () => {
    const asked = Object.entries(description.paths).flatMap(([path, item]) => {
      const bases = (item['servers'] as { url: string }[]).map((server) => server.url.replace(/\/$/, ''))
      const methods = Object.keys(item).filter((name) => name !== 'servers')
      return bases.flatMap((base) =>
        methods.map((method) => [method, `${base}${path}`.replaceAll(/\{\w+\}/g, 'x')] as const),
      )
    })
    const answers = await Promise.all(
      asked.map(async ([method, path]) => {
        const { status } = await platform.call(method.toUpperCase(), path, { key: null })
        return { method, path, status }
      }),
    )
    expect(answers.length).toBeGreaterThan(30)
    expect(answers.filter(({ status }) => ![200, 204, 401].includes(status))).toEqual([])
  })

  it('has a page that loads nothing from elsewhere', async () => {
    const page = await platform.call('GET', '/docs', { key: null })
    expect(page.headers.get('content-type')).toBe('text/html; charset=utf-8')
    expect(page.headers.get('content-security-policy')).toMatch(/^default-src 'none'; script-src 'self';/)
    const html = await page.text()
    expect(html).not.toMatch(/https?:|<script>|<style|style=|onclick/)
    const assets = [...html.matchAll(/(?:href|src)="([^"]+)"/g)].map((match) => match[1] ?? '')
    expect(assets).toEqual(['/docs/page.css', '/docs/page.js', '/openapi.json'])
    for (const asset of assets) {
      const response = await platform.call('GET', asset, { key: null })
      expect(response.status).toBe(200)
      expect(response.headers.get('content-type')).toMatch(/^(text\/(css|javascript)|application\/json)/)
    }
  })
})
