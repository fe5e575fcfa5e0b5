import { execFile, spawn, type ChildProcess } from 'node:child_process'
import { chownSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { env } from 'node:process'
import { promisify } from 'node:util'
import { freePort } from '../free-port.ts'
import { findOwner, findPrograms, type Owner } from './programs.ts'

const run = promisify(execFile)

/** A PostgreSQL server of one test file: in a folder of its own, on a free port of loopback that stays its own, without any fsync. */
export interface Cluster {
  /** Of its superuser, on the database `postgres`. */
  readonly url: string
  /** Ends it at once, connections and all, as a machine that goes away; written data stays. */
  halt(): Promise<void>
  /** After `halt`: on the same port again. */
  resume(): Promise<void>
  /** For good. */
  remove(): Promise<void>
}

/** With marks that an address has to encode. */
const password = 'p@ss word'

const settings = {
  listen_addresses: '127.0.0.1',
  unix_socket_directories: '',
  // Written is written when the server is killed; only a power cut would show.
  fsync: 'off',
  full_page_writes: 'off',
  deadlock_timeout: '100ms',
  shared_buffers: '32MB',
  max_connections: '100',
}

/** Resolves when it takes connections; rejects with its output when it ends before. */
function launch(programs: string, folder: string, user: Owner | undefined, chosen: object) {
  const words = Object.entries({ ...settings, ...chosen }).flatMap(([name, value]) => ['-c', `${name}=${value}`])
  const child = spawn(join(programs, 'postgres'), ['-D', folder, ...words], {
    ...user,
    cwd: folder,
    env: { PATH: env['PATH'], LC_ALL: 'C.UTF-8' },
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  return new Promise<ChildProcess>((resolve, reject) => {
    let said = ''
    child.stderr.on('data', (text: Buffer) => {
      said = `${said}${text.toString('utf8')}`.slice(-10_000)
      if (said.includes('ready to accept connections')) resolve(child)
    })
    child.once('error', reject)
    child.once('exit', () => reject(new Error(`PostgreSQL ended: ${said}`)))
  })
}

async function stop(child: ChildProcess, signal: 'SIGINT' | 'SIGQUIT'): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const ended = new Promise((resolve) => child.once('exit', resolve))
  child.kill(signal)
  await ended
}

/** @param durable it writes as in production: for figures */
export async function startCluster({ durable = false } = {}): Promise<Cluster> {
  const user = findOwner()
  const programs = findPrograms(user)
  const home = await mkdtemp(join(tmpdir(), 'footbridge-postgres-'))
  if (user !== undefined) chownSync(home, user.uid, user.gid)
  const folder = join(home, 'data')
  const secret = join(home, 'password')
  await writeFile(secret, `${password}\n`, { mode: 0o644 })
  const words = ['-D', folder, '-U', 'owner', '-A', 'scram-sha-256', `--pwfile=${secret}`, '-E', 'UTF8', '-N']
  await run(join(programs, 'initdb'), [...words, '--locale=C.UTF-8'], { ...user, cwd: home })
  const port = await freePort()
  const chosen = { port, ...(durable ? { fsync: 'on', full_page_writes: 'on', shared_buffers: '128MB' } : {}) }
  let child = await launch(programs, folder, user, chosen)
  const killNow = () => {
    child.kill('SIGQUIT')
    // A process that is ended has no time for it; the server's own processes write a moment longer.
    spawn('/bin/sh', ['-c', 'sleep 2; rm -rf "$0"', home], { detached: true, stdio: 'ignore' }).unref()
  }
  process.once('exit', killNow)
  return {
    url: `postgres://owner:${encodeURIComponent(password)}@127.0.0.1:${port}/postgres`,
    halt: () => stop(child, 'SIGQUIT'),
    async resume() {
      child = await launch(programs, folder, user, chosen)
    },
    async remove() {
      process.off('exit', killNow)
      await stop(child, 'SIGINT')
      await rm(home, { recursive: true, force: true })
    },
  }
}

let shared: Promise<Cluster> | undefined

/** One server for all test files that this process runs; it goes with the process. */
export function shareCluster(): Promise<Cluster> {
  if (shared === undefined) {
    shared = startCluster()
    // vitest ends its processes by this signal, which runs no `exit` listener by itself.
    process.once('SIGTERM', () => process.exit())
  }
  return shared
}
