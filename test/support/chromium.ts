import { existsSync, globSync, readFileSync } from 'node:fs'

const PLACES = [
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
]

/** The browser of this machine, for playwright's `executablePath`; undefined when there is none. */
export function findChromium(): string | undefined {
  return PLACES.find((path) => existsSync(path))
}

/** Test files that drive a browser: those that import playwright, or a helper of ours that does. */
export function findBrowserTests(): readonly string[] {
  return globSync('test/**/*.test.ts').filter((path) =>
    /from '(playwright-core|[./\w-]*\/(browser|chromium)\.ts)'/.test(readFileSync(path, 'utf8')),
  )
}
