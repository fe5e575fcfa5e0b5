import type { FileRecord } from '../port/records.ts'
import type { Store } from '../port/store.ts'
import { isLive, isFinished } from './file-records.ts'

const DAY_MS = 24 * 3600_000
/** Replaced versions can be restored for this long, and this many versions back. */
const RETENTION_MS = 30 * DAY_MS
const RETAINED_VERSIONS = 3

/** All drops of this name in this collection, newest first: versions, duplicates, failed and removed ones. */
export async function recordsOfName(
  { files }: Pick<Store, 'files'>,
  { collection, fileName }: Pick<FileRecord, 'collection' | 'fileName'>,
): Promise<FileRecord[]> {
  return (await files.ofCollection(collection)).filter((file) => file.fileName === fileName)
}

// A ready file from before versions were counted is version 1.
const versionOf = ({ version, state }: FileRecord): number => version ?? (state === 'ready' ? 1 : 0)

/** Number of the version that comes next. */
export const nextVersion = (chain: readonly FileRecord[]): number =>
  1 + Math.max(0, ...chain.filter(({ duplicateOf }) => duplicateOf === undefined).map(versionOf))

/** Live files that this one replaces. */
export const replacedVersions = (chain: readonly FileRecord[], file: FileRecord): readonly FileRecord[] =>
  chain.filter((other) => other.id !== file.id && other.duplicateOf === undefined && isLive(other))

/** The version that an undo restores: the newest replaced one that was ready. */
export function versionBefore(chain: readonly FileRecord[], replaced: readonly FileRecord[]): FileRecord | undefined {
  const [last] = replaced
  if (last === undefined || last.state !== 'failed') return last
  return chain.find(({ id }) => id === last.replaces)
}

/** Duplicates of this file: later drops of the same bytes. */
export const duplicatesOf = (chain: readonly FileRecord[], { id }: FileRecord): readonly FileRecord[] =>
  chain.filter(({ duplicateOf, state }) => duplicateOf === id && state === 'ready')

/** It was ready, and a later version replaced it. */
export const wasReplaced = (file: FileRecord): boolean =>
  file.state === 'ready' && file.duplicateOf === undefined && file.replacedBy !== undefined

/** A newer file of the name is live, so this one must not replace it. */
export function isOvertaken(chain: readonly FileRecord[], file: FileRecord): boolean {
  const position = chain.findIndex(({ id }) => id === file.id)
  return chain.slice(0, Math.max(0, position)).some((newer) => isLive(newer))
}

/** Hashes of the originals to keep: of live files, files being ingested, and recent earlier versions. */
export function hashesToKeep(files: readonly FileRecord[], now: number): ReadonlySet<string> {
  const earlier = new Map<string, number>()
  const updates = new Map(files.map(({ id, updatedAt }) => [id, updatedAt]))
  const hashes = new Set<string>()
  for (const file of files) {
    if (file.sha256 === undefined || file.state === 'removed') continue
    if (file.replacedBy !== undefined && isFinished(file)) {
      // Its original belongs to the file that it duplicates.
      if (file.duplicateOf !== undefined) continue
      const count = earlier.get(file.fileName) ?? 0
      const replacedAt = updates.get(file.replacedBy) ?? file.updatedAt
      if (count >= RETAINED_VERSIONS || now - replacedAt > RETENTION_MS) continue
      earlier.set(file.fileName, count + 1)
    }
    hashes.add(file.sha256)
  }
  return hashes
}

type OriginalsStore = Pick<Store, 'files' | 'originals'>

/** Removes originals that no record needs. */
export async function pruneOriginals(
  { files, originals }: OriginalsStore,
  collection: string,
  now: number,
): Promise<void> {
  // Listed before the records are read: an original stored meanwhile has its record by then.
  const kept = await originals.list(collection)
  if (kept.length === 0) return
  const hashes = hashesToKeep(await files.ofCollection(collection), now)
  for (const sha256 of kept) if (!hashes.has(sha256)) await originals.remove(collection, sha256)
}

/** Prunes every collection, since versions expire without an event. */
export async function pruneAllOriginals(store: OriginalsStore, now: number): Promise<void> {
  for (const collection of await store.originals.collections()) await pruneOriginals(store, collection, now)
}
