import { randomBytes } from 'node:crypto'
import type { Clock } from '#bridge/port/platform.ts'
import type { WebChannel } from '#adapters/web/protocol.ts'
import { type Sql, type Row } from '#sql/sql.ts'

export interface Channels {
  /** The direct conversation first, then by age; archived ones too. */
  list(): Promise<readonly WebChannel[]>
  get(id: string): Promise<WebChannel | undefined>
  /** Undefined when the name is taken. */
  create(name: string): Promise<WebChannel | undefined>
  /** Undefined when the name is taken by another channel. */
  rename(id: string, name: string): Promise<WebChannel | undefined>
  archive(id: string, archived: boolean): Promise<void>
  /** Hides it for good; its messages are removed one by one. */
  remove(id: string): Promise<void>
  /** Removed channels that still have messages, after a crash. */
  leftOver(): Promise<readonly WebChannel[]>
}

const COLUMNS = 'id, name, direct, archived_at'

export function createChannels(sql: Sql, clock: Clock): Channels {
  const shown = `SELECT ${COLUMNS} FROM channels WHERE deleted_at IS NULL`
  const list = async () => (await sql.all(`${shown} ORDER BY direct DESC, created_at, seq`)).map(toChannel)
  const isTaken = async (name: string, by?: string) =>
    (await list()).some((channel) => channel.id !== by && foldName(channel.name) === foldName(name))
  const get = async (id: string) => {
    const row = await sql.get(`${shown} AND id = ?`, id)
    return row && toChannel(row)
  }
  return {
    list,
    get,
    async create(name) {
      if (await isTaken(name)) return undefined
      // The id is random and never changes: collections are named from it, not from the channel's name.
      const id = `c${randomBytes(6).toString('hex')}`
      const insert = 'INSERT INTO channels (id, name, direct, created_at) VALUES (?, ?, 0, ?) ON CONFLICT DO NOTHING'
      await sql.write([insert, id, name, clock()])
      return get(id)
    },
    async rename(id, name) {
      if (await isTaken(name, id)) return undefined
      await sql.write(['UPDATE channels SET name = ? WHERE id = ?', name, id])
      return get(id)
    },
    archive: (id, archived) =>
      sql.write(['UPDATE channels SET archived_at = ? WHERE id = ?', archived ? clock() : null, id]),
    // The name is free again; the id stays taken.
    remove: (id) =>
      sql.write(["UPDATE channels SET deleted_at = ?, name = id || ' ' || name WHERE id = ?", clock(), id]),
    async leftOver() {
      const rows = await sql.all(`SELECT ${COLUMNS} FROM channels WHERE deleted_at IS NOT NULL AND
        EXISTS (SELECT 1 FROM messages WHERE channel = channels.id)`)
      return rows.map(toChannel)
    },
  }
}

/** Names that people take for the same are the same. */
export const foldName = (name: string): string => name.normalize('NFKC').toLowerCase()

function toChannel(row: Row): WebChannel {
  const archived = row['archived_at'] === null ? undefined : true
  return { id: String(row['id']), name: String(row['name']), direct: row['direct'] === 1, archived }
}
