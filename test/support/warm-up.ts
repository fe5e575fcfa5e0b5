import { execFile } from 'node:child_process'
import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { env, execPath } from 'node:process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { buildProgram, PROGRAM } from './program.ts'

const path = (name: string) => fileURLToPath(new URL(name, import.meta.url))
const LONG_MS = 180_000

/** Run before the tests: builds the program that they start. Before those of a fresh clone the program is used once. */
export async function setup(): Promise<void> {
  await buildProgram()
  await warmUp()
}

/**
 * Most processes of the tests are killed, and lose the code that they compiled after their start: without this, each of
 * hundreds compiles its threads and converters again, a fifth of their CPU.
 */
async function warmUp(): Promise<void> {
  const folder = env['NODE_COMPILE_CACHE'] ?? ''
  const done = join(folder, 'warm')
  if (folder === '' || existsSync(done)) return
  mkdirSync(folder, { recursive: true })
  writeFileSync(done, '')
  try {
    const words = [`--import=${path('../../src/start/compile-cache.js')}`, path('./warm-start.ts')]
    await promisify(execFile)(execPath, words, { timeout: LONG_MS, env: { ...env, TEST_PROGRAM: PROGRAM } })
  } catch (error) {
    // Faults of the product are for the tests to find.
    process.stderr.write(`\nThe tests begin cold, and take longer: ${String(error)}\n\n`)
  }
}
