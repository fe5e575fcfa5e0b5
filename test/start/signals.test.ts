/** Signals as a shell, npx and a terminal send them, to a process whose stop takes longer than a second. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { expect, it, onTestFinished } from 'vitest'

const url = (path: string) => new URL(`../../src/start/${path}`, import.meta.url).href

/** Keeps its exit code in a file: under npx its parent is gone by then. */
const PROGRAM = `
  import { writeFileSync } from 'node:fs'
  import { setTimeout } from 'node:timers/promises'
  import { endWithNpx } from '${url('npx.js')}'
  import { onSignals } from '${url('terminal.ts')}'
  endWithNpx()
  process.on('exit', (code) => writeFileSync(process.env.ENDED, String(code)))
  const alive = setInterval(() => {}, 1000)
  onSignals(async () => {
    process.stdout.write('stops ')
    await setTimeout(1300)
    clearInterval(alive)
  })
  process.stdout.write('ready ')`

interface Running {
  readonly child: ChildProcess
  readonly said: () => string
  /** Empty while it runs. */
  readonly code: () => string
}

/** @param isUnderNpx a shell stands between, which passes no signal on */
async function run(isUnderNpx: boolean): Promise<Running> {
  const folder = mkdtempSync(join(tmpdir(), 'footbridge-signals-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const env = { PATH: '/usr/bin:/bin', ENDED: join(folder, 'code'), PROGRAM, NODE: process.execPath }
  const line = '"$NODE" --input-type=module -e "$PROGRAM"'
  const words = isUnderNpx ? `${line}; true` : `exec ${line}`
  const child = spawn('sh', ['-c', words], { env: isUnderNpx ? { ...env, npm_command: 'exec' } : env })
  let said = ''
  child.stdout.on('data', (piece) => (said += String(piece)))
  await expect.poll(() => said, { timeout: 10_000 }).toContain('ready')
  const code = () => {
    try {
      return readFileSync(env.ENDED, 'utf8')
    } catch {
      return ''
    }
  }
  return { child, said: () => said, code }
}

it.each(['SIGTERM', 'SIGINT', 'SIGHUP'] as const)('%s begins the stop, which takes its time', async (signal) => {
  const { child, said } = await run(false)
  child.kill(signal)
  expect(await once(child, 'exit')).toEqual([0, null])
  expect(said()).toBe('ready stops ')
})

it('a second Ctrl-C ends the process at once', async () => {
  const { child, said } = await run(false)
  child.kill('SIGINT')
  await expect.poll(said).toContain('stops')
  await setTimeout(300)
  child.kill('SIGINT')
  expect(await once(child, 'exit')).toEqual([1, null])
})

it('one Ctrl-C that arrives twice, from the terminal and from npm, is one', async () => {
  const { child, said } = await run(false)
  child.kill('SIGINT')
  await setTimeout(20)
  child.kill('SIGINT')
  expect(await once(child, 'exit')).toEqual([0, null])
  expect(said()).toBe('ready stops ')
})

it('a terminal that closes during the stop does not cut it off', async () => {
  const { child, said } = await run(false)
  child.kill('SIGINT')
  await expect.poll(said).toContain('stops')
  child.kill('SIGHUP')
  expect(await once(child, 'exit')).toEqual([0, null])
})

it('npx that is gone begins one stop, which takes its time', async () => {
  const { child, code } = await run(true)
  child.kill('SIGTERM')
  await expect.poll(code, { timeout: 5000 }).not.toBe('')
  expect(code()).toBe('0')
})
