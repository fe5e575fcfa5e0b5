import { Client } from 'pg'
import { eventually } from '../support/eventually.ts'

/** Looks into the database of several processes while they run; also after their end. */
export interface Lookout {
  /** Number of the process that joined last. */
  newest(): Promise<number>
  isThere(number: number): Promise<boolean>
  /** How old the lease of each process is, milliseconds, and the server. */
  ages(): Promise<string>
  /** The process that runs a job of one of these channels. */
  ownerOf(channels: readonly string[]): Promise<number | undefined>
  /** Jobs that this process runs. */
  jobsRunBy(number: number): Promise<readonly string[]>
  /** Whether a process that is there runs each of these jobs, or has run it. */
  areTaken(jobs: readonly string[]): Promise<boolean>
  isPassing(): Promise<boolean>
  jobsOf(channel: string): Promise<readonly object[]>
  close(): Promise<void>
}

/** As in `pass-locks.ts`. */
const PASS_LOCK = 0x66_62_70_01

const age = (since: string) => `round(extract(epoch FROM now() - (${since})) * 1000)::int`

export function openLookout(url: string): Lookout {
  let client: Client | undefined

  async function connect(): Promise<Client> {
    const fresh = new Client({ connectionString: url })
    const forget = () => void (client = client === fresh ? undefined : client)
    fresh.on('error', forget).on('end', forget)
    await fresh.connect()
    return fresh
  }

  /** A server that has just ended is waited for. */
  const ask = <Row extends object>(sql: string, ...values: unknown[]): Promise<readonly Row[]> =>
    eventually(async () => {
      try {
        client ??= await connect()
        return (await client.query<Row>(sql, values)).rows
      } catch (error) {
        if (error instanceof Error && /terminat|ECONN|starting up|not queryable|closed/.test(error.message))
          return undefined
        throw error
      }
    })

  return {
    async newest() {
      const [row] = await ask<{ number: number }>('SELECT max(number)::int AS number FROM footbridge_bridge.process')
      return row?.number ?? 0
    },
    isThere: async (number) =>
      (await ask('SELECT FROM footbridge_bridge.process WHERE number = $1', number)).length > 0,
    async ownerOf(channels) {
      const running = `SELECT owner::int FROM footbridge_bridge.job WHERE state = 'running' AND message LIKE ANY ($1) LIMIT 1`
      const [row] = await ask<{ owner: number }>(
        running,
        channels.map((channel) => `%:${channel}/%`),
      )
      return row?.owner
    },
    async ages() {
      const rows = await ask(
        `SELECT number::int, ${age(`lease_until - interval '10 s'`)} AS renewed, ${age('joined_at')} AS joined,
           ${age('pg_postmaster_start_time()')} AS server FROM footbridge_bridge.process ORDER BY number`,
      )
      return JSON.stringify(rows)
    },
    async jobsRunBy(number) {
      const running = `SELECT id FROM footbridge_bridge.job WHERE state = 'running' AND owner = $1`
      return (await ask<{ id: string }>(running, number)).map(({ id }) => id)
    },
    async areTaken(jobs) {
      const open = `SELECT FROM footbridge_bridge.job LEFT JOIN footbridge_bridge.process ON number = owner
        WHERE id = ANY ($1) AND state IN ('queued', 'running') AND number IS NULL LIMIT 1`
      return (await ask(open, jobs)).length === 0
    },
    isPassing: async () => (await ask('SELECT FROM pg_locks WHERE classid = $1 AND granted', PASS_LOCK)).length > 0,
    jobsOf: (channel) =>
      ask(
        `SELECT id, state, attempt, deaths, owner, due_at, reason, to_timestamp(updated_at / 1000.0)::text AS at
         FROM footbridge_bridge.job WHERE message LIKE $1 ORDER BY seq DESC LIMIT 4`,
        `%:${channel}/%`,
      ),
    close: async () => client?.end(),
  }
}
