import { createLru } from '../../../src/lib/lru.ts'

/**
 * Discord counts the edits of all messages of a channel together, five in five seconds as far as is known, and discord.js
 * sends them one after the other: a stale edit would hold up the one that matters.
 */
const perWindow = 5

interface Pending {
  body: object
  final: boolean
  readonly waiters: { readonly resolve: () => void; readonly reject: (error: unknown) => void }[]
}

interface Line {
  readonly pending: Map<string, Pending>
  sent: number[]
  running: boolean
  wake: () => void
}

export interface Edits {
  /**
   * Shows this instead of what the message shows. Newer edits replace those that still wait; all of them settle with the
   * one that is sent. `final` edits pass the interim ones of the channel and take its spare edit.
   */
  push(channel: string, message: string, body: object, final: boolean): Promise<void>
  settled(): Promise<void>
}

export function createEdits(options: {
  readonly paceMs: number
  readonly windowMs: number
  readonly send: (channel: string, message: string, body: object) => Promise<void>
}): Edits {
  const { windowMs } = options
  const lines = new Map<string, Line>()
  const shown = createLru<string>(1000)
  const running = new Set<Promise<void>>()

  const lineOf = (channel: string): Line => {
    const line = lines.get(channel) ?? { pending: new Map(), sent: [], running: false, wake: () => {} }
    lines.set(channel, line)
    return line
  }

  /** Final edits first, in order; then the interim edit that has waited longest. */
  const next = (line: Line): [string, Pending] | undefined => {
    const waiting = [...line.pending]
    return waiting.find(([, { final }]) => final) ?? waiting[0]
  }

  /** How long this one still has to wait, milliseconds. Interim edits leave one of the window to a final edit. */
  const delayOf = (line: Line, final: boolean): number => {
    const now = Date.now()
    line.sent = line.sent.filter((at) => now - at < windowMs)
    const newest = line.sent.at(-1)
    const pace = final || newest === undefined ? 0 : newest + options.paceMs - now
    const room = final ? perWindow : perWindow - 1
    const freed = line.sent.at(-room)
    return Math.max(0, pace, freed === undefined ? 0 : freed + windowMs - now)
  }

  async function run(channel: string, line: Line): Promise<void> {
    for (let entry = next(line); entry !== undefined; entry = next(line)) {
      const [message, edit] = entry
      const delay = delayOf(line, edit.final)
      if (delay > 0) {
        await pause(line, delay)
        continue
      }
      line.pending.delete(message)
      line.sent.push(Date.now())
      try {
        await options.send(channel, message, edit.body)
        shown.set(message, JSON.stringify(edit.body))
        for (const { resolve } of edit.waiters) resolve()
      } catch (error) {
        shown.delete(message)
        for (const { reject } of edit.waiters) reject(error)
      }
    }
    line.running = false
    if (lines.size > 1000) lines.delete(channel)
  }

  return {
    push(channel, message, body, final) {
      const line = lineOf(channel)
      const waiting = line.pending.get(message)
      if (waiting === undefined && !line.running && shown.get(message) === JSON.stringify(body)) {
        return Promise.resolve()
      }
      return new Promise<void>((resolve, reject) => {
        if (waiting === undefined) {
          line.pending.set(message, { body, final, waiters: [{ resolve, reject }] })
        } else {
          waiting.body = body
          waiting.final ||= final
          waiting.waiters.push({ resolve, reject })
        }
        line.wake()
        if (line.running) return
        line.running = true
        const work = run(channel, line)
        running.add(work)
        void work.finally(() => running.delete(work))
      })
    },
    async settled() {
      while (running.size > 0) await Promise.allSettled(running)
    },
  }
}

/** Ends early when something new waits: it may be allowed sooner. */
function pause(line: Line, ms: number): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, ms)
    line.wake = () => {
      clearTimeout(timer)
      line.wake = () => {}
      resolve()
    }
  })
}
