import { globSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'
import { findBrowserTests, findChromium } from './test/support/chromium.ts'
import { filesOf, formOf } from './test/support/forms.ts'
import { LongestFirst } from './test/support/longest-first.ts'
import { useMemoryFolder } from './test/support/memory-folder.ts'
import { PATIENCE_MS } from './test/support/patience.ts'
import { PROGRAM } from './test/support/program.ts'
import { findMissingSpeechParts } from './test/support/speech.ts'

// Test files, threads and child processes compile the same sources again and again: a third of their CPU. Inherited by all of them.
process.env['NODE_COMPILE_CACHE'] ??= fileURLToPath(new URL('node_modules/.cache/compile', import.meta.url))

useMemoryFolder()

export default defineConfig(({ mode }) => {
  const form = formOf(mode, process.argv.slice(2))
  const { include, exclude } = filesOf(form)
  return {
    test: {
      include,
      exclude: [...exclude, ...testsWithoutBrowser(), ...testsWithoutSpeech(exclude)],
      env: { TEST_FORM: form, TEST_PROGRAM: PROGRAM },
      tags: [{ name: 'long', description: 'Left out of the short form: another test of the file holds the promise.' }],
      ...(form === 'short' ? { tagsFilter: ['!long'] } : {}),
      globalSetup: ['test/support/warm-up.ts'],
      setupFiles: ['test/support/no-network.ts'],
      // Real processes, real sockets and a real browser on a small shared machine: generous, never a speed assertion.
      testTimeout: 240_000,
      hookTimeout: 240_000,
      expect: { poll: { timeout: PATIENCE_MS, interval: 20 } },
      pool: 'forks',
      // No test mocks a module: files share a process, and Node itself loads the sources, as it does for people.
      isolate: false,
      experimental: { viteModuleRunner: false, nodeLoader: false },
      // More than the cores of a small machine: what waits leaves its core to what computes. Six took longer and failed more.
      maxWorkers: 4,
      sequence: { sequencer: LongestFirst },
      // Scenarios run side by side, each with processes of its own.
      maxConcurrency: 3,
    },
  }
})

/** What can't run here is left out in plain words; `npm ci` brings a browser on most machines, and in CI nothing is left out. */
function testsWithoutBrowser(): readonly string[] {
  const files = findBrowserTests()
  if (files.length === 0 || findChromium() !== undefined || process.env['CI']) return []
  process.stderr.write(
    `\nNot run, because npm has no Chromium for this machine: ${files.join(', ')}. Install Chromium and run them again.\n\n`,
  )
  return files
}

/** The same for the tests with a real speech model on this machine. */
function testsWithoutSpeech(exclude: readonly string[]): readonly string[] {
  const files = globSync('test/**/*.speech.test.ts', { exclude })
  const missing = findMissingSpeechParts()
  if (files.length === 0 || missing.length === 0 || process.env['CI']) return []
  process.stderr.write(
    `\nNot run, because no speech model can run here: ${files.join(', ')}. npm i --no-save --ignore-scripts ${missing.join(' ')}, and run them again.\n\n`,
  )
  return files
}
