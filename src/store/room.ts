import { randomUUID } from 'node:crypto'
import { rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { StoreUnavailableError } from '#bridge/port/errors.ts'
import type { Room } from '#bridge/port/store.ts'
import { type StorageTrouble, storageTrouble } from '#lib/storage-trouble.ts'

/** How often it is tried whether there is room again, milliseconds. */
const LOOK_MS = 500
/** A trial writes this many bytes: less room is of no use. */
const PROBE_BYTES = 256 * 1024
/** A look holds for this long while all is well: load balancers ask each second. */
const PROBE_HOLDS_MS = 2000

const SENTENCES: Readonly<Record<StorageTrouble, (place: string) => string>> = {
  space: (place) =>
    `The disk is full (${place}): free some space, and everything goes on by itself. Until then events are refused, so that the chat services send them again, and jobs wait.`,
  descriptors: (place) =>
    `No file can be opened in ${place}: the limit of open files is reached (ulimit -n). It goes on by itself when some are closed; raise the limit.`,
}

/** The error for something that could not be stored; any other error is returned as it is. */
export function toStorageError(error: unknown, place: string): unknown {
  const trouble = storageTrouble(error)
  return trouble === undefined ? error : new StoreUnavailableError(SENTENCES[trouble](place), { cause: error })
}

export interface OpenRoom extends Room {
  /** Repeats the work until there is room for it; after `leave`, once only. */
  patiently<Result>(work: () => Promise<Result>): Promise<Result>
}

/**
 * Tells whether the store has room, and repeats work until it has.
 *
 * @param folder of the files
 * @param place of the store as people know it
 * @param write a small change of the database
 */
// oxlint-disable-next-line max-lines-per-function -- a factory: it only returns methods
export function createRoom(folder: string, place: string, write: () => Promise<unknown>): OpenRoom {
  let trouble: string | undefined
  let next: PromiseWithResolvers<void> | undefined
  let timer: NodeJS.Timeout | undefined
  let failures = 0
  let isLeaving = false
  let probed: { readonly at: number; readonly found: Promise<string | undefined> } | undefined
  const watchers: ((trouble: string | undefined) => void)[] = []

  function change(to: string | undefined): void {
    const isNew = (to === undefined) !== (trouble === undefined)
    trouble = to
    if (isNew) for (const onChange of watchers) onChange(to)
  }

  async function probe(): Promise<string | undefined> {
    const path = join(folder, `.room-${randomUUID()}.part`)
    try {
      await writeFile(path, new Uint8Array(PROBE_BYTES), { mode: 0o600 })
      if (trouble !== undefined) await write()
      return undefined
    } catch (error) {
      const known = toStorageError(error, place)
      return known instanceof StoreUnavailableError ? known.message : undefined
    } finally {
      await rm(path, { force: true }).catch(() => undefined)
    }
  }

  async function look(): Promise<void> {
    timer = undefined
    const failuresBefore = failures
    const found = await probe()
    // The result before is out of date now. So is this one, if a write failed meanwhile.
    probed = undefined
    change(found ?? (failures === failuresBefore ? undefined : trouble))
    if (trouble !== undefined && !isLeaving) return lookLater()
    next?.resolve()
    next = undefined
  }

  const lookLater = () => void (timer ??= setTimeout(() => void look(), LOOK_MS).unref())

  function failed(error: unknown): unknown {
    const known = toStorageError(error, place)
    if (!(known instanceof StoreUnavailableError)) return error
    failures += 1
    change(known.message)
    lookLater()
    return known
  }

  return {
    failed,
    watch: (onChange) => void watchers.push(onChange),
    async trouble() {
      if (trouble !== undefined) return trouble
      if (probed === undefined || Date.now() - probed.at > PROBE_HOLDS_MS) probed = { at: Date.now(), found: probe() }
      const found = await probed.found
      if (found !== undefined) {
        change(found)
        lookLater()
      }
      return found
    },
    async patiently(work) {
      for (;;) {
        try {
          return await work()
        } catch (error) {
          const known = failed(error)
          if (known === error || isLeaving) throw known
        }
        next ??= Promise.withResolvers()
        await next.promise
      }
    },
    leave() {
      isLeaving = true
      clearTimeout(timer)
      next?.resolve()
      next = undefined
    },
  }
}
