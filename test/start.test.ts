import { execFile, spawn } from 'node:child_process'
import {
  chmodSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { expect, onTestFinished, test } from 'vitest'
import { startFootbridge } from './support/footbridge.ts'
import { inLong } from '#test/support/forms.ts'

const DEMO = fileURLToPath(new URL('support/people/demo.ts', import.meta.url))
const source = (name: string) => fileURLToPath(new URL(`../src/${name}`, import.meta.url))

const { scripts } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')) as {
  readonly scripts: Readonly<Record<string, string>>
}

/** A folder like the checkout, with nothing in it but what runs before the program. */
function openFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'footbridge-start-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  mkdirSync(join(folder, 'src', 'start'), { recursive: true })
  mkdirSync(join(folder, 'node_modules'))
  for (const name of ['env-file.ts', 'compile-cache.js', 'node-version.js'])
    cpSync(source(`start/${name}`), join(folder, 'src', 'start', name))
  writeFileSync(join(folder, 'package.json'), '{"type":"module"}')
  writeFileSync(join(folder, 'src', 'other.ts'), 'export const port: string = process.env.PORT ?? "none"\n')
  writeFileSync(join(folder, 'src', 'main.ts'), 'import { port } from "./other.ts"\nprocess.stdout.write(port)\n')
  return folder
}

/** The script of package.json, with the small program above in place of its own. */
async function run(folder: string, script = scripts['start'] ?? '', env: Record<string, string> = {}) {
  const options = script.split(' ').filter((word) => word.startsWith('--'))
  const child = spawn(process.execPath, [...options, 'src/main.ts'], { cwd: folder, env })
  const said = { out: '', err: '' }
  child.stdout.on('data', (piece) => (said.out += String(piece)))
  child.stderr.on('data', (piece) => (said.err += String(piece)))
  const code = await new Promise<number | null>((resolve) => child.on('close', resolve))
  return { ...said, code }
}

/** The named script without an `.env`, and with one. */
async function runBoth(name: string) {
  const script = scripts[name]?.replace('--watch', '')
  const folder = openFolder()
  const without = await run(folder, script)
  writeFileSync(join(folder, '.env'), 'PORT=4000\n')
  return [without, await run(folder, script)]
}
const quiet = ['none', '4000'].map((out) => ({ out, err: '', code: 0 }))

test.each(['start', 'keys'])('npm run %s reads .env, and is as quiet without one', async (name) => {
  expect(await runBoth(name)).toEqual(quiet)
})
test.each(['platform', 'doctor', 'dev'])('npm run %s reads .env, and is as quiet without one', inLong, async (name) => {
  expect(await runBoth(name)).toEqual(quiet)
})

test('what the environment says goes before what stands in .env', async () => {
  const folder = openFolder()
  writeFileSync(join(folder, '.env'), 'PORT=4000\n')
  expect((await run(folder, undefined, { PORT: '5000' })).out).toBe('5000')
})

test('a .env that cannot be read is told in a sentence', async () => {
  const folder = openFolder()
  mkdirSync(join(folder, '.env'))
  const { out, err, code } = await run(folder)
  expect([out, code]).toEqual(['', 1])
  expect(err).toMatch(/^The settings in \.env cannot be read: .+\n$/)
})

test('npm run demo drops the handbook into a Slack that is made up, and shows two answers', inLong, async () => {
  const { stdout } = await promisify(execFile)(process.execPath, [DEMO], { env: {} })
  expect(stdout).toMatch(
    /handbook\.pdf\*\* — ready[^]*28 days[^]*handbook\.pdf · p\.1[^]*prior approval[^]*handbook\.pdf · p\.2/,
  )
})

test('npm start keeps what was compiled, and starts as well where it cannot', async () => {
  const folder = openFolder()
  const cache = join(folder, 'node_modules', '.cache', 'compile')
  await run(folder)
  expect(readdirSync(cache, { recursive: true }).length).toBeGreaterThan(1)
  rmSync(join(folder, 'node_modules'), { recursive: true })
  // A file in the place of the folder: also root, who may write everywhere, fails to make one.
  writeFileSync(join(folder, 'node_modules'), '')
  expect(await run(folder)).toEqual({ out: 'none', err: '', code: 0 })
})

test('what strips types stays out of memory once everything is compiled', async () => {
  const folder = openFolder()
  const look = 'process.moduleLoadList.filter((name: string) => name.includes("amaro")).length'
  writeFileSync(join(folder, 'src', 'main.ts'), `process.stdout.write(String(${look}))\n`)
  expect(Number((await run(folder)).out)).toBeGreaterThan(0)
  expect((await run(folder)).out).toBe('0')
})

test('what was compiled is kept by a process that is killed, too', inLong, async () => {
  const cache = join(openFolder(), 'cache')
  const footbridge = await startFootbridge({ NODE_COMPILE_CACHE: cache })
  await footbridge.close()
  expect(readdirSync(cache, { recursive: true }).length).toBeGreaterThan(100)
})

/** Paths below a folder whose mode lets others in. */
const openToOthers = (folder: string) =>
  ['.', ...readdirSync(folder, { recursive: true, encoding: 'utf8' })].filter(
    (path) => (statSync(join(folder, path)).mode & 0o077) !== 0,
  )

test(
  'the data folder and all in it are for its user alone, whatever the umask and the folder before',
  inLong,
  async () => {
    const footbridge = await startFootbridge({}, { before: 'umask 000' })
    onTestFinished(() => footbridge.close())
    expect(openToOthers(footbridge.dataDir)).toEqual([])
    await footbridge.kill9()
    chmodSync(footbridge.dataDir, 0o755)
    await footbridge.restart()
    expect(statSync(footbridge.dataDir).mode & 0o777).toBe(0o700)
  },
)

test('the first key is not in a log: the third line says where it is kept', async () => {
  const footbridge = await startFootbridge({})
  onTestFinished(() => footbridge.close())
  const path = join(footbridge.dataDir, 'platform-key')
  const key = readFileSync(path, 'utf8').trim()
  expect(key.length).toBeGreaterThan(16)
  expect(footbridge.output.all.join('\n')).not.toContain(key)
  expect(footbridge.output.said.join('\n')).toContain(`API key: ${path}.`)
})
