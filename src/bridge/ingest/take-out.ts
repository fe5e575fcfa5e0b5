import { isPlatformFailure } from '../failures.ts'
import type { JobPorts } from '../job-ports.ts'
import type { LedgerEntry } from '../store-port.ts'
import { isOver, stands } from './entries.ts'
import { chainOf } from './versions.ts'

export interface TakenOut {
  /** It was there, and is to be found no more. */
  readonly wasThere: boolean
  /** Its bytes may lie over those of this one, which stands: to be put up again. */
  readonly restore?: LedgerEntry
}

/**
 * Takes a file out of its collection, unless what stands under its name is (byte for byte, or by a later drop) another
 * person's. The ledger says so only when the caller has recorded it; until then it can be done again.
 */
export async function takeOut(
  ports: Pick<JobPorts, 'background' | 'store' | 'receipts' | 'clock'>,
  entry: LedgerEntry,
  signal: AbortSignal,
): Promise<TakenOut> {
  const { store } = ports
  // The newest hold: what was only repeated, or replaced, has nothing there.
  if (entry.sameAs !== undefined || entry.replacedBy !== undefined) return { wasThere: false }
  const others = (await chainOf(store, entry)).filter(
    ({ id, state }) => id !== entry.id && state !== 'removed',
  )
  if (!stands(entry)) {
    if (entry.state !== 'uploading') return { wasThere: false }
    const restore = others.find((other) => stands(other))
    if (restore !== undefined) return { wasThere: false, restore }
  }
  const heir = others.find(
    ({ sameAs, sha256, state, replacedBy }) =>
      state === 'ready' && replacedBy === undefined && (sameAs === entry.id || sha256 === entry.sha256),
  )
  if (heir !== undefined) {
    await inherit(ports, entry, heir, others)
    return { wasThere: false }
  }
  await removeFile(ports.background, entry, signal)
  // Earlier versions were replaced by this one: they are not there either.
  for (const earlier of others.filter(wasIn)) {
    await store.ledger.put({ ...earlier, state: 'removed', updatedAt: ports.clock() })
    ports.receipts.touch(earlier.jobId)
  }
  return { wasThere: true }
}

const wasIn = (entry: LedgerEntry) =>
  isOver(entry) && (entry.state === 'ready' || entry.version !== undefined)

/** The same bytes were dropped again: that drop holds the file from now on. */
async function inherit(
  { store, receipts }: Pick<JobPorts, 'store' | 'receipts'>,
  entry: LedgerEntry,
  heir: LedgerEntry,
  others: readonly LedgerEntry[],
): Promise<void> {
  const { sameAs: _, note: __, ...kept } = heir
  const { version, replaces } = entry
  await store.ledger.put({
    ...kept,
    ...(version === undefined ? {} : { version }),
    ...(replaces === undefined ? {} : { replaces }),
  })
  receipts.touch(heir.jobId)
  for (const other of others) {
    if (other.id === heir.id) continue
    if (other.replacedBy === entry.id) await store.ledger.put({ ...other, replacedBy: heir.id })
    if (other.sameAs === entry.id) await store.ledger.put({ ...other, sameAs: heir.id })
  }
}

async function removeFile(
  platform: JobPorts['background'],
  { collection, fileName }: LedgerEntry,
  signal: AbortSignal,
): Promise<void> {
  try {
    await platform.files.delete(collection, fileName, { signal })
  } catch (error) {
    // Gone already is what was wanted.
    if (!isPlatformFailure(error) || error.code !== 'not-found') throw error
  }
}
