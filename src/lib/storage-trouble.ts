/** Nothing can be written now: there is no space, or no file descriptor is left. */
export type StorageTrouble = 'space' | 'descriptors'

/** Errors of the file system, and SQLSTATEs of PostgreSQL. EFBIG: a limit of the process (`ulimit -f`). */
const TROUBLES: Readonly<Record<string, StorageTrouble>> = {
  ENOSPC: 'space',
  EDQUOT: 'space',
  EFBIG: 'space',
  '53100': 'space',
  EMFILE: 'descriptors',
  ENFILE: 'descriptors',
}

/**
 * SQLite's result codes: FULL, failed writes and syncs, growth of the shared memory, and a file that can't be opened. It
 * tells a quota and a limit of the process as a failed write.
 */
const SQLITE_TROUBLES: Readonly<Record<number, StorageTrouble>> = {
  13: 'space',
  778: 'space',
  1034: 'space',
  1290: 'space',
  4618: 'space',
  4874: 'space',
  14: 'descriptors',
}

const MAX_CAUSES = 5

/** Whether it failed for want of space or descriptors, so that the same may succeed when there are some again. */
export function storageTrouble(error: unknown, depth = 0): StorageTrouble | undefined {
  if (!(error instanceof Error) || depth > MAX_CAUSES) return undefined
  const { code, errcode } = error as { readonly code?: unknown; readonly errcode?: unknown }
  const own = typeof errcode === 'number' ? (SQLITE_TROUBLES[errcode] ?? SQLITE_TROUBLES[errcode & 0xff]) : undefined
  return own ?? TROUBLES[String(code)] ?? storageTrouble(error.cause, depth + 1)
}

/** A code by which `storageTrouble` knows the error again, as text. */
export function troubleCode(error: unknown): 'ENOSPC' | 'EMFILE' | undefined {
  const trouble = storageTrouble(error)
  return trouble && (trouble === 'space' ? 'ENOSPC' : 'EMFILE')
}
