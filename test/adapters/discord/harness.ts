import { afterEach } from 'vitest'
import { createDiscordAdapter, type DiscordAdapter } from '#adapters/discord/adapter.ts'
import type { DiscordAdapterOptions } from '#adapters/discord/config.ts'
import type { Recall, Suggest } from '#bridge/port/adapter.ts'
import type { ConversationRef, Inbound, Message, Outgoing } from '#bridge/port/message.ts'
import type { Cursors } from '#bridge/port/platform.ts'
import {
  type DiscordDouble,
  type DiscordDoubleOptions,
  startDiscordDouble,
} from '#test/doubles/discord/discord-double.ts'

const closing: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const close of closing.splice(0).toReversed()) await close()
})

const atEnd = (close: () => Promise<void>) => void closing.push(close)

export async function openDouble(options: DiscordDoubleOptions = {}): Promise<DiscordDouble> {
  const discord = await startDiscordDouble(options)
  atEnd(() => discord.close())
  return discord
}

export interface LogLine {
  readonly level: 'debug' | 'info' | 'warn' | 'error'
  readonly fields: object
  readonly message: string
}

export interface Opened {
  readonly discord: DiscordDouble
  readonly adapter: DiscordAdapter
  readonly inbounds: Inbound[]
  readonly lines: LogLine[]
  /** Resolves with the first inbound, of those so far and those to come, that fits. */
  readonly next: <Kind extends Inbound['kind']>(
    kind: Kind,
    fits?: (inbound: Extract<Inbound, { kind: Kind }>) => boolean,
  ) => Promise<Extract<Inbound, { kind: Kind }>>
  readonly nextMessage: (text?: string) => Promise<Message>
  /** The conversation of a question in `general`, on the bridge's side. */
  readonly general: ConversationRef
}

export function createLog() {
  const lines: LogLine[] = []
  const at = (level: LogLine['level']) => (fields: object, message: string) =>
    void lines.push({ level, fields, message })
  return { lines, log: { debug: at('debug'), info: at('info'), warn: at('warn'), error: at('error') } }
}

export function memoryCursors(entries: Record<string, string> = {}): Cursors & { readonly saved: Map<string, string> } {
  const saved = new Map(Object.entries(entries))
  return {
    saved,
    get: (channel) => Promise.resolve(saved.get(channel)),
    set: (channel, position) => Promise.resolve(void saved.set(channel, position)),
    all: () => Promise.resolve([...saved].map(([channel, position]) => ({ channel, position }))),
  }
}

/** The real adapter on the real discord.js, connected to a double. */
export async function open(
  discord: DiscordDouble,
  options: Partial<DiscordAdapterOptions> & {
    readonly receive?: (inbound: Inbound) => Promise<void>
    readonly suggest?: Suggest
    readonly recall?: Recall
  } = {},
): Promise<Opened> {
  const inbounds: Inbound[] = []
  const waiting = new Set<() => void>()
  const { lines, log } = createLog()
  const { receive, suggest, recall, ...rest } = options
  const adapter = createDiscordAdapter({
    token: discord.token,
    apiUrl: discord.apiUrl,
    fileHosts: [discord.fileHost],
    log,
    ...rest,
  })
  atEnd(() => adapter.stop())
  await adapter.start(
    async (inbound) => {
      await receive?.(inbound)
      inbounds.push(inbound)
      for (const look of waiting) look()
    },
    suggest,
    recall,
  )
  const next: Opened['next'] = (kind, fits = () => true) =>
    new Promise((resolve) => {
      const look = () => {
        for (const inbound of inbounds) {
          if (inbound.kind !== kind) continue
          const found = inbound as Extract<Inbound, { kind: typeof kind }>
          if (!fits(found)) continue
          waiting.delete(look)
          return resolve(found)
        }
      }
      waiting.add(look)
      look()
    })
  return {
    discord,
    adapter,
    inbounds,
    lines,
    next,
    nextMessage: async (text) =>
      (await next('message', ({ message }) => text === undefined || message.text === text)).message,
    general: { adapter: 'discord', workspace: discord.guildId, channel: discord.channel, direct: false },
  }
}

let sends = 0
export function outgoing(text: string, more: Partial<Outgoing> = {}): Outgoing {
  sends += 1
  return { sendId: `send-${sends}`, kind: 'answer', text, ...more }
}
