import type { DatabaseSync, SQLInputValue } from 'node:sqlite'
import type { Action, ReceiptItem, Reference } from '../../../../src/bridge/port/message.ts'
import type { WebMessage } from '../../protocol.ts'
import type { Uploads } from './uploads.ts'

/** Parts of a message that are stored as JSON and never searched. */
export interface MessageBody {
  readonly references?: readonly Reference[]
  readonly receipt?: readonly ReceiptItem[]
  readonly actions?: readonly Action[]
  readonly replyTo?: string
  readonly private?: boolean
  readonly notifies?: boolean
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
}

export interface Messages {
  insert(message: NewMessage): void
  get(id: string): StoredMessage | undefined
  bySendId(sendId: string): StoredMessage | undefined
  change(id: string, change: MessageChange): void
  /** Saves streamed text; does not count as a change. */
  saveText(id: string, text: string): void
  accept(id: string): void
  remove(id: string): void
  /** The person's last choice among the actions of a group. */
  press(id: string, pressed: NonNullable<WebMessage['pressed']>): void
  /** All of a channel; oldest first. */
  ofChannel(channel: string): readonly StoredMessage[]
  /** Messages that have every word, newest first. */
  search(words: readonly string[], limit: number): readonly StoredMessage[]
  /** Messages not yet accepted by the bridge; oldest first. */
  waiting(): readonly StoredMessage[]
  /** The newest `limit` threads whose root is older than `before`, whole, in order. */
  page(
    channel: string,
    before: number,
    limit: number,
  ): { readonly messages: readonly StoredMessage[]; readonly more: boolean }
  /** One thread (or, without `thread`, the roots of the channel) before `seq`, oldest first, at most `limit`. */
  thread(channel: string, thread: string | undefined, beforeSeq: number, limit: number): readonly StoredMessage[]
  /** At start: marks all streams as ended. */
  endStreams(): void
}

const INSERT = `INSERT INTO messages
  (id, channel, thread, ours, author_id, author_name, language, kind, text, body, send_id, streaming, accepted, sent_at)
  VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`

export function createMessages(database: DatabaseSync, uploads: Uploads): Messages {
  const statement = (sql: string) => database.prepare(sql)
  const insert = statement(INSERT)
  const byId = statement('SELECT * FROM messages WHERE id = ?')
  const bySend = statement('SELECT * FROM messages WHERE send_id = ?')
  const saveText = statement('UPDATE messages SET text = ? WHERE id = ?')
  const accept = statement('UPDATE messages SET accepted = 1, rev = rev + 1 WHERE id = ? AND accepted = 0')
  const remove = statement('DELETE FROM messages WHERE id = ?')
  const waiting = statement('SELECT * FROM messages WHERE accepted = 0 ORDER BY seq')
  const change = statement(`UPDATE messages SET text = ?, kind = coalesce(?, kind), body = coalesce(?, body),
    streaming = ?, edited = max(edited, ?), rev = rev + 1 WHERE id = ?`)
  const roots = statement(
    `SELECT id FROM messages WHERE channel = ? AND thread IS NULL AND seq < ? ORDER BY seq DESC LIMIT ?`,
  )
  const whole = statement(`SELECT * FROM messages WHERE channel = ?1 AND
    (id IN (SELECT value FROM json_each(?2)) OR thread IN (SELECT value FROM json_each(?2))) ORDER BY seq`)
  const inThread = statement(`SELECT * FROM messages WHERE channel = ?1 AND seq < ?3 AND
    ((?2 IS NULL AND thread IS NULL) OR thread = ?2 OR id = ?2) ORDER BY seq DESC LIMIT ?4`)

  const press = statement('UPDATE messages SET pressed = ?, rev = rev + 1 WHERE id = ?')
  const ofChannel = statement('SELECT * FROM messages WHERE channel = ? ORDER BY seq')
  // A word of fewer than three letters is in no trigram.
  const search = statement(`SELECT messages.* FROM messages JOIN channels ON channels.id = messages.channel
    WHERE channels.deleted_at IS NULL AND messages.kind <> 'receipt'
      AND (?1 = '' OR messages.seq IN (SELECT rowid FROM found WHERE found MATCH ?1))
      AND NOT EXISTS (SELECT 1 FROM json_each(?2) WHERE messages.text NOT LIKE value ESCAPE '\\')
    ORDER BY messages.seq DESC LIMIT ?3`)

  const toMessage = (row: Record<string, unknown>) => fromRow(row, uploads)
  const one = (row: Record<string, unknown> | undefined) => row && toMessage(row)
  return {
    insert: (message) => void insert.run(...toRow(message)),
    get: (id) => one(byId.get(id)),
    bySendId: (sendId) => one(bySend.get(sendId)),
    change(id, { text, kind, body, streaming, edited }) {
      change.run(text, kind ?? null, body ? JSON.stringify(body) : null, Number(streaming), Number(edited ?? 0), id)
    },
    saveText: (id, text) => void saveText.run(text, id),
    accept: (id) => void accept.run(id),
    remove: (id) => void remove.run(id),
    press: (id, pressed) => void press.run(JSON.stringify(pressed), id),
    ofChannel: (channel) => ofChannel.all(channel).map(toMessage),
    search(words, limit) {
      const long = words.filter((word) => Array.from(word).length >= 3)
      const short = words.filter((word) => !long.includes(word))
      const match = long.map((word) => `"${word.replaceAll('"', '""')}"`).join(' ')
      const like = short.map((word) => `%${word.replaceAll(/[\\%_]/g, String.raw`\$&`)}%`)
      return search.all(match, JSON.stringify(like), limit).map(toMessage)
    },
    waiting: () => waiting.all().map(toMessage),
    page(channel, before, limit) {
      const found = roots.all(channel, before, limit + 1).map((row) => String(row['id']))
      const ids = JSON.stringify(found.slice(0, limit))
      return { messages: whole.all(channel, ids).map(toMessage), more: found.length > limit }
    },
    thread: (channel, thread, beforeSeq, limit) =>
      inThread
        .all(channel, thread ?? null, beforeSeq, limit)
        .map(toMessage)
        .toReversed(),
    endStreams: () => database.exec('UPDATE messages SET streaming = 0, rev = rev + 1 WHERE streaming = 1'),
  }
}

function toRow(message: NewMessage): SQLInputValue[] {
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

function fromRow(row: Record<string, unknown>, uploads: Uploads): StoredMessage {
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
    attachments: uploads.ofMessage(String(row['id'])),
    references: body.references ?? [],
    receipt: body.receipt ?? [],
    actions: body.actions ?? [],
    pressed: pressed === undefined ? undefined : (JSON.parse(pressed) as WebMessage['pressed']),
    replyTo: body.replyTo,
    private: body.private,
    notifies: body.notifies,
  }
}

function textOf(column: unknown): string | undefined {
  return typeof column === 'string' ? column : undefined
}
