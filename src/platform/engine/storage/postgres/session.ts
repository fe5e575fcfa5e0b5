import { Client } from 'pg'
import { EngineError } from '../../errors.ts'
import { connectionOptions, prepareSession } from './pool.ts'

/** A connection that outlives single statements: what it locks stays locked until it says so, or ends. */
export interface Session {
  ask<Row>(text: string, ...values: readonly unknown[]): Promise<Row | undefined>
  /** Aborted, with a sentence, when the connection has ended, and its locks with it. */
  readonly ended: AbortSignal
}

async function open(client: Client, ended: AbortController): Promise<Session> {
  await client.connect()
  await prepareSession(client)
  // A long pass may say nothing here for an hour.
  await client.query('SET idle_session_timeout = 0')
  // One after the other: everybody shares the connection.
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

/**
 * Opens one session and gives it to everybody; after an end, the next call opens another one.
 */
export function createSessions(url: string): { get(): Promise<Session>; close(): Promise<void> } {
  let current: { readonly opened: Promise<Session>; readonly client: Client } | undefined

  return {
    get() {
      if (current !== undefined) return current.opened
      const client = new Client(connectionOptions(url))
      const ended = new AbortController()
      const opened = open(client, ended)
      const mine = { opened, client }
      const forget = () => {
        if (current === mine) current = undefined
        ended.abort(
          new EngineError('unavailable', 'The connection to PostgreSQL broke off: try again in a moment.', {
            reason: 'database_unavailable',
          }),
        )
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
