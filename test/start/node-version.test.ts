import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'

const { engines, scripts } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')) as {
  readonly engines: { readonly node: string }
  readonly scripts: Readonly<Record<string, string>>
}
const first = fileURLToPath(new URL('../../src/start/compile-cache.js', import.meta.url))

/** What a start under this Node ends with: the exit code and standard error. */
const startUnder = (version: string) =>
  new Promise<readonly unknown[]>((resolve) => {
    const versions = `{ value: { ...process.versions, node: '${version}' } }`
    const pretend = `data:text/javascript,${encodeURIComponent(`Object.defineProperty(process, 'versions', ${versions})`)}`
    const words = [`--import=${pretend}`, `--import=${first}`, '-e', '']
    const child = execFile(process.execPath, words, (_, __, err) => resolve([child.exitCode, err]))
  })

it.each(['20.20.2', '22.23.3'])('Node %s is told to be too old, in a sentence', async (version) => {
  expect(await startUnder(version)).toEqual([
    1,
    `Footbridge needs Node 24 or newer, and this is Node ${version}. In a checkout, npm ci without --omit=dev brings one that fits.\n`,
  ])
})

it('the oldest Node is that of `engines`, and each command looks', async () => {
  expect(engines.node).toBe('>=24')
  expect(await startUnder('24.0.0')).toEqual([0, ''])
  const programs = Object.values(scripts).filter((script) => /src\/(?:cli|main)\.ts/.test(script))
  expect(programs.length).toBeGreaterThan(8)
  for (const script of programs) expect(script).toContain('--import=./src/start/compile-cache.js')
})
