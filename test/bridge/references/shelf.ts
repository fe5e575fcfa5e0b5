import type { FileRecord } from '#bridge/port/records.ts'
import type { SourceCache } from '#bridge/port/store.ts'
import { type Resolved, resolveReferences } from '#bridge/references/resolve.ts'
import { createSources, type Sources } from '#bridge/references/sources.ts'
import { createAnswerReader } from '#bridge/references/splitter.ts'
import { textsFor } from '#bridge/texts/texts.ts'
import { formatReferences, type ReferenceEntry } from '#platform/wire/references.ts'
import { createFakeAdapter } from '#test/support/fakes/adapter.ts'
import { createLogSink } from '#test/support/fakes/log.ts'
import { createFakePlatform, type FakePlatform } from '#test/support/fakes/platform.ts'

const COLLECTION = 'c1'

export function createCache(): SourceCache & { readonly kept: Map<string, string> } {
  const kept = new Map<string, string>()
  return {
    kept,
    put: async (key, text) => void kept.set(key, text),
    get: async (key) => kept.get(key),
    remove: async (key) => void kept.delete(key),
  }
}

export interface Shelf {
  readonly platform: FakePlatform
  readonly sources: Sources
  readonly cache: ReturnType<typeof createCache>
  readonly entries: FileRecord[]
  readonly log: ReturnType<typeof createLogSink>
  /** The resolved answer with this block. */
  readonly resolve: (
    answer: string,
    block: readonly ReferenceEntry[] | string,
    options?: { readonly question?: string; readonly checkMs?: number },
  ) => Promise<Resolved>
}

/** Files that were dropped and are ready, by their names in the collection. */
export async function createShelf(
  files: Readonly<Record<string, string>>,
  change: (entry: FileRecord) => Partial<FileRecord> = () => ({}),
): Promise<Shelf> {
  const platform = createFakePlatform()
  const cache = createCache()
  const log = createLogSink()
  let now = 1_000_000
  const sources = createSources({ platform, cache, clock: () => (now += 1), log })
  await platform.collections.create(COLLECTION)
  const entries: FileRecord[] = []
  const adapter = createFakeAdapter()
  const conversation = { adapter: 'fake', workspace: 'W', channel: 'C1', direct: false }
  for (const [index, [fileName, text]] of Object.entries(files).entries()) {
    await platform.files.upload(COLLECTION, { name: fileName, mimeType: 'text/plain', bytes: new Blob([text]) })
    const entry: FileRecord = {
      id: `j${index}#0`,
      jobId: `j${index}`,
      channel: 'fake:W:C1',
      collection: COLLECTION,
      attachmentId: `a${index}`,
      displayName: fileName,
      fileName,
      state: 'ready',
      droppedBy: 'U1',
      droppedByName: 'Anna',
      droppedAt: '2026-05-04T10:00:00.000Z',
      version: 1,
      messageId: `m${index}`,
      conversation,
      updatedAt: index,
    }
    entries.unshift({ ...entry, ...change(entry) })
  }
  const records = {
    ofCollection: async (name: string) => entries.filter(({ collection }) => collection === name),
    put: async () => {},
    get: async () => undefined,
    ofJob: async () => [],
    ofAttachment: async () => [],
    ofChannel: async () => [],
    hasReady: async () => true,
  }
  return {
    platform,
    sources,
    cache,
    entries,
    log,
    resolve(answer, block, { question = 'How is it?', checkMs } = {}) {
      const reader = createAnswerReader(question)
      reader.push(answer + (typeof block === 'string' ? block : formatReferences(block)))
      return resolveReferences(
        { store: { files: records }, sources, adapterOf: () => adapter },
        {
          collections: [COLLECTION],
          end: reader.end(),
          question,
          conversation: { ...conversation, thread: 't9' },
          texts: textsFor('en'),
          log,
          ...(checkMs === undefined ? {} : { checkMs }),
        },
      )
    },
  }
}
