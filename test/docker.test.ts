/** Follows the Dockerfile step by step without a container engine: same files, same commands, another root folder. */
import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, chownSync, copyFileSync, cpSync, existsSync, linkSync, mkdirSync, mkdtempSync } from 'node:fs'
import { readdirSync, readFileSync, rmSync, statSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join, relative } from 'node:path'
import { env } from 'node:process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { ferryPages, makePdf } from './fixtures/pdf.ts'
import { environmentOf, execForm, type Instruction, parseDockerfile } from './support/dockerfile.ts'
import { freePort } from './support/free-port.ts'

const run = promisify(execFile)
const REPOSITORY = fileURLToPath(new URL('..', import.meta.url))
const everything = parseDockerfile(readFileSync(join(REPOSITORY, 'Dockerfile'), 'utf8'))
/** The image is the last stage; the one before builds what it copies. */
const lastStage = everything.findLastIndex(({ name }) => name === 'FROM')
const instructions = everything.slice(lastStage)
const building = everything.slice(0, lastStage)
const all = (name: string) => instructions.filter((instruction) => instruction.name === name)
const last = (name: string): Instruction => {
  const found = all(name).at(-1)
  if (found === undefined) throw new Error(`The Dockerfile has no ${name}.`)
  return found
}

const imageEnv = environmentOf(instructions)
const root = mkdtempSync(join(tmpdir(), 'footbridge-image-'))
const app = join(root, 'app')
const workshop = join(root, 'build')
const data = join(root, 'data')
const temporary = join(root, 'tmp')
const bin = join(root, 'bin')
// As root we really become somebody else; otherwise our own user takes the place of the image's.
const isRoot = process.getuid?.() === 0
const user = isRoot ? { uid: 65_534, gid: 65_534 } : { uid: process.getuid?.() ?? 0, gid: process.getgid?.() ?? 0 }

const started: ChildProcess[] = []

describe('the Dockerfile', () => {
  it('starts from an image with the Node that the package brings elsewhere', () => {
    const { devDependencies } = JSON.parse(readFileSync(join(REPOSITORY, 'package.json'), 'utf8')) as {
      devDependencies: Record<string, string>
    }
    expect(last('FROM').value).toBe(`node:${devDependencies['node']?.split('.')[0]}-slim`)
  })

  it('says what it is, by the labels of OCI, with the version of the package', () => {
    const { version } = JSON.parse(readFileSync(join(REPOSITORY, 'package.json'), 'utf8')) as { version: string }
    expect(last('LABEL').value).toContain(`org.opencontainers.image.version="${version}"`)
    for (const name of ['title', 'description', 'licenses'])
      expect(last('LABEL').value).toContain(`org.opencontainers.image.${name}="`)
  })

  it('runs as somebody who is not root, after the last step that needs root', () => {
    expect(last('USER').value).toBe('node')
    expect(instructions.findLastIndex(({ name }) => name === 'RUN')).toBeLessThan(instructions.indexOf(last('USER')))
  })

  it('starts and checks health without a shell between, so that signals arrive', () => {
    expect(execForm(last('CMD').value)[0]).toBe('node')
    expect(execForm(last('HEALTHCHECK').value)[0]).toBe('node')
  })

  it('listens for other machines, and keeps data on a volume', () => {
    expect(imageEnv).toMatchObject({ HOST: '0.0.0.0', DATA_DIR: '/data' })
    expect(last('VOLUME').value).toBe('/data')
  })

  it('brings ffmpeg, so that memos of any form can be heard, and leaves no package lists behind', () => {
    const installs = all('RUN').filter(({ value }) => value.includes('apt-get install'))
    expect(installs.map(({ value }) => value)).toEqual([
      expect.stringMatching(/--no-install-recommends ffmpeg && rm -rf \/var\/lib\/apt\/lists\/\*$/),
    ])
  })

  it('copies only what .dockerignore lets in', () => {
    const lines = readFileSync(join(REPOSITORY, '.dockerignore'), 'utf8').split('\n')
    expect(lines.find((line) => line !== '' && !line.startsWith('#'))).toBe('*')
    const letIn = lines.filter((line) => line.startsWith('!')).map((line) => line.slice(1))
    const copied = everything
      .filter(({ name, flags }) => name === 'COPY' && flags.length === 0)
      .flatMap(({ value }) => value.split(/\s+/).slice(0, -1))
    expect([...new Set(copied)].map((path) => path.replace(/^\.\//, '')).toSorted()).toEqual(letIn.toSorted())
  })
})

describe('compose.yaml', () => {
  it('gives the container nothing that it does not need', () => {
    const compose = parse(readFileSync(join(REPOSITORY, 'compose.yaml'), 'utf8')) as {
      services: { footbridge: Record<string, unknown> }
    }
    const { version } = JSON.parse(readFileSync(join(REPOSITORY, 'package.json'), 'utf8')) as { version: string }
    expect(compose.services.footbridge).toMatchObject({
      // Named, and built where no image has that name.
      image: `\${FOOTBRIDGE_IMAGE:-footbridge:${version}}`,
      build: '.',
      read_only: true,
      cap_drop: ['ALL'],
      security_opt: ['no-new-privileges:true'],
      tmpfs: [expect.stringMatching(/^\/tmp:/)],
      volumes: ['data:/data'],
      ports: [expect.stringMatching(/^127\.0\.0\.1:/)],
    })
  })
})

describe('its steps, followed', () => {
  beforeAll(async () => {
    for (const folder of [app, workshop, data, temporary, bin]) mkdirSync(folder)
    chmodSync(root, 0o755)
    chownSync(temporary, user.uid, user.gid)
    // Our own Node may lie in a folder that only we can enter.
    try {
      linkSync(process.execPath, join(bin, 'node'))
    } catch {
      copyFileSync(process.execPath, join(bin, 'node'))
    }
    for (const { name, value } of building) {
      if (name === 'COPY') copy(value, workshop)
      // The packages of the development are here already: half a gigabyte.
      if (name === 'RUN' && value.startsWith('npm ci'))
        symlinkSync(join(REPOSITORY, 'node_modules'), join(workshop, 'node_modules'))
      else if (name === 'RUN') await build(value, workshop)
    }
    for (const { name, value, flags } of instructions) {
      if (name === 'COPY' && flags.length === 0) copy(value, app)
      if (name === 'COPY' && flags.includes('--from=build')) copyBuilt(value)
      // Packages of the system would be put into this one: there is no other root folder for them.
      if (name === 'RUN' && !value.startsWith('apt-get ')) await build(relocate(value), app)
    }
    rmSync(workshop, { recursive: true })
    await run('chmod', ['-R', 'a-w', app])
  }, 900_000)

  afterAll(async () => {
    for (const child of started) child.kill('SIGKILL')
    await run('chmod', ['-R', 'u+w', root])
    rmSync(root, { recursive: true, force: true })
  })

  it('leave development tools, sources and a second Node out', () => {
    expect(existsSync(join(app, 'src'))).toBe(false)
    expect(existsSync(join(app, 'node_modules/esbuild'))).toBe(false)
    expect(existsSync(join(app, 'node_modules/hono'))).toBe(true)
    expect(existsSync(join(app, 'node_modules/vitest'))).toBe(false)
    expect(existsSync(join(app, 'node_modules/typescript'))).toBe(false)
    expect(existsSync(join(app, 'node_modules/node/bin/node'))).toBe(false)
  })

  it('bring the commands, by the path that docs/operations.md names', async () => {
    const words = /docker compose exec footbridge node (\S+) doctor/.exec(
      readFileSync(join(REPOSITORY, 'docs/operations.md'), 'utf8'),
    )
    const { version } = JSON.parse(readFileSync(join(REPOSITORY, 'package.json'), 'utf8')) as { version: string }
    const options = { cwd: app, env: runEnv({}), ...user }
    expect(await run('node', [words?.[1] ?? '', '--version'], options)).toEqual({ stdout: `${version}\n`, stderr: '' })
  })

  it('refuse to start for other machines without a login, in a sentence', async () => {
    const container = start({})
    const [code] = (await once(container.child, 'exit')) as [number]
    expect(code).toBe(1)
    expect(container.output()).toContain('WEB_PASSWORD')
  })

  it.each([
    // Nobody has signed in.
    ['as the image sets it', { WEB_PASSWORD: 'correct horse battery' }, 401],
    ['on loopback', { HOST: '127.0.0.1' }, 200],
  ])('give a healthy process that writes only its data and ends with 0 (%s)', async (_name, settings, sample) => {
    const port = await freePort()
    const container = start({ ...settings, PORT: String(port) })
    await healthy(container, port)
    expect(readdirSync(data)).toContain('bridge.sqlite')
    expect(await doWork(port)).toEqual({ page: 200, sample, converted: expect.stringContaining('pier seven') })
    container.child.kill('SIGTERM')
    const [code, signal] = (await once(container.child, 'exit')) as [number | null, string | null]
    expect({ code, signal, output: container.output() }).toMatchObject({ code: 0, signal: null })
    expect(changedIn(app)).toEqual([])
  })

  it('report a process that does not answer as unhealthy', async () => {
    const port = await freePort()
    await expect(checkHealth(port)).rejects.toMatchObject({ code: 1 })
  })
})

/** Paths and the user of the image, moved to where the test has them. */
function relocate(command: string): string {
  return command.replaceAll(/(?<=\s)\/data\b/g, data).replaceAll('node:node', `${user.uid}:${user.gid}`)
}

/** What another stage has built. */
function copyBuilt(value: string): void {
  const [from = '', to = ''] = value.split(/\s+/)
  cpSync(join(workshop, relative('/app', from)), join(app, to), { recursive: true })
}

function copy(value: string, into: string): void {
  const words = value.split(/\s+/)
  const target = join(into, words.at(-1) ?? '.')
  for (const source of words.slice(0, -1)) {
    const from = join(REPOSITORY, source)
    const to = statSync(from).isDirectory() ? target : join(target, source)
    cpSync(from, to, { recursive: true })
  }
}

/** First with npm's cache of the registry, which may be too old for a new lock file. */
async function build(command: string, cwd: string): Promise<void> {
  const step = (variables: NodeJS.ProcessEnv) => run('sh', ['-ec', command], { cwd, env: variables })
  await step({ ...buildEnv(), npm_config_prefer_offline: 'true' }).catch(() => step(buildEnv()))
}

/** The variables by which npm finds its registry and cache, without those of an npm that runs this test. */
function buildEnv(): NodeJS.ProcessEnv {
  const kept = Object.entries(env).filter(
    ([name]) =>
      !/^(npm_|NODE_(?!EXTRA_CA_CERTS$)|VITEST)/i.test(name) || /^npm_config_(registry|cache|userconfig)$/i.test(name),
  )
  return { ...Object.fromEntries(kept), NODE_ENV: 'production' }
}

function runEnv(settings: Record<string, string>): NodeJS.ProcessEnv {
  const path = [bin, '/usr/bin', '/bin'].join(delimiter)
  return { ...imageEnv, PATH: path, HOME: temporary, TMPDIR: temporary, DATA_DIR: data, ...settings }
}

interface Container {
  readonly child: ChildProcess
  readonly output: () => string
}

function start(settings: Record<string, string>): Container {
  const [command = '', ...words] = execForm(last('CMD').value)
  const child = spawn(command, words, { cwd: app, env: runEnv(settings), ...user })
  started.push(child)
  let output = ''
  child.stdout.on('data', (piece: Buffer) => (output += piece.toString()))
  child.stderr.on('data', (piece: Buffer) => (output += piece.toString()))
  return { child, output: () => output }
}

async function checkHealth(port: number): Promise<void> {
  const [command = '', ...words] = execForm(last('HEALTHCHECK').value)
  await run(command, words, { cwd: app, env: runEnv({ PORT: String(port) }), ...user })
}

/** As an engine does: runs the check until it succeeds, as often as the process lives. */
async function healthy(container: Container, port: number): Promise<void> {
  for (;;) {
    try {
      return await checkHealth(port)
    } catch (error) {
      if (container.child.exitCode !== null) throw new Error(container.output(), { cause: error })
    }
  }
}

/** Work that needs more than our own code: the page's bundler, its sample file, and the reader of PDFs. */
async function doWork(port: number): Promise<{ page: number; sample: number; converted: string }> {
  const address = `http://127.0.0.1:${port}`
  const page = await fetch(`${address}/assets/page.js`)
  const sample = await fetch(`${address}/api/web/sample`)
  const form = new FormData()
  form.set('document', new File([await makePdf(ferryPages)], 'ferry.pdf', { type: 'application/pdf' }))
  const key = readFileSync(join(data, 'platform-key'), 'utf8').trim()
  const headers = { authorization: `Bearer ${key}` }
  const reply = await fetch(`${address}/v1/documents/convert`, { method: 'POST', headers, body: form })
  return { page: page.status, sample: sample.status, converted: await reply.text() }
}

/** Files under a folder that are younger than the folder's last step. */
function changedIn(folder: string): readonly string[] {
  const youngest = statSync(join(folder, 'dist')).ctimeMs
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((path) => statSync(path).mtimeMs > youngest)
}
