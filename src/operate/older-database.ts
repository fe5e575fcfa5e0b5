import type { FileRecord } from '#bridge/port/records.ts'
import type { Log } from '#bridge/port/platform.ts'
import type { Store } from '#bridge/port/store.ts'
import { isCollectionName } from '#bridge/channels/channel-map.ts'
import type { PlatformClient } from '#platform/client/client.ts'

/** Most channels that a line names. */
const MAX_NAMED = 20

export interface OlderDatabaseParts {
  readonly store: Pick<Store, 'channels' | 'files'>
  readonly client: {
    readonly collections: Pick<PlatformClient['collections'], 'list'>
    readonly files: Pick<PlatformClient['files'], 'list'>
  }
  readonly log: Log
}

/**
 * Tells that the platform holds files that the database does not know: a backup was restored that is older than the
 * platform. Whatever became of a file, it has a record before it is sent.
 */
export async function tellOlderDatabase({ store, client, log }: OlderDatabaseParts): Promise<void> {
  const channels: string[] = []
  let files = 0
  let collections = 0
  for (const { name, fileCount = 0 } of await client.collections.list()) {
    if (fileCount === 0 || !isCollectionName(name)) continue
    const channel = await store.channels.ofCollection(name)
    if (channel === undefined) collections += 1
    const known = namesIn(await store.files.ofCollection(name))
    if (channel === undefined || fileCount <= known.size) continue
    const unknown = (await client.files.list(name)).filter((file) => !known.has(file.name)).length
    if (unknown > 0) channels.push(channel.key)
    files += unknown
  }
  if (files + collections === 0) return
  log.warn(
    { files, channels: channels.slice(0, MAX_NAMED), collections },
    'The platform holds files that the database does not know: it seems that an older bridge.sqlite was restored. Nothing is lost: questions find these files in their channels. Restore the newer one, or drop them again, which replaces them',
  )
}

const namesIn = (records: readonly FileRecord[]): ReadonlySet<string> =>
  new Set(
    records.flatMap(({ fileName, originalName }) => [fileName, ...(originalName === undefined ? [] : [originalName])]),
  )
