import { expect, test } from 'vitest'
import { createLog } from '#start/log.ts'
import { NoBundler } from '#adapters/web/server/bundle.ts'
import { createAssets } from '#adapters/web/server/page-assets.ts'
import { createScene } from './scene.ts'

test('the page comes as one script and one style, and is asked for anew only when it changed', async () => {
  await using scene = await createScene()
  const html = await (await scene.browser.request('/')).text()
  const paths = [...html.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, path]) => path ?? '')
  expect(paths.toSorted()).toEqual(['/assets/icon.svg', '/assets/page.css', '/assets/page.js'])
  for (const path of paths) {
    const answer = await scene.browser.request(path)
    expect(answer.status).toBe(200)
    const etag = answer.headers.get('etag')
    if (path === '/assets/icon.svg' || etag === null) continue
    const again = await scene.browser.request(path, { headers: { 'if-none-match': etag } })
    expect([again.status, await again.text()]).toEqual([304, ''])
  }
})

test('the script needs no other but that of formulas, and names no other address', async () => {
  await using scene = await createScene()
  for (const path of ['/assets/page.js', '/assets/formulas.js']) {
    const response = await scene.browser.request(path)
    expect(response.headers.get('content-type')).toContain('text/javascript')
    const script = await response.text()
    expect(script).not.toMatch(/\bimport\s*["'{*]|\bimport\(["']|sourceMappingURL/)
    expect(script).not.toMatch(/\beval\(|new Function\(/)
  }
  const style = await (await scene.browser.request('/assets/page.css')).text()
  expect(style).not.toMatch(/@import|url\(\s*['"]?https?:/)
})

test('a checkout without the bundler says so in one sentence, on the page and in the log', async () => {
  const lines: string[] = []
  const log = createLog('info', { write: (line) => void lines.push(line) })
  const assets = createAssets(log, () => Promise.reject(new NoBundler()))
  expect(await assets.whyMissing()).toContain('run npm ci without it')
  expect(lines.map((line) => Object.keys(JSON.parse(line) as object))).toEqual([['level', 'time', 'msg']])
})
