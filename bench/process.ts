import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createInterface } from 'node:readline'

/** A program of its own, as a user would start it. */
export interface Program extends AsyncDisposable {
  readonly pid: number
  /** From the call that spawns it to its ready line, milliseconds. */
  readonly readyMs: number
  /** The ready line, as `ready` matched it. */
  readonly ready: RegExpExecArray
}

export interface ProgramOptions {
  readonly script: string
  readonly args?: readonly string[]
  readonly env?: Readonly<Record<string, string>>
  readonly nodeOptions?: readonly string[]
  /** Of the line on stdout after which it can be used. */
  readonly ready: RegExp
  /** Its ready line is its result: it ends by itself after it. Default: it runs until it is closed. */
  readonly endsWhenReady?: boolean
}

const lastLines = 20

const watchers = new Set<(death: Error) => void>()

/** Tells of each program that ends before it is closed, with the last lines that it said. @returns what ends the watch */
export function watchDeaths(tell: (death: Error) => void): () => void {
  watchers.add(tell)
  return () => void watchers.delete(tell)
}

/** @throws {Error} with its last lines when it ends before it is ready. */
export async function startProgram(options: ProgramOptions): Promise<Program> {
  const { script, args = [], env = {}, nodeOptions = [], ready, endsWhenReady = false } = options
  const path = process.execPath.replace(/\/[^/]*$/, '')
  const startedAt = performance.now()
  const child = spawn(process.execPath, [...nodeOptions, script, ...args], {
    // The child gets none of our environment: a token in it would connect to real services.
    env: { PATH: path, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const exited = once(child, 'close')
  // Children end with the bench, however it ends.
  const kill = () => void child.kill('SIGKILL')
  process.once('exit', kill)
  void exited.then(() => process.off('exit', kill))
  const lines: string[] = []
  const found = Promise.withResolvers<{ readonly match: RegExpExecArray; readonly ms: number }>()
  const read = (line: string) => {
    const match = ready.exec(line)
    if (match !== null) found.resolve({ match, ms: performance.now() - startedAt })
    lines.push(line)
    if (lines.length > lastLines) lines.shift()
  }
  createInterface({ input: child.stdout }).on('line', read)
  createInterface({ input: child.stderr }).on('line', read)
  let isClosing = false
  let isReady = false
  const died = exited.then(([code, signal]) => {
    const when = isReady ? 'while it was used' : 'before it was ready'
    const death = new Error(`${script} ended with ${String(code ?? signal)} ${when}:\n${lines.join('\n')}`)
    const isExpected = isClosing || (endsWhenReady && code === 0)
    if (!isExpected) for (const tell of watchers) tell(death)
    throw death
  })
  died.catch(() => {})
  const { match, ms } = await Promise.race([found.promise, died])
  isReady = true
  return {
    pid: child.pid ?? 0,
    readyMs: ms,
    ready: match,
    async [Symbol.asyncDispose]() {
      isClosing = true
      child.kill('SIGTERM')
      const late = setTimeout(() => child.kill('SIGKILL'), 5000)
      await exited
      clearTimeout(late)
    },
  }
}

/** Most that a process ever held, megabytes; 0 when it is gone. */
export function peakOf(pid: number): number {
  try {
    const kibibytes = /^VmHWM:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]
    return (Number(kibibytes ?? 0) * 1024) / 1e6
  } catch {
    return 0
  }
}

/** Processor time that a process and its threads have used, milliseconds; its children are not in it. */
export function cpuMsOf(pid: number): number {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
  const [user = 0, system = 0] = stat
    .slice(stat.lastIndexOf(')') + 2)
    .split(' ')
    .slice(11, 13)
    .map(Number)
  // The kernel counts in hundredths of a second, whatever the machine.
  return (user + system) * 10
}

export interface Resident {
  readonly pid: number
  readonly name: string
  /** Resident set, megabytes (1,000,000 bytes). */
  readonly megabytes: number
}

/** Memory of a process and of all its children, the process first. Linux only: read from `/proc`. */
export function residentOf(pid: number): readonly Resident[] {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8')
  const kibibytes = Number(/^VmRSS:\s+(\d+) kB/m.exec(status)?.[1] ?? 0)
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ')
  const name = readFileSync(`/proc/${pid}/cmdline`, 'utf8')
    .split('\0')
    .find((part) => part.endsWith('.ts'))
  return [
    { pid, name: name?.replace(/^.*\//, '') ?? 'process', megabytes: (kibibytes * 1024) / 1e6 },
    ...children.filter((child) => child !== '').flatMap((child) => residentOf(Number(child))),
  ]
}
