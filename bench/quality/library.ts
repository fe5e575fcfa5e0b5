import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openIndexStore } from '#platform/engine/storage/sqlite/index/store.ts'
import type { IndexStore } from '#platform/engine/storage/types.ts'

/** The index of the platform, filled with one markdown file a document; file ids are positions from 1. */
export interface Library extends AsyncDisposable {
  readonly store: IndexStore
  fill(index: string, documents: readonly string[]): Promise<void>
}

/** @param openStore another index than the one in files; it closes its resources with the store */
export async function openLibrary(openStore = openIndexStore): Promise<Library> {
  const folder = mkdtempSync(join(tmpdir(), 'footbridge-quality-'))
  const store = await openStore(join(folder, 'index'))
  const path = join(folder, 'document.md')
  return {
    store,
    async fill(index, documents) {
      for (const [position, text] of documents.entries()) {
        writeFileSync(path, text)
        const file = { id: position + 1, revision: 1, name: 'document.md' }
        // oxlint-disable-next-line no-await-in-loop -- one file after the other, as in an index pass
        await store.put(index, { ...file, source: { kind: 'markdown', path } })
      }
    },
    async [Symbol.asyncDispose]() {
      await store.close()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
