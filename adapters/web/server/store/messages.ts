import type { Action, ReceiptItem, Reference } from '#bridge/port/message.ts'
import type { WebAttachment, WebMessage } from '#adapters/web/protocol.ts'
import { cutPage, readPlace, toPlaced } from './history-page.ts'
import type { Row, Sql, Statement, Value } from '#sql/sql.ts'
import type { Uploads } from './uploads.ts'

/** Parts of a message that are stored as JSON and never searched. */
export interface MessageBody {
  readonly references?: readonly Reference[]
  readonly isUnsure?: true
  readonly model?: string
  readonly receipt?: readonly ReceiptItem[]
  readonly actions?: readonly Action[]
  readonly replyTo?: string
  readonly private?: boolean
  readonly notifies?: boolean
  /** Zone of the person's browser when it was written. */
  readonly timeZone?: string
}

export interface NewMessage {
  readonly id: string
  readonly channel: string
  readonly thread?: string
  readonly ours: boolean
  readonly authorId: string
  readonly authorName: string
  readonly language?: string
  readonly kind: WebMessage['kind']
  readonly text: string
  readonly body: MessageBody
  readonly sendId?: string
  readonly streaming?: boolean
  readonly accepted: boolean
  readonly sentAt: number
}

export interface MessageChange {
  readonly text: string
  readonly kind?: WebMessage['kind']
  readonly body?: MessageBody
  readonly streaming: boolean
  readonly edited?: boolean
}

/** A stored message: the page's fields and those of the server. */
export interface StoredMessage extends WebMessage {
  readonly authorId: string
  readonly language?: string
  readonly timeZone?: string
}

export interface Messages {
  /** Stores it with these uploads, in the given order. */
  insert(message: NewMessage, uploads?: readonly string[]): Promise<void>
  get(id: string): Promise<StoredMessage | undefined>
  bySendId(sendId: string): Promise<StoredMessage | undefined>
  change(id: string, change: MessageChange): Promise<void>
  /** Saves streamed text; does not count as a change. */
  saveText(id: string, text: string): Promise<void>
  accept(id: string): Promise<void>
  /** With its files. */
  remove(id: string): Promise<void>
  /** The person's last choice among the actions of a group. */
  press(id: string, pressed: NonNullable<WebMessage['pressed']>): Promise<void>
  /** All of a channel; oldest first. */
  ofChannel(channel: string): Promise<readonly StoredMessage[]>
  /** Channels and chats of these messages, by their ids. */
  placesOf(ids: readonly string[]): Promise<ReadonlyMap<string, string>>
  /** Messages that have every word, newest first. */
  search(words: readonly string[], limit: number): Promise<readonly StoredMessage[]>
  /** Messages not yet accepted by the bridge; oldest first. */
  waiting(): Promise<readonly StoredMessage[]>
  /**
   * The newest `limit` threads that begin before `before`, in order; fewer, and the last one without its older replies,
   * where they would be more than 256 kB. A thread whose root was deleted begins with its first reply.
   *
   * @param before of the page after it, as it was returned; undefined: the newest page
   * @returns `before` of the next page; absent: this is the last page
   */
  page(
    channel: string,
    before: string | undefined,
    limit: number,
  ): Promise<{ readonly messages: readonly StoredMessage[]; readonly before?: string }>
  /** One thread (or, without `thread`, the roots of the channel) before `seq`, oldest first, at most `limit`. */
  thread(
    channel: string,
    thread: string | undefined,
    beforeSeq: number,
    limit: number,
  ): Promise<readonly StoredMessage[]>
  /** At the start of the only process: marks all streams as ended. */
  endStreams(): Promise<void>
}

const INSERT = `INSERT INTO messages
  (id, channel, thread, ours, author_id, author_name, language, kind, text, body, send_id, streaming, accepted, sent_at)
  VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (id) DO NOTHING`

const ROOTS = `SELECT id, seq FROM messages WHERE channel = ? AND thread IS NULL AND seq < ? ORDER BY seq DESC LIMIT ?`

/**
 * First replies of the threads whose root was deleted.
 *
 * @param byChannel reads by the index of channels, quick for a small channel; otherwise by the range of `seq`
 */
const rootless = (byChannel: boolean) => `
  SELECT thread AS id, seq FROM messages AS reply
  WHERE ${byChannel ? 'channel' : "channel || ''"} = ? AND thread IS NOT NULL AND seq < ? AND seq > ?
    AND NOT EXISTS (SELECT 1 FROM messages AS root WHERE root.id = reply.thread)
    AND NOT EXISTS (
      SELECT 1 FROM messages AS earlier
      WHERE earlier.channel = reply.channel AND earlier.thread = reply.thread AND earlier.seq < reply.seq
    )`

// oxlint-disable-next-line max-lines-per-function -- a factory: it only returns methods
export function createMessages(sql: Sql, uploads: Uploads): Messages {
  const several = async (...statement: Statement) => {
    const rows = await sql.all(...statement)
    const files = await uploads.ofMessages(rows.map((row) => String(row['id'])))
    return rows.map((row) => fromRow(row, files.get(String(row['id'])) ?? []))
  }
  const one = async (where: string, value: string) => (await several(`SELECT * FROM messages WHERE ${where}`, value))[0]
  const update = (set: string, ...values: readonly Value[]) =>
    sql.write([`UPDATE messages SET ${set} WHERE id = ?`, ...values])
  return {
    insert: (message, files = []) =>
      sql.write([INSERT, ...toRow(message)], ...files.map((id) => uploads.attachment(message.id, id))),
    get: (id) => one('id = ?', id),
    bySendId: (sendId) => one('send_id = ?', sendId),
    change: (id, { text, kind, body, streaming, edited }) =>
      update(
        `text = ?, kind = coalesce(?, kind), body = coalesce(?, body), streaming = ?,
         edited = CASE WHEN ? = 1 THEN 1 ELSE edited END, rev = rev + 1`,
        text,
        kind ?? null,
        body ? JSON.stringify(body) : null,
        Number(streaming),
        Number(edited ?? 0),
        id,
      ),
    // Repeated after an outage, it may come later than the end of the answer.
    saveText: (id, text) => sql.write(['UPDATE messages SET text = ? WHERE id = ? AND streaming = 1', text, id]),
    accept: (id) => sql.write(['UPDATE messages SET accepted = 1, rev = rev + 1 WHERE id = ? AND accepted = 0', id]),
    async remove(id) {
      await sql.write(['DELETE FROM messages WHERE id = ?', id])
      await uploads.removeOf(id)
    },
    press: (id, pressed) => update('pressed = ?, rev = rev + 1', JSON.stringify(pressed), id),
    ofChannel: (channel) => several('SELECT * FROM messages WHERE channel = ? ORDER BY seq', channel),
    async placesOf(ids) {
      const among = 'SELECT value FROM json_array_elements_text(?::json) AS value'
      const rows = await sql.all(`SELECT id, channel FROM messages WHERE id IN (${among})`, JSON.stringify(ids))
      return new Map(rows.map(({ id, channel }) => [String(id), String(channel)]))
    },
    search(words, limit) {
      const { where, values } = sql.dialect === 'sqlite' ? byTrigrams(words) : byFolded(words)
      return several(
        `SELECT messages.* FROM messages JOIN channels ON channels.id = messages.channel
         WHERE channels.deleted_at IS NULL AND messages.kind <> 'receipt' AND ${where}
         ORDER BY messages.seq DESC LIMIT ?`,
        ...values,
        limit,
      )
    },
    waiting: () => several('SELECT * FROM messages WHERE accepted = 0 ORDER BY seq'),
    async page(channel, before, limit) {
      const since = readPlace(before)
      const rootsBefore = since.reply === undefined ? since.root : since.root + 1
      const roots = await sql.all(ROOTS, channel, rootsBefore, limit + 1)
      const oldest = roots.length > limit ? Number(roots.at(-1)?.['seq']) : 0
      const replies = await sql.all(rootless(roots.length <= limit), channel, rootsBefore, oldest)
      const threads = [...roots, ...replies].map(toPlaced).toSorted((a, b) => b.seq - a.seq)
      const found = threads.slice(0, limit)
      const ids = JSON.stringify(found.map(({ id }) => id))
      const among = `(SELECT value FROM json_array_elements_text(?::json) AS value)`
      const sizes = await sql.all(
        `SELECT id, seq, coalesce(thread, id) AS thread, octet_length(text) + octet_length(body) AS bytes
         FROM messages WHERE channel = ? AND (id IN ${among} OR thread IN ${among}) ORDER BY seq DESC`,
        channel,
        ids,
        ids,
      )
      const { taken, next } = cutPage(found, sizes, since)
      const messages = await several(
        `SELECT * FROM messages WHERE id IN ${among} ORDER BY seq`,
        JSON.stringify(taken.map(({ id }) => id)),
      )
      const rest = next ?? (threads.length > limit ? String(found.at(-1)?.seq) : undefined)
      return rest === undefined ? { messages } : { messages, before: rest }
    },
    async thread(channel, thread, beforeSeq, limit) {
      const place = thread === undefined ? 'thread IS NULL' : '(thread = ? OR id = ?)'
      const newest = `SELECT * FROM messages WHERE channel = ? AND ${place} AND seq < ? ORDER BY seq DESC LIMIT ?`
      const named = thread === undefined ? [] : [thread, thread]
      return (await several(newest, channel, ...named, beforeSeq, limit)).toReversed()
    },
    endStreams: () => sql.write(['UPDATE messages SET streaming = 0, rev = rev + 1 WHERE streaming = 1']),
  }
}

const toPattern = (word: string) => `%${word.replaceAll(/[\\%_]/g, String.raw`\$&`)}%`

/** Search by the index of trigrams; a word of fewer than three letters is in none. */
function byTrigrams(words: readonly string[]): { readonly where: string; readonly values: readonly Value[] } {
  const long = words.filter((word) => Array.from(word).length >= 3)
  const short = words.filter((word) => !long.includes(word))
  const match = long.map((word) => `"${word.replaceAll('"', '""')}"`).join(' ')
  const like = "NOT EXISTS (SELECT 1 FROM json_each(?) WHERE messages.text NOT LIKE value ESCAPE '\\')"
  const found = 'messages.seq IN (SELECT rowid FROM found WHERE found MATCH ?)'
  const shorts = JSON.stringify(short.map(toPattern))
  return match === '' ? { where: like, values: [shorts] } : { where: `${found} AND ${like}`, values: [match, shorts] }
}

/** Search in the text without case and accents, as the database folds it. */
const byFolded = (words: readonly string[]) => ({
  where: words.map(() => `messages.folded LIKE page_fold(?) ESCAPE '\\'`).join(' AND '),
  values: words.map(toPattern),
})

function toRow(message: NewMessage): Value[] {
  return [
    message.id,
    message.channel,
    message.thread ?? null,
    Number(message.ours),
    message.authorId,
    message.authorName,
    message.language ?? null,
    message.kind,
    message.text,
    JSON.stringify(message.body),
    message.sendId ?? null,
    Number(message.streaming ?? false),
    Number(message.accepted),
    message.sentAt,
  ]
}

function fromRow(row: Row, attachments: readonly WebAttachment[]): StoredMessage {
  const body = JSON.parse(String(row['body'])) as MessageBody
  const ours = row['ours'] === 1
  const pressed = textOf(row['pressed'])
  return {
    id: String(row['id']),
    seq: Number(row['seq']),
    rev: Number(row['rev']),
    channel: String(row['channel']),
    thread: textOf(row['thread']),
    ours,
    authorId: String(row['author_id']),
    author: String(row['author_name']),
    language: textOf(row['language']),
    kind: String(row['kind']) as WebMessage['kind'],
    text: String(row['text']),
    streaming: row['streaming'] === 1,
    accepted: row['accepted'] === 1,
    sentAt: new Date(Number(row['sent_at'])).toISOString(),
    edited: row['edited'] === 1,
    attachments,
    references: body.references ?? [],
    isUnsure: body.isUnsure,
    model: body.model,
    receipt: body.receipt ?? [],
    actions: body.actions ?? [],
    pressed: pressed === undefined ? undefined : (JSON.parse(pressed) as WebMessage['pressed']),
    replyTo: body.replyTo,
    private: body.private,
    notifies: body.notifies,
    timeZone: body.timeZone,
  }
}

function textOf(column: unknown): string | undefined {
  return typeof column === 'string' ? column : undefined
}
