import { randomUUID } from 'node:crypto'
import type { Clock } from '#bridge/port/platform.ts'
import { createKeyedMutex } from '#lib/keyed-mutex.ts'
import { RequestFailure } from '../responses.ts'
import type { Sql, Row } from '#sql/sql.ts'

/** Most that waits for its message, as a number of files and in files of the largest size: of one person, and of all. */
const MAX_OF_PERSON = { files: 200, largest: 10 } as const
const MAX_OF_ALL = { files: 2000, largest: 30 } as const
/** The page uploads when a message is sent: older uploads make room, and a retry uploads them again. */
const WAITING_MS = 60 * 60 * 1000

/** An upload that no message names yet. */
export interface Waiting {
  readonly owner: string
  readonly sizeBytes: number
}

type Bound = typeof MAX_OF_PERSON | typeof MAX_OF_ALL

/** Keeps uploads that no message names within bounds: a browser may leave any number of them. */
export function createUnsent(sql: Sql, clock: Clock, remove: (rows: readonly Row[]) => Promise<void>) {
  const underWay = new Map<string, Waiting>()
  const inOrder = createKeyedMutex()

  async function fits(one: Waiting, maxBytes: number, bound: Bound, owner?: string): Promise<boolean> {
    const [words, values] = owner === undefined ? ['', []] : [' AND owner = ?', [owner]]
    const stored = await sql.get(
      `SELECT COUNT(*) AS files, COALESCE(SUM(size_bytes), 0) AS bytes FROM uploads WHERE message_id IS NULL${words}`,
      ...values,
    )
    const others = [...underWay.values()].filter((other) => owner === undefined || other.owner === owner)
    const arriving = [one, ...others]
    const files = Number(stored?.['files']) + arriving.length
    const bytes = arriving.reduce((sum, { sizeBytes }) => sum + sizeBytes, Number(stored?.['bytes']))
    return files <= bound.files && bytes <= bound.largest * maxBytes
  }

  async function makeRoom(): Promise<void> {
    const before = clock() - WAITING_MS
    await remove(await sql.all('SELECT id FROM uploads WHERE message_id IS NULL AND created_at < ?', before))
  }

  async function fullOf(one: Waiting, maxBytes: number): Promise<keyof typeof SENTENCES | undefined> {
    if (!(await fits(one, maxBytes, MAX_OF_PERSON, one.owner))) return 'yours'
    return (await fits(one, maxBytes, MAX_OF_ALL)) ? undefined : 'all'
  }

  async function check(one: Waiting, maxBytes: number): Promise<void> {
    if ((await fullOf(one, maxBytes)) === undefined) return
    await makeRoom()
    const full = await fullOf(one, maxBytes)
    if (full !== undefined) throw new RequestFailure(429, 'too-many-uploads', SENTENCES[full], WAITING_MS / 1000)
  }

  return {
    /** Does the work while there is room for the upload. @throws {RequestFailure} */
    async within<Result>(upload: Waiting, maxBytes: number, work: () => Promise<Result>): Promise<Result> {
      const id = randomUUID()
      // One after the other: of two that come at once, the second counts the first.
      await inOrder('', async () => {
        await check(upload, maxBytes)
        underWay.set(id, upload)
      })
      try {
        return await work()
      } finally {
        underWay.delete(id)
      }
    },
  }
}

const SENTENCES = {
  yours:
    'You have uploaded as many files as you may without sending them. Send the messages with these files, or try again in an hour.',
  all: 'Too many uploaded files wait for their messages at the moment. Send your message with its files, or try again in an hour.',
} as const
