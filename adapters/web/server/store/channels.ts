import { randomBytes } from 'node:crypto'
import type { Clock } from '#bridge/port/platform.ts'
import type { WebChannel } from '#adapters/web/protocol.ts'
import { type Sql, type Row } from '#sql/sql.ts'
import { foldName, toTitle } from './names.ts'

export interface Channels {
  /** Channels by age, archived ones too. */
  list(): Promise<readonly WebChannel[]>
  /** Chats, the one last written in first. */
  chats(): Promise<readonly WebChannel[]>
  get(id: string): Promise<WebChannel | undefined>
  /** Undefined when the name is taken. */
  create(name: string): Promise<WebChannel | undefined>
  /** A chat that nobody has written in yet, made if need be. */
  newChat(): Promise<WebChannel>
  /** Notes that somebody wrote in the chat. */
  useChat(id: string): Promise<void>
  /** Shows a chat again that was removed: Footbridge begins it anew. */
  revive(id: string): Promise<void>
  /** Undefined when the name is taken by another channel. Titles of chats may be the same. */
  rename(id: string, name: string): Promise<WebChannel | undefined>
  archive(id: string, archived: boolean): Promise<void>
  /** Hides it for good; its messages are removed one by one. */
  remove(id: string): Promise<void>
  /** Removed channels that still have messages, after a crash. */
  leftOver(): Promise<readonly WebChannel[]>
}

/** Letters of a message from which a title is made, and names of files. */
const MAX_TITLE_SOURCE = 1000
const THEIRS = 'FROM messages WHERE channel = channels.id AND ours = 0 ORDER BY seq LIMIT 1'
/** Without a title of its own a chat is called after the first message of a person in it, or after its files. */
const COLUMNS = `id, CASE WHEN direct = 1 THEN title ELSE name END AS name, direct, archived_at, used_at, created_at,
  CASE WHEN direct = 1 AND title IS NULL THEN (SELECT substr(text, 1, ${MAX_TITLE_SOURCE}) ${THEIRS}) END AS said,
  CASE WHEN direct = 1 AND title IS NULL THEN (SELECT substr(string_agg(name, ', ' ORDER BY seq), 1, ${MAX_TITLE_SOURCE})
    FROM uploads WHERE message_id = (SELECT id ${THEIRS})) END AS files,
  CASE WHEN direct = 1 AND title IS NULL THEN (SELECT author_name FROM messages
    WHERE channel = channels.id AND ours = 1 ORDER BY seq LIMIT 1) END AS speaker`

const HIDE = `UPDATE channels SET deleted_at = ?, title = NULL,
  name = CASE WHEN direct = 1 THEN name ELSE id || ' ' || name END WHERE id = ?`

const newId = () => `c${randomBytes(6).toString('hex')}`

export function createChannels(sql: Sql, clock: Clock): Channels {
  const shown = `SELECT ${COLUMNS} FROM channels WHERE deleted_at IS NULL`
  const newest = 'ORDER BY coalesce(used_at, created_at) DESC, seq DESC'
  const list = async () => (await sql.all(`${shown} AND direct = 0 ORDER BY created_at, seq`)).map(toChannel)
  // Names of chats are not seen, but unique like those of channels.
  const isTaken = async (name: string, by?: string) =>
    (await list()).some((channel) => channel.id !== by && foldName(channel.name) === foldName(name)) ||
    (await sql.get('SELECT 1 FROM channels WHERE direct = 1 AND name = ?', name)) !== undefined
  const get = async (id: string) => {
    const row = await sql.get(`${shown} AND id = ?`, id)
    return row && toChannel(row)
  }
  return {
    list,
    get,
    chats: async () => (await sql.all(`${shown} AND direct = 1 ${newest}`)).map(toChannel),
    async newChat() {
      const unused = await sql.get(`${shown} AND direct = 1 AND title IS NULL
        AND NOT EXISTS (SELECT 1 FROM messages WHERE channel = channels.id) ${newest} LIMIT 1`)
      if (unused !== undefined) return toChannel(unused)
      const id = newId()
      const at = clock()
      await sql.write(['INSERT INTO channels (id, name, direct, created_at) VALUES (?, ?, 1, ?)', id, id, at])
      return { id, name: '', direct: true, usedAt: at }
    },
    useChat: (id) => sql.write(['UPDATE channels SET used_at = ? WHERE id = ? AND deleted_at IS NULL', clock(), id]),
    revive: (id) => sql.write(['UPDATE channels SET deleted_at = NULL, title = NULL WHERE id = ?', id]),
    async create(name) {
      if (await isTaken(name)) return undefined
      // The id is random and never changes: collections are named from it, not from the channel's name.
      const id = newId()
      const insert = 'INSERT INTO channels (id, name, direct, created_at) VALUES (?, ?, 0, ?) ON CONFLICT DO NOTHING'
      await sql.write([insert, id, name, clock()])
      return get(id)
    },
    async rename(id, name) {
      const isChat = (await get(id))?.direct === true
      if (!isChat && (await isTaken(name, id))) return undefined
      await sql.write([`UPDATE channels SET ${isChat ? 'title' : 'name'} = ? WHERE id = ?`, name, id])
      return get(id)
    },
    archive: (id, archived) =>
      sql.write(['UPDATE channels SET archived_at = ? WHERE id = ?', archived ? clock() : null, id]),
    // The name is free again; the id stays taken.
    remove: (id) => sql.write([HIDE, clock(), id]),
    async leftOver() {
      const rows = await sql.all(`SELECT ${COLUMNS} FROM channels WHERE deleted_at IS NOT NULL AND
        EXISTS (SELECT 1 FROM messages WHERE channel = channels.id)`)
      return rows.map(toChannel)
    },
  }
}

const textIn = (row: Row, column: string) => (typeof row[column] === 'string' ? row[column] : '')

const nameIn = (row: Row) =>
  textIn(row, 'name') || toTitle(textIn(row, 'said')) || toTitle(textIn(row, 'files')) || textIn(row, 'speaker')

function toChannel(row: Row): WebChannel {
  const archived = row['archived_at'] === null ? undefined : true
  const channel = { id: String(row['id']), name: nameIn(row), direct: row['direct'] === 1, archived }
  return channel.direct ? { ...channel, usedAt: Number(row['used_at'] ?? row['created_at']) } : channel
}
