import { PGlite } from '@electric-sql/pglite'
import { vector } from '@electric-sql/pglite-pgvector'
import { PGLiteSocketServer } from '@electric-sql/pglite-socket'

/** A PostgreSQL with the real pgvector, in this process: its connections take turns. */
export interface ExtendedPostgres {
  /** Address of a new, empty database. */
  readonly url: string
  close(): Promise<void>
}

export async function startExtendedPostgres(): Promise<ExtendedPostgres> {
  const db = await PGlite.create({ extensions: { vector } })
  const server = new PGLiteSocketServer({ db, port: 0, host: '127.0.0.1', maxConnections: 10 })
  await server.start()
  return {
    url: `postgres://postgres@${server.getServerConn()}/postgres?sslmode=disable`,
    async close() {
      await server.stop()
      await db.close()
    },
  }
}
