import type { Log } from '../../../src/bridge/port/platform.ts'
import type { Cursors } from '../../../src/bridge/port/platform.ts'

const writeAfterMs = 1000

/** How far each channel was read; written behind at most once a second per channel. */
export interface ReadMarks {
  load(): Promise<void>
  of(channel: string): string | undefined
  /** The newest of all marks at the time of `load`; undefined on the very first start. */
  readonly newestAtStart: string | undefined
  readonly keys: () => readonly string[]
  advance(channel: string, id: string): void
  /** Stops here: something in this channel could not be handed over, and is to be found again on the next start. */
  hold(channel: string): void
  flush(): Promise<void>
}

export const isNewer = (id: string, than: string): boolean => BigInt(id) > BigInt(than)

export function createReadMarks(cursors: Pick<Cursors, 'all' | 'set'>, log: Log): ReadMarks {
  const marks = new Map<string, string>()
  const unsaved = new Map<string, string>()
  const held = new Set<string>()
  let newestAtStart: string | undefined
  let timer: NodeJS.Timeout | undefined

  async function flush(): Promise<void> {
    clearTimeout(timer)
    timer = undefined
    const batch = [...unsaved]
    unsaved.clear()
    for (const [channel, id] of batch) {
      try {
        await cursors.set(channel, id)
      } catch (error) {
        log.warn({ err: error, channel }, 'How far a Discord channel was read could not be saved')
      }
    }
  }

  return {
    async load() {
      for (const { channel, position: id } of await cursors.all()) {
        marks.set(channel, id)
        if (newestAtStart === undefined || isNewer(id, newestAtStart)) newestAtStart = id
      }
    },
    of: (channel) => marks.get(channel),
    get newestAtStart() {
      return newestAtStart
    },
    keys: () => [...marks.keys()],
    advance(channel, id) {
      const before = marks.get(channel)
      if (held.has(channel) || (before !== undefined && !isNewer(id, before))) return
      marks.set(channel, id)
      unsaved.set(channel, id)
      if (before === undefined) {
        // A channel without any mark would count as new after a crash, and what is said in it meanwhile as not ours.
        clearTimeout(timer)
        timer = setTimeout(() => void flush(), 0)
      } else {
        timer ??= setTimeout(() => void flush(), writeAfterMs)
      }
    },
    hold: (channel) => void held.add(channel),
    flush,
  }
}
