import type { DoubleFault } from './types.ts'

/** Scripted faults, in order, per route. */
export function createFaults() {
  const queues = new Map<string, { fault: DoubleFault; left: number }[]>()
  return {
    add: (route: string, fault: DoubleFault) => {
      const queue = queues.get(route) ?? []
      const entry = { fault, left: fault.times ?? 1 }
      queue.push(entry)
      queues.set(route, queue)
      /** Ends it before its time. */
      return () => {
        const place = queue.indexOf(entry)
        if (place >= 0) queue.splice(place, 1)
      }
    },
    take: (route: string): DoubleFault | undefined => {
      const queue = queues.get(route)
      const next = queue?.[0]
      if (next === undefined) return undefined
      next.left -= 1
      if (next.left <= 0) queue?.shift()
      return next.fault
    },
  }
}

export type Faults = ReturnType<typeof createFaults>
