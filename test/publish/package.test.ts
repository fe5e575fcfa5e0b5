/** The package that npm gets, built and started in a folder where nothing else is. */
import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { createPlatformClient } from '#platform/client/client.ts'
import type { openDictionary as openSource } from '#platform/engine/dictionary/dictionary.ts'
import { build } from '#publish/build.ts'
import { ferryPages, makePdf } from '../fixtures/pdf.ts'
import { closeAtEnd } from '../support/close-at-end.ts'
import { inLong } from '../support/forms.ts'
import { freePort } from '../support/free-port.ts'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
const manifest = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as {
  readonly version: string
  readonly bin: { readonly footbridge: string }
  readonly files: readonly string[]
  readonly dependencies: Readonly<Record<string, string>>
}

const folder = realpathSync(mkdtempSync(join(tmpdir(), 'footbridge-package-')))
const installed = join(folder, 'node_modules/footbridge')
const program = join(installed, manifest.bin.footbridge)

beforeAll(async () => {
  mkdirSync(installed, { recursive: true })
  await build(join(installed, 'dist'))
  for (const name of ['package.json', ...manifest.files.filter((one) => one !== 'dist')])
    cpSync(join(ROOT, name), join(installed, name), { recursive: true })
  // Only the packages that npm would install with it: one of the development would not be found.
  for (const name of [...Object.keys(manifest.dependencies), 'vitest']) {
    const at = join(folder, 'node_modules', name)
    mkdirSync(dirname(at), { recursive: true })
    symlinkSync(join(ROOT, 'node_modules', name), at)
  }
}, 120_000)

afterAll(() => rmSync(folder, { recursive: true, force: true }))

interface Ended {
  readonly code: number
  readonly out: string
  readonly err: string
}

const run = (...words: readonly string[]) =>
  new Promise<Ended>((resolve) => {
    const options = { cwd: folder, env: { PATH: dirname(process.execPath) } }
    const child = execFile(process.execPath, [program, ...words], options, (_, out, err) =>
      resolve({ code: child.exitCode ?? -1, out, err }),
    )
  })

const toHelp = (command: string) => ({
  code: 0,
  out: expect.stringMatching(new RegExp(`^Usage: footbridge ${command}`)),
  err: '',
})

describe('the program footbridge', () => {
  it('tells its version and its commands', async () => {
    expect(await run('--version')).toEqual({ code: 0, out: `${manifest.version}\n`, err: '' })
    const help = await run('--help')
    expect(help).toMatchObject({ code: 0, err: '' })
    for (const command of ['init', 'start', 'doctor', 'manifest', 'move', 'jobs', 'keys'])
      expect(help.out).toMatch(new RegExp(`^  ${command} `, 'm'))
  })

  it('finds the words that come with it', async () => {
    const path = join(installed, 'dist/src/platform/engine/dictionary/dictionary.js')
    const { openDictionary } = (await import(pathToFileURL(path).href)) as {
      readonly openDictionary: typeof openSource
    }
    const dictionary = openDictionary([], { debug() {}, info() {}, warn() {}, error() {} })
    expect((await dictionary.othersOf(['rechnung'])).get('rechnung')).toContain('invoice')
    expect((await dictionary.nearOf(['boss'])).get('boss')).toContain('manager')
    await dictionary.close()
  })

  it.each(['start', 'keys'])('tells about %s, and runs nothing', async (command) => {
    expect(await run(command, '--help')).toEqual(toHelp(command))
  })
  it.each(['init', 'doctor', 'manifest', 'move', 'jobs', 'eval', 'feedback', 'platform'])(
    'tells about %s, and runs nothing',
    inLong,
    async (command) => {
      expect(await run(command, '--help')).toEqual(toHelp(command))
    },
  )

  it('names a command that is not there, and the one that was meant', async () => {
    expect(await run('doctr')).toEqual({
      code: 2,
      out: '',
      err: 'There is no command doctr. Did you mean doctor? footbridge --help lists all.\n',
    })
  })

  it.each(['jobs', 'keys'])('names a command of %s that is not there', async (command) => {
    const { code, err } = await run(command, 'steal')
    expect([code, err]).toEqual([2, expect.stringMatching(/^There is no command steal\.\nUsage: footbridge /)])
  })

  it('prints the manifest of the Slack app', async () => {
    const { code, out } = await run('manifest', 'slack')
    expect(code).toBe(0)
    expect(JSON.parse(out)).toHaveProperty('features.bot_user')
  })

  it('reads .env, serves page and platform, answers from a file, and ends at a signal', async () => {
    const port = await freePort()
    writeFileSync(join(folder, '.env'), `PORT=${port}\nLOG_LEVEL=warn\n`)
    const child = spawn(process.execPath, [program], { cwd: folder, env: {} })
    onTestFinished(() => void child.kill('SIGKILL'))
    let said = ''
    child.stdout.on('data', (piece) => (said += String(piece)))
    child.stderr.on('data', (piece) => (said += String(piece)))
    await expect.poll(() => said).toContain('is ready')
    const at = `http://127.0.0.1:${port}`
    expect(await (await fetch(at)).text()).toContain('<title>Footbridge</title>')
    expect((await (await fetch(`${at}/assets/page.js`)).text()).length).toBeGreaterThan(50_000)
    expect((await fetch(`${at}/api/web/sample`)).status).toBe(200)
    expect(await ask(at, readFileSync(join(folder, 'data/platform-key'), 'utf8').trim())).toContain('pier seven')
    child.kill('SIGTERM')
    expect(await once(child, 'exit')).toEqual([0, null])
    // No warning of Node, no missing file.
    expect(said.split('\n').filter((line) => line !== '' && !/^(Footbridge|Answers:|Next:)/.test(line))).toEqual([])
  })
})

describe('npx', () => {
  it('takes the program with it when a signal ends it', async () => {
    const port = await freePort()
    const own = { PORT: String(port), DATA_DIR: join(folder, 'npx-data'), npm_command: 'exec', PATH: '/usr/bin:/bin' }
    // As npx: a shell between, which passes no signal on.
    const shell = spawn('sh', ['-c', `"${process.execPath}" "${program}"; true`], { cwd: folder, env: own })
    const isThere = () =>
      fetch(`http://127.0.0.1:${port}/health`).then(
        () => true,
        () => false,
      )
    await expect.poll(isThere).toBe(true)
    shell.kill('SIGTERM')
    await expect.poll(isThere).toBe(false)
  })
})

/** Uses the threads and children: a document is converted, indexed and searched. */
async function ask(at: string, apiKey: string): Promise<string> {
  const client = closeAtEnd(createPlatformClient({ baseUrl: `${at}/v1`, apiKey, profile: 'collection' }))
  await client.collections.create('ferries')
  const bytes = new Blob([await makePdf(ferryPages)])
  const file = { name: 'ferries.pdf', mimeType: 'application/pdf', bytes }
  const { markdown } = await client.documents.convert(file)
  const text = { name: 'ferries.md', mimeType: 'text/markdown', bytes: new Blob([markdown]) }
  await client.files.upload('ferries', text)
  await client.collections.generateIndex('ferries')
  const messages = [{ role: 'user', content: 'From which pier do the ferries leave?' }]
  const reply = await fetch(`${at}/v1/chat/completions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' },
    body: JSON.stringify({ model: 'extractive', collection: 'ferries', messages }),
  })
  return reply.text()
}

it('what `exports` names can be imported', async () => {
  const script = `
    const { AdapterError } = await import('footbridge/port/errors')
    console.log(typeof AdapterError, import.meta.resolve('footbridge/contract'))`
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', script], { cwd: folder })
  expect(stdout).toContain('function file://')
})
