import { setTimeout as sleep } from 'node:timers/promises'
import { PATIENCE_MS } from './patience.ts'

interface Patience {
  /** The state instead, for the error. */
  readonly instead?: () => unknown
  readonly timeoutMs?: number
  readonly everyMs?: number
}

type Found<T> = T | undefined | false

/** Looks again and again until there is something. */
export async function eventually<T>(
  look: () => Found<T> | Promise<Found<T>>,
  { instead = () => look.toString(), timeoutMs = PATIENCE_MS, everyMs = 20 }: Patience = {},
): Promise<T> {
  const until = Date.now() + timeoutMs
  for (;;) {
    const found = await look()
    if (found !== undefined && found !== false) return found
    if (Date.now() > until) throw new Error(`Waited ${timeoutMs} ms in vain. Instead: ${String(await instead())}`)
    await sleep(everyMs)
  }
}
