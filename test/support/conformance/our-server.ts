import { fork } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { EngineOptions } from '#platform/engine/engine.ts'
import { runKeys } from '#keys/command.ts'
import { PROFILES } from '#platform/wire/profile.ts'
import { startUpstreamDouble } from '#test/doubles/upstream/double.ts'
import type { OurServer, Settings, Target } from './target.ts'

const repository = fileURLToPath(new URL('../../..', import.meta.url))
const serve = fileURLToPath(new URL('serve.ts', import.meta.url))

export type ServeSettings = Settings &
  Pick<EngineOptions, 'upstream'> & {
    /** Folder that holds `src`. */
    readonly root: string
    readonly dataDir: string
    /** PostgreSQL in place of the data folder. */
    readonly databaseUrl?: string
  }

/** Moves the clock of the server. */
export interface Order {
  readonly id: number
  readonly ms: number
}

interface Told {
  readonly id: number
  readonly url?: string
  readonly key?: string
}

export interface StartOptions extends Settings {
  /** Folder whose `src` is run; default: this repository. */
  readonly root?: string
  /** Makes a database for it, and one for each other server that it starts. */
  readonly database?: () => Promise<string>
}

const models = {
  chatModel: 'double-chat',
  embeddingModel: 'double-embed',
  transcriptionModel: 'double-whisper',
} as const

/** Our server as a process of its own, with a scripted model server. */
export async function startOurServer(options: StartOptions = {}): Promise<Target> {
  const { root = repository, database, ...settings } = options
  const databaseUrl = await database?.()
  const dataDir = await mkdtemp(join(tmpdir(), 'footbridge-conformance-'))
  const upstream = await startUpstreamDouble()
  const given: ServeSettings = {
    ...settings,
    root,
    dataDir,
    ...(databaseUrl === undefined ? {} : { databaseUrl }),
    upstream: { baseUrl: upstream.baseUrl, ...models },
  }
  const child = fork(serve, [JSON.stringify(given)], { execArgv: [], stdio: ['ignore', 'ignore', 'pipe', 'ipc'] })
  let said = ''
  child.stderr?.on('data', (text: Buffer) => (said += text.toString('utf8')))
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()))
  const others: Target[] = []
  let lastId = 0

  const told = (id: number) =>
    new Promise<Told>((resolve, reject) => {
      const listen = (answer: Told) => {
        if (answer.id !== id) return
        child.off('message', listen)
        resolve(answer)
      }
      child.on('message', listen)
      void ended.then(() => reject(new Error(`The server ended: ${said}`)))
    })
  async function close() {
    for (const other of others) await other.close()
    if (child.connected) child.disconnect()
    await ended
    await upstream.close()
    await rm(dataDir, { recursive: true, force: true })
  }

  const { url = '', key = '' } = await told(0).catch(async (error: unknown) => {
    await close()
    throw error
  })
  const ours: OurServer = {
    busyBytes: databaseUrl === undefined ? 8_000_000 : 1_500_000,
    upstream,
    async keys(...words) {
      return runKeys(dataDir, words, Date.now, databaseUrl)
    },
    async makeKey(user) {
      const shown = await runKeys(dataDir, ['add', user], Date.now, databaseUrl)
      return /fb-[\w-]{43}/.exec(shown)?.[0] ?? ''
    },
    async advance(ms) {
      const id = (lastId += 1)
      const answer = told(id)
      child.send({ id, ms } satisfies Order)
      await answer
    },
    async another(other) {
      const target = await startOurServer({ root, ...(database === undefined ? {} : { database }), ...other })
      others.push(target)
      return target
    },
  }
  return {
    baseUrl: `${url}/v1`,
    key,
    profile: PROFILES.collection,
    chatModel: models.chatModel,
    speechModel: models.transcriptionModel,
    exchanges: [],
    ours,
    close,
  }
}
