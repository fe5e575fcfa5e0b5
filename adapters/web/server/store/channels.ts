import { randomBytes } from 'node:crypto'
import { plainName } from '#lib/unicode.ts'
import type { Clock } from '#bridge/port/platform.ts'
import type { WebChannel } from '#adapters/web/protocol.ts'
import { type Sql, type Row } from '#sql/sql.ts'

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
  /** Notes that a person wrote in the chat; the first text is its title. */
  useChat(id: string, text: string): Promise<void>
  /** Shows a chat again that was removed: Footbridge has something to say in it. */
  revive(id: string): Promise<void>
  /** Undefined when the name is taken by another channel. Titles of chats may be the same. */
  rename(id: string, name: string): Promise<WebChannel | undefined>
  archive(id: string, archived: boolean): Promise<void>
  /** Hides it for good; its messages are removed one by one. */
  remove(id: string): Promise<void>
  /** Removed channels that still have messages, after a crash. */
  leftOver(): Promise<readonly WebChannel[]>
}

const COLUMNS = 'id, CASE WHEN direct = 1 THEN title ELSE name END AS name, direct, archived_at, used_at, created_at'
/** Longest title made from a text, in characters. */
const MAX_TITLE_CHARS = 60

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
      const unused = await sql.get(`${shown} AND direct = 1 AND title IS NULL AND used_at IS NULL
        AND NOT EXISTS (SELECT 1 FROM messages WHERE channel = channels.id) ${newest} LIMIT 1`)
      if (unused !== undefined) return toChannel(unused)
      const id = newId()
      const at = clock()
      await sql.write(['INSERT INTO channels (id, name, direct, created_at) VALUES (?, ?, 1, ?)', id, id, at])
      return { id, name: '', direct: true, usedAt: at }
    },
    useChat: (id, text) =>
      sql.write([
        'UPDATE channels SET used_at = ?, title = coalesce(title, ?) WHERE id = ?',
        clock(),
        toTitle(text),
        id,
      ]),
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

/** Names that people take for the same are the same. */
export const foldName = (name: string): string => name.normalize('NFKC').toLowerCase()

/** The first line, cut after a word; null without words. */
function toTitle(text: string): string | null {
  const line = plainName(text.normalize('NFC').trim().split('\n', 1)[0] ?? '')
  const chars = Array.from(line)
  if (chars.length <= MAX_TITLE_CHARS) return line || null
  const cut = chars.slice(0, MAX_TITLE_CHARS).join('')
  return `${cut.slice(0, cut.lastIndexOf(' ') > MAX_TITLE_CHARS / 2 ? cut.lastIndexOf(' ') : undefined)} …`
}

function toChannel(row: Row): WebChannel {
  const archived = row['archived_at'] === null ? undefined : true
  const channel = {
    id: String(row['id']),
    name: typeof row['name'] === 'string' ? row['name'] : '',
    direct: row['direct'] === 1,
    archived,
  }
  return channel.direct ? { ...channel, usedAt: Number(row['used_at'] ?? row['created_at']) } : channel
}
