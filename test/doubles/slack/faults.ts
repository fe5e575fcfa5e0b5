/** Faults of the next calls of a method (or requests for a file), first scripted first. */
import type { Fault } from './types.ts'

export interface Faults {
  /** `name`: a Web API method, `file:<id>`, or `socket` for the WebSocket handshake. */
  script(name: string, ...faults: readonly Fault[]): void
  next(name: string): Fault | undefined
  /** Forgets what was scripted and not met. */
  clear(name: string): void
}

export function createFaults(): Faults {
  const queues = new Map<string, Fault[]>()
  return {
    script(name, ...faults) {
      queues.set(name, [...(queues.get(name) ?? []), ...faults])
    },
    next(name) {
      const fault = queues.get(name)?.shift()
      return fault === undefined || 'pass' in fault ? undefined : fault
    },
    clear: (name) => void queues.delete(name),
  }
}
