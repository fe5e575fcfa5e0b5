import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, onTestFinished, test } from 'vitest'
import { freePort } from './support/free-port.ts'

const ROOT = fileURLToPath(new URL('..', import.meta.url))

test.each(['SIGTERM', 'SIGINT'] as const)('%s to `npm start` ends the process, not npm alone', async (signal) => {
  const dataDir = mkdtempSync(join(tmpdir(), 'footbridge-npm-'))
  const port = String(await freePort())
  // oxlint-disable-next-line node/no-process-env -- npm needs its path
  const env = { ...process.env, DATA_DIR: dataDir, PORT: port, HOST: '127.0.0.1', LOG_LEVEL: 'info', NODE_OPTIONS: '' }
  const npm = spawn('npm', ['start'], { cwd: ROOT, env, detached: true })
  let said = ''
  npm.stdout.on('data', (piece) => (said += String(piece)))
  npm.stderr.on('data', (piece) => (said += String(piece)))
  const ended = once(npm, 'exit')
  onTestFinished(() => {
    try {
      // All that are left of it.
      process.kill(-(npm.pid ?? 0), 'SIGKILL')
    } catch {}
    rmSync(dataDir, { recursive: true, force: true })
  })
  await expect.poll(() => said, { timeout: 50_000 }).toContain('is ready')
  npm.kill(signal)
  await ended
  await expect
    .poll(() =>
      fetch(`http://127.0.0.1:${port}/health`).then(
        () => 'there',
        () => 'gone',
      ),
    )
    .toBe('gone')
  expect(() => process.kill(-(npm.pid ?? 0), 0)).toThrow('ESRCH')
})

test('npm start -- --help says what there is, and starts nothing', () => {
  const words = ['start', '--silent', '--', '--help']
  expect(execFileSync('npm', words, { cwd: ROOT, encoding: 'utf8' })).toMatch(/^Usage: footbridge start\n/)
})
