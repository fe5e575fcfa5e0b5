import { Client } from 'pg'
import { connectionOptions, prepareSession } from './pool.ts'

/** A connection kept across statements: its locks last until they are released or it ends. */
export interface Session {
  ask<Row>(text: string, ...values: readonly unknown[]): Promise<Row | undefined>
  /** Aborted with a sentence when the connection, and so its locks, ended. */
  readonly ended: AbortSignal
}

async function open(client: Client, ended: AbortController, options: SessionOptions): Promise<Session> {
  await client.connect()
  await prepareSession(client)
  await options.prepare?.(client)
  // A long pass may be silent on this connection for an hour.
  await client.query('SET idle_session_timeout = 0')
  // One statement at a time, since the connection is shared.
  let last: Promise<unknown> = Promise.resolve()
  return {
    ended: ended.signal,
    async ask<Row>(text: string, ...values: readonly unknown[]) {
      const asked = last.then(() => client.query(text, [...values]))
      last = asked.catch(() => undefined)
      return (await asked).rows[0] as Row | undefined
    },
  }
}

export interface SessionOptions {
  /** Makes the reason of `ended`. */
  readonly toError: () => Error
  /** Called with each new connection. */
  readonly prepare?: (client: Client) => Promise<unknown>
}

/** Opens one shared session; when it has ended, the next call opens another. */
export function createSessions(
  url: string,
  options: SessionOptions,
): { get(): Promise<Session>; close(): Promise<void> } {
  let current: { readonly opened: Promise<Session>; readonly client: Client } | undefined

  return {
    get() {
      if (current !== undefined) return current.opened
      const client = new Client(connectionOptions(url))
      const ended = new AbortController()
      const opened = open(client, ended, options)
      const mine = { opened, client }
      const forget = () => {
        if (current === mine) current = undefined
        ended.abort(options.toError())
      }
      client.once('error', forget)
      client.once('end', forget)
      opened.catch(() => {
        forget()
        void client.end().catch(() => undefined)
      })
      current = mine
      return opened
    },
    async close() {
      await current?.client.end()
    },
  }
}
