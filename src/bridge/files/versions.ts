import type { FileRecord } from '../port/records.ts'
import type { Store } from '../port/store.ts'
import { isOver, stands } from './file-records.ts'

const DAY_MS = 24 * 3600_000
/** What was replaced can be brought back for so long, and so many versions back. */
const KEPT_MS = 30 * DAY_MS
const KEPT_VERSIONS = 3

/** All that was dropped under this name in this collection, newest first. */
export async function chainOf(store: Store, { collection, fileName }: FileRecord): Promise<FileRecord[]> {
  const all = await store.files.ofCollection(collection)
  return all.filter((entry) => entry.fileName === fileName)
}

/** What was ready before versions were counted is the first. */
const versionOf = ({ version, state }: FileRecord): number => version ?? (state === 'ready' ? 1 : 0)

/** Number of the version that comes next. */
export const nextVersion = (chain: readonly FileRecord[]): number =>
  1 + Math.max(0, ...chain.filter(({ duplicateOf }) => duplicateOf === undefined).map(versionOf))

/** Entries that lose their place when this one takes it. */
export const replacedBy = (chain: readonly FileRecord[], entry: FileRecord): readonly FileRecord[] =>
  chain.filter((other) => other.id !== entry.id && other.duplicateOf === undefined && stands(other))

/** To which one goes back from here: the newest of the replaced that was good. */
export function wayBack(
  chain: readonly FileRecord[],
  replaced: readonly FileRecord[],
): FileRecord | undefined {
  const [last] = replaced
  if (last === undefined || last.state !== 'failed') return last
  return chain.find(({ id }) => id === last.replaces)
}

/** Drops of the same bytes, for which nothing had to be taken in: they share the fate of this one. */
export const repeatsOf = (chain: readonly FileRecord[], { id }: FileRecord): readonly FileRecord[] =>
  chain.filter(({ duplicateOf, state }) => duplicateOf === id && state === 'ready')

/** A version that was good, and lost its place to a later one. */
export const wasReplaced = (entry: FileRecord): boolean =>
  entry.state === 'ready' && entry.duplicateOf === undefined && entry.replacedBy !== undefined

/** Whether something newer of this name is in, or was: a file that lost its place in line must not take it back. */
export function isOvertaken(chain: readonly FileRecord[], entry: FileRecord): boolean {
  const position = chain.findIndex(({ id }) => id === entry.id)
  return chain.slice(0, Math.max(0, position)).some((newer) => stands(newer))
}

/** Hashes whose bytes are still wanted: of what stands or is on its way, and of the last versions before it. */
export function wanted(entries: readonly FileRecord[], now: number): ReadonlySet<string> {
  const earlier = new Map<string, number>()
  const hashes = new Set<string>()
  for (const entry of entries) {
    if (entry.sha256 === undefined || entry.state === 'removed') continue
    if (entry.replacedBy !== undefined && isOver(entry)) {
      // The one that it repeats is counted.
      if (entry.duplicateOf !== undefined) continue
      const count = earlier.get(entry.fileName) ?? 0
      const replacedAt = entries.find(({ id }) => id === entry.replacedBy)?.updatedAt ?? entry.updatedAt
      if (count >= KEPT_VERSIONS || now - replacedAt > KEPT_MS) continue
      earlier.set(entry.fileName, count + 1)
    }
    hashes.add(entry.sha256)
  }
  return hashes
}

/** Removes bytes that nothing in the ledger wants any more. */
export async function sweep(store: Store, collection: string, now: number): Promise<void> {
  // Listed before the ledger is read: what is being kept just now has its entry already.
  const kept = await store.originals.list(collection)
  if (kept.length === 0) return
  const hashes = wanted(await store.files.ofCollection(collection), now)
  for (const sha256 of kept) if (!hashes.has(sha256)) await store.originals.remove(collection, sha256)
}

/** The same for every collection: versions grow old without anybody touching them. */
export async function sweepAll(store: Store, now: number): Promise<void> {
  for (const collection of await store.originals.collections()) await sweep(store, collection, now)
}
