import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createWebAdapter, type WebAdapter, type WebAdapterOptions } from '#adapters/web/adapter.ts'
import type { Inbound, Message, Outgoing } from '#bridge/port/message.ts'
import { createLogSink } from '#test/support/fakes/log.ts'
import { createBrowser } from '#test/support/web/browser.ts'

/** A bridge that keeps what it is early, and can be slow or refuse. */
export function createReceiver() {
  const inbounds: Inbound[] = []
  let gate: (() => Promise<void>) | undefined
  return {
    inbounds: inbounds as readonly Inbound[],
    receive: async (inbound: Inbound) => {
      inbounds.push(inbound)
      await gate?.()
    },
    /** The promise that `receive` waits for from now on. */
    gate(next: (() => Promise<void>) | undefined) {
      gate = next
    },
    message(): Message {
      const last = inbounds.findLast((inbound) => inbound.kind === 'message')
      if (!last) throw new Error('No message has arrived.')
      return last.message
    },
  }
}

export interface Scene extends AsyncDisposable {
  adapter: WebAdapter
  readonly dataDir: string
  readonly log: ReturnType<typeof createLogSink>
  readonly receiver: ReturnType<typeof createReceiver>
  readonly browser: ReturnType<typeof createBrowser>
  /** Stops it and starts another on the same folder. */
  restart(): Promise<void>
}

/** A started adapter on an empty folder, a bridge and a browser. */
export async function createScene(options: Partial<WebAdapterOptions> = {}): Promise<Scene> {
  const dataDir = mkdtempSync(join(tmpdir(), 'footbridge-web-'))
  const log = createLogSink()
  const receiver = createReceiver()
  const open = () => createWebAdapter({ dataDir, loopback: true, log, ...options })
  const scene: Scene = {
    adapter: open(),
    dataDir,
    log,
    receiver,
    browser: createBrowser((request) => scene.adapter.fetch(request)),
    async restart() {
      await scene.adapter.stop()
      scene.adapter = open()
      await scene.adapter.start(receiver.receive)
    },
    async [Symbol.asyncDispose]() {
      await scene.adapter.stop()
      rmSync(dataDir, { recursive: true, force: true })
    },
  }
  await scene.adapter.start(receiver.receive)
  return scene
}

let serial = 0
export function outgoing(text: string, more: Partial<Outgoing> = {}): Outgoing {
  serial += 1
  return { sendId: `send-${serial}`, kind: 'answer', text, ...more }
}
