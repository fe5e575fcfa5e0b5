import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { env as variables } from 'node:process'
import type { Readable } from 'node:stream'
import { fileURLToPath } from 'node:url'

/** Tests start the built program (program.ts); what runs without them, as the demo, starts the sources. */
const MAIN = variables['TEST_PROGRAM'] ?? fileURLToPath(new URL('../../src/main.ts', import.meta.url))
/** As in `npm start`: half the time of each of the many starts here. */
const CACHE = fileURLToPath(new URL('../../src/start/compile-cache.js', import.meta.url))

/** A busy machine makes a task long, which is no claim of these tests: test/front/front.test.ts holds when it is said. */
const SLOW = 'Slow: requests waited'

export type Environment = Readonly<Record<string, string>>

/** One line of the log of Footbridge, which is JSON. */
export interface LogLine {
  /** pino's number: 30 info, 40 warn, 50 error. */
  readonly level: number
  readonly msg: string
  readonly part?: string
  readonly [field: string]: unknown
}

/** Output of the processes on one data folder, over all restarts. */
export interface Output {
  /** Everything, line by line as it came. */
  readonly all: readonly string[]
  /** The lines for people. */
  readonly said: readonly string[]
  readonly log: readonly LogLine[]
  readonly stderr: readonly string[]
}

/** Footbridge as it is started by `npm start`: a process of its own, told everything by its environment. */
export interface Footbridge {
  readonly url: string
  /** Of the process that runs now. */
  readonly pid: number
  readonly dataDir: string
  readonly output: Output
  /** Log lines that an operator has to look at. */
  alarms(): readonly LogLine[]
  /** SIGKILL, and waits until it is dead. Nothing in the process can notice it. */
  kill9(): Promise<void>
  /** SIGTERM; resolves with the exit code. */
  stop(): Promise<number | null>
  /** Starts again on the same folder, with the same settings except `changes`; ends the running process first. */
  restart(changes?: Environment): Promise<void>
  /** Ends it for good and removes the folder. */
  close(): Promise<void>
}

interface Started {
  readonly child: ChildProcess
  readonly exit: Promise<number | null>
}

interface Sink {
  readonly all: string[]
  readonly said: string[]
  readonly log: LogLine[]
  readonly stderr: string[]
}

const createSink = (): Sink => ({ all: [], said: [], log: [], stderr: [] })

function note(sink: Sink, line: string): void {
  sink.all.push(line)
  if (line.startsWith('{')) sink.log.push(JSON.parse(line) as LogLine)
  else sink.said.push(line)
}

/** Lines end with \n alone: the readers of Node end one at U+2028 too, which a file name may have. */
function onLine(stream: Readable, take: (line: string) => void): void {
  let rest = ''
  stream.setEncoding('utf8').on('data', (text: string) => {
    const lines = `${rest}${text}`.split('\n')
    rest = lines.pop() ?? ''
    for (const line of lines) take(line)
  })
  stream.on('end', () => rest === '' || take(rest))
}

/** Nothing of the environment of the tests gets in. */
function launch(env: Environment, sink: Sink, before?: string): Started {
  const command = [process.execPath, `--import=${CACHE}`, MAIN]
  const [program = '', ...words] =
    before === undefined ? command : ['/bin/sh', '-c', `${before}; exec "$@"`, 'sh', ...command]
  const child = spawn(program, words, { env: { ...env }, stdio: ['ignore', 'pipe', 'pipe'] })
  if (child.stdout === null || child.stderr === null) throw new Error('The process has no output.')
  onLine(child.stdout, (line) => note(sink, line))
  onLine(child.stderr, (line) => {
    sink.all.push(line)
    sink.stderr.push(line)
  })
  const exit = once(child, 'close').then(([code]) => code as number | null)
  return { child, exit }
}

const READY = /^Footbridge \S+ is ready: (http:\/\/\S+)/

/** Resolves with the address of the first line that tells one. */
async function whenReady({ child, exit }: Started, sink: Sink, since: number): Promise<string> {
  const found = Promise.withResolvers<string>()
  const look = () => {
    const url = sink.said.slice(since).map((line) => READY.exec(line)?.[1])[0]
    if (url !== undefined) found.resolve(url)
  }
  // After the reader of lines has had its turn.
  child.stdout?.on('data', () => setImmediate(look))
  const died = exit.then((code) => {
    throw new Error(`Footbridge ended with ${code} before it was ready:\n${sink.all.join('\n')}`)
  })
  died.catch(() => {})
  return Promise.race([found.promise, died])
}

/**
 * @param env the settings; `DATA_DIR` (a fresh folder), `PORT` (any free) and `LOG_LEVEL` have defaults.
 * @param options `before`: words for the shell, such as `umask 022`
 */
export async function startFootbridge(
  env: Environment,
  { before }: { readonly before?: string } = {},
): Promise<Footbridge> {
  const dataDir = env['DATA_DIR'] ?? mkdtempSync(join(tmpdir(), 'footbridge-whole-'))
  const sink = createSink()
  let settings: Environment = { PORT: '0', ...env, DATA_DIR: dataDir }
  let url = ''
  let current: Started

  async function start(): Promise<void> {
    const since = sink.said.length
    current = launch(settings, sink, before)
    url = await whenReady(current, sink, since)
  }

  async function end(signal: NodeJS.Signals): Promise<number | null> {
    current.child.kill(signal)
    return current.exit
  }

  await start()
  return {
    get url() {
      return url
    },
    get pid() {
      return current.child.pid ?? 0
    },
    dataDir,
    output: sink,
    alarms: () => sink.log.filter(({ level, msg }) => level >= 40 && msg !== SLOW),
    async kill9() {
      await end('SIGKILL')
    },
    stop: () => end('SIGTERM'),
    async restart(changes = {}) {
      await end('SIGKILL')
      settings = { ...settings, ...changes }
      await start()
    },
    async close() {
      await end('SIGKILL')
      rmSync(dataDir, { recursive: true, force: true })
    },
  }
}

/** A start that is expected to fail: runs until it ends by itself. */
export async function startInVain(env: Environment): Promise<{ readonly code: number | null } & Output> {
  const dataDir = mkdtempSync(join(tmpdir(), 'footbridge-vain-'))
  const sink = createSink()
  const { exit } = launch({ PORT: '0', ...env, DATA_DIR: dataDir }, sink)
  const code = await exit
  rmSync(dataDir, { recursive: true, force: true })
  return { code, ...sink }
}
