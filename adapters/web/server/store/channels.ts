import { randomBytes } from 'node:crypto'
import type { DatabaseSync } from 'node:sqlite'
import type { Clock } from '../../../../src/bridge/port/platform.ts'
import type { WebChannel } from '../../protocol.ts'

export interface Channels {
  /** The direct conversation first, then by age; archived ones too. */
  list(): readonly WebChannel[]
  get(id: string): WebChannel | undefined
  /** Undefined when the name is taken. */
  create(name: string): WebChannel | undefined
  /** Undefined when the name is taken by another channel. */
  rename(id: string, name: string): WebChannel | undefined
  archive(id: string, archived: boolean): void
  /** Hides it for good; its messages are removed one by one. */
  remove(id: string): void
  /** Removed channels that still have messages, after a crash. */
  leftOver(): readonly WebChannel[]
}

const COLUMNS = 'id, name, direct, archived_at'

export function createChannels(database: DatabaseSync, clock: Clock): Channels {
  const prepare = (sql: string) => database.prepare(sql)
  const all = prepare(
    `SELECT ${COLUMNS} FROM channels WHERE deleted_at IS NULL ORDER BY direct DESC, created_at, rowid`,
  )
  const one = prepare(`SELECT ${COLUMNS} FROM channels WHERE id = ? AND deleted_at IS NULL`)
  const insert = prepare('INSERT INTO channels (id, name, direct, created_at) VALUES (?, ?, 0, ?)')
  const rename = prepare('UPDATE channels SET name = ? WHERE id = ?')
  const archive = prepare('UPDATE channels SET archived_at = ? WHERE id = ?')
  // The name is free again; the id stays taken.
  const remove = prepare("UPDATE channels SET deleted_at = ?, name = id || ' ' || name WHERE id = ?")
  const leftOver = prepare(`SELECT ${COLUMNS} FROM channels WHERE deleted_at IS NOT NULL AND
    EXISTS (SELECT 1 FROM messages WHERE channel = channels.id)`)
  const list = () => all.all().map(toChannel)
  const isTaken = (name: string, by?: string) =>
    list().some((channel) => channel.id !== by && foldName(channel.name) === foldName(name))
  const get = (id: string) => {
    const row = one.get(id)
    return row && toChannel(row)
  }
  return {
    list,
    get,
    create(name) {
      if (isTaken(name)) return undefined
      // The id is random and never changes: collections are named from it, not from the channel's name.
      const id = `c${randomBytes(6).toString('hex')}`
      insert.run(id, name, clock())
      return { id, name, direct: false }
    },
    rename(id, name) {
      if (isTaken(name, id)) return undefined
      rename.run(name, id)
      return get(id)
    },
    archive: (id, archived) => void archive.run(archived ? clock() : null, id),
    remove: (id) => void remove.run(clock(), id),
    leftOver: () => leftOver.all().map(toChannel),
  }
}

/** Names that people take for the same are the same. */
export const foldName = (name: string): string => name.normalize('NFKC').toLowerCase()

function toChannel(row: Record<string, unknown>): WebChannel {
  const archived = row['archived_at'] === null ? undefined : true
  return { id: String(row['id']), name: String(row['name']), direct: row['direct'] === 1, archived }
}
