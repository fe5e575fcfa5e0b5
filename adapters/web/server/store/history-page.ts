import type { Row } from '#sql/sql.ts'

interface Placed {
  readonly id: string
  readonly seq: number
}

export const toPlaced = (row: Row): Placed => ({ id: String(row['id']), seq: Number(row['seq']) })

/** Size of a page, texts and bodies: a response is made in memory, and a room may hold months. */
const MAX_PAGE_BYTES = 256 * 1024
/** Size of a message's other fields. */
const FIELDS_BYTES = 500
/** Higher than the `seq` of any message. */
const AFTER_ALL = 10 ** 15 - 1
const PLACE = /^(\d{1,15})(?:\.(\d{1,15}))?$/

/** `<root>` or `<root>.<reply>`: threads before this root, and of its own the replies before this one. */
export const isPlace = (text: string) => PLACE.test(text)

export function readPlace(before: string | undefined): { readonly root: number; readonly reply?: number } {
  const [, root, reply] = PLACE.exec(before ?? '') ?? []
  if (root === undefined) return { root: AFTER_ALL }
  return reply === undefined ? { root: Number(root) } : { root: Number(root), reply: Number(reply) }
}

/** Threads as far as they fit, newest first; of each its root, and then the newest replies. */
export function cutPage(
  threads: readonly Placed[],
  rows: readonly Row[],
  since: { readonly root: number; readonly reply?: number },
): { readonly taken: readonly Placed[]; readonly next?: string } {
  const byThread = Map.groupBy(rows, (row) => String(row['thread']))
  const taken: Placed[] = []
  let bytes = 0
  for (const [nth, thread] of threads.entries()) {
    const isContinued = since.reply !== undefined && thread.seq === since.root
    const own = (byThread.get(thread.id) ?? [])
      .map((row) => ({ ...toPlaced(row), bytes: Number(row['bytes']) + FIELDS_BYTES }))
      .filter(({ id, seq }) => !isContinued || (seq < (since.reply ?? 0) && id !== thread.id))
    let last: number | undefined
    for (const message of own.toSorted((a, b) => Number(b.id === thread.id) - Number(a.id === thread.id))) {
      bytes += message.bytes
      if (bytes > MAX_PAGE_BYTES && taken.length > 0)
        return { taken, next: last === undefined ? String(threads[nth - 1]?.seq) : `${thread.seq}.${last}` }
      taken.push(message)
      last = message.id === thread.id ? AFTER_ALL : message.seq
    }
  }
  return { taken }
}
