import { existsSync, globSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

const PLACES = [
  // Without windows: half the CPU.
  '/usr/bin/chromium-headless-shell',
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
]

/** The browser of this machine, for playwright's `executablePath`; undefined when it has no browser. */
export function findChromium(): string | undefined {
  return PLACES.find((path) => existsSync(path))
}

/** Test files that drive a browser: those that import playwright, by themselves or through a file of the tests. */
export function findBrowserTests(): readonly string[] {
  return globSync('test/**/*.test.ts').filter((path) => importsPlaywright(path, new Set()))
}

function importsPlaywright(path: string, seen: Set<string>): boolean {
  if (seen.has(path) || !path.startsWith('test') || !existsSync(path)) return false
  seen.add(path)
  const imports = [...readFileSync(path, 'utf8').matchAll(/from '([^']+)'/g)].map((match) => match[1] ?? '')
  return imports.some(
    (name) =>
      name === 'playwright-core' || (name.startsWith('.') && importsPlaywright(join(dirname(path), name), seen)),
  )
}
