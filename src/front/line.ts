import { GRACE_MS } from '#platform/server/connections.ts'

/** Turns that begin in one pass of the loop: each may bring 64 kB at once. */
const MAX_BEGUN = 32
/** Connections that end for others at one look. */
const MAX_ENDED = 64
const LOOK_MS = 20

/** `silent`: nothing is known of its request yet. `leaving`: the last bytes for it are on their way. */
type State = 'waiting' | 'silent' | 'served' | 'leaving'

interface Visit {
  readonly network: string
  state: State
  since: number
}

interface Network {
  turns: number
  readonly waiting: Set<unknown>
}

interface LineOptions<Client> {
  /** Clients that are read at once. */
  readonly turns: number
  /** Clients in all; above it the one that waits longest ends, of the network with the most of them. */
  readonly places: number
  readonly begin: (client: Client) => void
  readonly end: (client: Client) => void
  /** This many wait for the turn of a client that is served; `madeRoom` is the answer. */
  readonly askRoom: (count: number) => void
  readonly clock?: () => number
}

/**
 * Clients that are read, and those that wait unread for that: the bytes of a client take memory from its first read on.
 * The network that has the fewest turns is the next one.
 */
// oxlint-disable-next-line max-lines-per-function -- a factory: it only returns methods
export function createLine<Client>(options: LineOptions<Client>) {
  const { turns, places, begin, end, askRoom, clock = () => performance.now() } = options
  const visits = new Map<Client, Visit>()
  const networks = new Map<string, Network>()
  let taken = 0
  let begun = 0
  let isAsked = false
  let looking: NodeJS.Timeout | undefined

  const waiting = () => visits.size - taken
  /** The oldest client that waits, of the network that comes first by `order`. */
  const firstOf = (order: (one: Network, other: Network) => number): Client | undefined => {
    const [first, ...others] = [...networks.values()].filter((network) => network.waiting.size > 0)
    const found = first && others.reduce((best, network) => (order(network, best) < 0 ? network : best), first)
    const [client] = found?.waiting ?? []
    return client as Client | undefined
  }

  function take(client: Client): void {
    const visit = visits.get(client)
    const network = visit && networks.get(visit.network)
    if (visit === undefined || network === undefined) return
    network.waiting.delete(client)
    network.turns += 1
    taken += 1
    begun += 1
    visit.state = 'silent'
    visit.since = clock()
    begin(client)
  }

  function admit(): void {
    while (waiting() > 0 && taken < turns && begun < MAX_BEGUN) {
      const next = firstOf((one, other) => one.turns - other.turns)
      if (next === undefined) break
      if (begun === 0)
        setImmediate(() => {
          begun = 0
          admit()
        })
      take(next)
    }
    if (waiting() > 0) looking ??= setInterval(look, LOOK_MS)
    else {
      clearInterval(looking)
      looking = undefined
    }
  }

  /** Clients that say nothing, or take nothing of their last bytes, end first. */
  function look(): void {
    if (taken < turns) return
    const wanted = Math.min(waiting(), MAX_ENDED)
    const since = clock() - GRACE_MS
    const idle = [...visits]
      .filter(([, visit]) => (visit.state === 'silent' || visit.state === 'leaving') && visit.since <= since)
      .slice(0, wanted)
    for (const [client] of idle) {
      leave(client)
      end(client)
    }
    if (isAsked || idle.length >= wanted) return
    isAsked = true
    askRoom(wanted - idle.length)
  }

  function leave(client: Client): void {
    const visit = visits.get(client)
    const network = visit && networks.get(visit.network)
    if (visit === undefined || network === undefined) return
    visits.delete(client)
    if (!network.waiting.delete(client)) {
      network.turns -= 1
      taken -= 1
    }
    if (network.turns === 0 && network.waiting.size === 0) networks.delete(visit.network)
    admit()
  }

  function mark(client: Client, state: State): void {
    const visit = visits.get(client)
    if (visit === undefined) return
    visit.state = state
    visit.since = clock()
  }

  return {
    join(client: Client, network: string): void {
      visits.set(client, { network, state: 'waiting', since: clock() })
      const known = networks.get(network) ?? { turns: 0, waiting: new Set() }
      networks.set(network, known)
      known.waiting.add(client)
      const longest = visits.size > places ? firstOf((one, other) => other.waiting.size - one.waiting.size) : undefined
      if (longest !== undefined) {
        leave(longest)
        end(longest)
      }
      admit()
    },
    /** The main thread has it now. */
    served: (client: Client) => mark(client, 'served'),
    leaving: (client: Client) => mark(client, 'leaving'),
    leave,
    madeRoom: () => void (isAsked = false),
    /** Clients of which no request is known. */
    idle: () =>
      [...visits].filter(([, { state }]) => state === 'waiting' || state === 'silent').map(([client]) => client),
    all: () => [...visits.keys()],
  }
}
