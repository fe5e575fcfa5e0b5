import { execFileSync } from 'node:child_process'
import { existsSync, globSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { arch, homedir, platform } from 'node:os'
import { dirname, join } from 'node:path'
import { env, execPath } from 'node:process'
import { fileURLToPath } from 'node:url'

/** For playwright's `launch`. */
export interface Chromium {
  readonly executablePath: string
  readonly env: Readonly<Record<string, string>>
}

const CACHE = fileURLToPath(new URL('../../node_modules/.cache', import.meta.url))

/** Where npm has none for the machine: its only browser is of Linux on x64. */
const PLACES = [
  // Without windows: half the CPU.
  '/usr/bin/chromium-headless-shell',
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
]

/** The browser from npm, unpacked once into the cache of the packages; in CI no other. Undefined when there is none. */
export function findChromium(): Chromium | undefined {
  // In the C locale Chromium calls every download with an umlaut in its name “download”.
  const basic = { HOME: homedir(), LC_ALL: 'C.UTF-8' }
  const folder = unpack()
  if (folder === undefined) {
    const executablePath = env['CI'] ? undefined : PLACES.find((path) => existsSync(path))
    return executablePath === undefined ? undefined : { executablePath, env: basic }
  }
  return {
    executablePath: join(folder, 'chromium'),
    env: { ...basic, LD_LIBRARY_PATH: join(folder, 'al2023/lib'), FONTCONFIG_PATH: folder },
  }
}

/** The folder of the browser, its libraries and its font. */
function unpack(): string | undefined {
  if (platform() !== 'linux' || arch() !== 'x64') return undefined
  const require = createRequire(import.meta.url)
  let entry: string
  try {
    entry = require.resolve('@sparticuz/chromium')
  } catch {
    return undefined
  }
  const { version } = JSON.parse(readFileSync(join(dirname(entry), '../package.json'), 'utf8')) as { version: string }
  const folder = join(CACHE, `chromium-${version}`)
  if (existsSync(folder)) return folder
  mkdirSync(CACHE, { recursive: true })
  const fresh = mkdtempSync(`${folder}-`)
  const script = `import(${JSON.stringify(entry)}).then(({ default: browser }) => browser.executablePath())`
  // The package unpacks into the folder for temporary files, and its libraries only where it believes to be on Lambda.
  execFileSync(execPath, ['-e', script], { env: { TMPDIR: fresh, AWS_EXECUTION_ENV: 'AWS_Lambda_nodejs24.x' } })
  // Fonts of the machine come first, so that pictures of the documents have emoji where it has them.
  const fonts = '<include ignore_missing="yes">/etc/fonts/fonts.conf</include><dir prefix="relative">fonts</dir>'
  writeFileSync(join(fresh, 'fonts.conf'), `<?xml version="1.0"?><fontconfig>${fonts}</fontconfig>\n`)
  try {
    renameSync(fresh, folder)
  } catch {
    // Another process was faster.
    rmSync(fresh, { recursive: true })
  }
  return folder
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
