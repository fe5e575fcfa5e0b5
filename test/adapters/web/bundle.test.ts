import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { bundlePage } from '#adapters/web/server/bundle.ts'

async function folder(): Promise<string> {
  const path = await mkdtemp(join(tmpdir(), 'footbridge-bundle-'))
  onTestFinished(() => rm(path, { recursive: true }))
  return path
}

const sizes = (texts: Awaited<ReturnType<typeof bundlePage>>) =>
  texts.map(({ name, text }) => [name, text.length > 1000])
const WHOLE = [
  ['page.js', true],
  ['formulas.js', true],
  ['page.css', true],
]

it('is kept, read by the next start, and made anew when a file of it has changed or the kept one is damaged', async () => {
  const keptAt = join(await folder(), 'page.json')
  const first = await bundlePage(keptAt)
  expect(sizes(first)).toEqual(WHOLE)
  const kept = await readFile(keptAt, 'utf8')

  const marked = JSON.stringify({ ...JSON.parse(kept), texts: [{ name: 'page.js', text: 'kept' }] })
  await writeFile(keptAt, marked)
  expect(await bundlePage(keptAt)).toEqual([{ name: 'page.js', text: 'kept' }])

  for (const source of ['page/main.tsx', 'server/bundle.ts', 'esbuild/package.json']) {
    const changed = marked.replace(new RegExp(`(${source}":")[^"]+`), '$11 1')
    expect(changed).not.toBe(marked)
    await writeFile(keptAt, changed)
    expect(await bundlePage(keptAt)).toEqual(first)
  }
  await writeFile(keptAt, kept.slice(0, 1000))
  expect(await bundlePage(keptAt)).toEqual(first)
  expect(await readFile(keptAt, 'utf8')).toBe(kept)
})

it('is made where it cannot be kept', async () => {
  expect(sizes(await bundlePage(join(await folder(), 'nowhere', 'page.json')))).toEqual(WHOLE)
  expect(sizes(await bundlePage(undefined))).toEqual(WHOLE)
})
