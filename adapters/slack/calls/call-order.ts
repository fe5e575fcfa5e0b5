/** The first part comes after the calls that it needs, the rest of a text after the first, and a status after all. */
type Urgency = 'look-up' | 'first' | 'rest' | 'status'

const URGENCIES: ReadonlyMap<string, Urgency> = new Map([
  ['users.info', 'look-up'],
  ['conversations.info', 'look-up'],
  ['files.info', 'look-up'],
  ['chat.appendStream', 'rest'],
  ['chat.stopStream', 'rest'],
  ['agents.sessions.setStatus', 'status'],
  ['assistant.threads.setStatus', 'status'],
])

export interface CallOrder {
  /** Runs the call as soon as a connection is free and no more urgent one waits; `workspace` is any object of its own. */
  readonly run: <T>(method: string, workspace: object, call: () => Promise<T>) => Promise<T>
}

/** For calls that others wait for while they wait for a connection: they would wait for each other. */
export const AT_ONCE: CallOrder = { run: (_, __, call) => call() }

/**
 * The order of calls that wait for a connection: the more urgent first, of equal ones the workspaces in turn. A new
 * question does not wait for the statuses and the ends of a thousand others.
 */
export function createCallOrder(connections: number): CallOrder {
  const waiting: Readonly<Record<Urgency, Map<object, (() => void)[]>>> = {
    'look-up': new Map(),
    first: new Map(),
    rest: new Map(),
    status: new Map(),
  }
  const queues = Object.values(waiting)
  let free = connections

  const inTurn = (urgency: Urgency, workspace: object) =>
    new Promise<void>((resolve) => {
      const calls = waiting[urgency].get(workspace) ?? []
      calls.push(resolve)
      waiting[urgency].set(workspace, calls)
    })

  /** Hands the connection to the next call. */
  function leave(): void {
    for (const workspaces of queues) {
      const [first] = workspaces
      if (first === undefined) continue
      const [workspace, calls] = first
      const begin = calls.shift()
      // A workspace that was served goes to the end.
      workspaces.delete(workspace)
      if (calls.length > 0) workspaces.set(workspace, calls)
      return begin?.()
    }
    free += 1
  }

  return {
    async run(method, workspace, call) {
      if (free > 0) free -= 1
      else await inTurn(URGENCIES.get(method) ?? 'first', workspace)
      try {
        return await call()
      } finally {
        leave()
      }
    },
  }
}
