import { Worker } from 'node:worker_threads'
import type { Logger } from '#start/log.ts'
import { threadEnvironment } from '#platform/engine/storage/thread.ts'
import { listen, type Listening, type ListenOptions, toSentence } from '#platform/server/listen.ts'
import type { FrontData, FrontMessage, FrontOrder } from './front-thread.ts'
import { createPeers } from './peers.ts'
import { beat, createBeatMemory, type Standstill } from './watchdog.ts'

export interface Front extends Listening {
  /** Port of the main thread on loopback, for clients in this process. */
  readonly innerPort: number
}

interface FrontOptions extends ListenOptions {
  readonly version: string
  readonly log: Logger
}

/** CPU time of one task from which it is a warning: all others waited for this long. Waiting for a slow machine or disk takes no CPU time, so it is no warning. */
const WARN_CPU_MS = 1_000

export function logStandstill(log: Pick<Logger, 'warn' | 'debug'>, standstill: Standstill): void {
  log[standstill.cpuMs >= WARN_CPU_MS ? 'warn' : 'debug']({ ...standstill }, 'Slow: requests waited')
}

interface Thread {
  readonly port: number
  tell(order: FrontOrder): void
  close(): Promise<void>
}

/**
 * Young objects of the thread, three spaces together: bytes that it passes on are soon garbage, and take memory until
 * then.
 */
const MAX_YOUNG_MB = 6

interface ThreadEvents {
  /** The thread ended by itself. */
  readonly onDeath: () => void
  /** `count` clients wait for a connection. */
  readonly onCrowded: (count: number) => void
}

function startThread(data: FrontData, log: Logger, { onDeath, onCrowded }: ThreadEvents): Promise<Thread> {
  // The thread must not inherit the flags of the process (debugger, test runner).
  const worker = new Worker(new URL('./front-thread.ts', import.meta.url), {
    workerData: data,
    execArgv: [],
    env: threadEnvironment(),
    resourceLimits: { maxYoungGenerationSizeMb: MAX_YOUNG_MB },
  })
  const closed = Promise.withResolvers<void>()
  let isClosing = false
  worker.on('exit', () => {
    closed.resolve()
    if (!isClosing) onDeath()
  })
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
  const tell = (order: FrontOrder) => worker.postMessage(order)
  const close = async () => {
    isClosing = true
    tell({ kind: 'close' })
    await closed.promise
    await worker.terminate()
  }
  return new Promise((resolve, reject) => {
    worker.on('error', (error) => {
      log.error({ err: error }, 'The thread of the connections ended; it is started again')
      reject(error)
    })
    worker.on('message', (message: FrontMessage) => {
      if (message.kind === 'listening') resolve({ port: message.port, tell, close })
      else if (message.kind === 'standstill') logStandstill(log, message.standstill)
      else if (message.kind === 'crowded') {
        onCrowded(message.count)
        tell({ kind: 'made-room' })
      } else if (message.kind === 'closed') closed.resolve()
      else {
        isClosing = true
        reject(toSentence(Object.assign(new Error(message.message), { code: message.code }), data))
        void worker.terminate()
      }
    })
  })
}

/**
 * Serves a fetch function through a thread of its own, which answers `/health` also while the main loop hangs.
 *
 * @throws {Error} as `listen`
 */
export async function listenWithFront(options: FrontOptions): Promise<Front> {
  const { host, version, log } = options
  const peers = createPeers()
  const memory = createBeatMemory()
  const endBeat = beat(memory)
  let isClosing = false
  let thread: Thread | undefined
  const inner = await listen({
    host: '127.0.0.1',
    port: 0,
    fetch: options.fetch,
    addressOf: (port) => peers.get(port),
    onEnd: (port) => thread?.tell({ kind: 'ended', port }),
  })
  const data = { host, inner: inner.port, version, peers: peers.memory, beat: memory }
  const start = async (port: number) => {
    const onDeath = () => {
      if (!isClosing && thread !== undefined)
        start(thread.port).catch((error: unknown) =>
          log.error({ err: error }, 'Footbridge takes no more connections: restart it'),
        )
    }
    thread = await startThread({ ...data, port }, log, { onDeath, onCrowded: inner.makeRoom })
    return thread
  }
  try {
    const { port } = await start(options.port)
    return {
      url: `http://${host.includes(':') ? `[${host}]` : host}:${port}`,
      port,
      innerPort: inner.port,
      makeRoom: inner.makeRoom,
      async close() {
        isClosing = true
        endBeat()
        // Running answers end first: they pass through the thread.
        await Promise.all([thread?.close(), inner.close()])
      },
    }
  } catch (error) {
    endBeat()
    await inner.close()
    throw error
  }
}
