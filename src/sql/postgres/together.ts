import { type Connection, type CustomTypesConfig, type Pool, type PoolClient, Query } from 'pg'
import { isOutage, isStalePlan } from './errors.ts'
import { createGathering } from './gather.ts'

export interface Statement {
  readonly text: string
  readonly values: readonly unknown[]
}

export interface Answer {
  readonly rows: readonly unknown[]
  readonly rowCount: number | null
}

/** Calls of a connection of `pg` on the query whose messages come in. */
interface Receiver {
  submit(connection: Connection): Error | null
  handleRowDescription(message: unknown): void
  handleDataRow(message: unknown): void
  handleCommandComplete(message: unknown, connection: Connection): void
  handleReadyForQuery(connection: Connection): void
}

/** Names under which a connection keeps the plan of a statement; texts are constants of the program. */
const names = new Map<string, string>()
const MAX_NAMES = 500

export function planName(text: string): string | undefined {
  let name = names.get(text)
  if (name === undefined && names.size < MAX_NAMES) names.set(text, (name = `fb${names.size}`))
  return name
}

/**
 * Sends the statements in one piece, with one wait for the server and one commit: all or none.
 *
 * @throws of the first statement that failed; the connection is of no use then
 */
function sendTogether(
  client: PoolClient,
  statements: readonly Statement[],
  types: CustomTypesConfig,
): Promise<readonly Answer[]> {
  const { promise, resolve, reject } = Promise.withResolvers<readonly Answer[]>()
  const answers: Answer[] = []
  let failure: Error | undefined
  const note = (error: Error | undefined, answer: Answer) => {
    if (error) failure ??= error
    else answers.push(answer)
  }
  const queries = statements.map(({ text, values }) => {
    const query = { name: planName(text), text, values: [...values], types }
    return new Query(query, note) as unknown as Receiver
  })
  let at = 0
  const batch = {
    // `pg` wraps it to end its timer.
    callback: (error?: Error) => (error ? reject(error) : resolve(answers)),
    submit(connection: Connection): void {
      // A statement ends with a sync, and so a transaction; here only the last one does.
      const held = Object.create(connection, { sync: { value: () => undefined } }) as Connection
      connection.stream.cork()
      for (const query of queries) failure ??= query.submit(held) ?? undefined
      if (failure === undefined) connection.sync()
      connection.stream.uncork()
      if (failure !== undefined) connection.stream.destroy()
    },
    handleRowDescription: (message: unknown) => queries[at]?.handleRowDescription(message),
    handleDataRow: (message: unknown) => queries[at]?.handleDataRow(message),
    handleCommandComplete(message: unknown, connection: Connection) {
      queries[at]?.handleCommandComplete(message, connection)
      at += 1
    },
    handleError: (error: Error) => batch.callback(failure ?? error),
    handleReadyForQuery(connection: Connection) {
      for (const query of queries) query.handleReadyForQuery(connection)
      batch.callback(failure)
    },
  }
  client.query(batch)
  return promise
}

interface Waiting extends PromiseWithResolvers<readonly Answer[]> {
  readonly statements: readonly Statement[]
}

const MAX_BATCH = 100
/**
 * Reads do not wait for the commits of writes. Statements that lock rows are a batch of their own: two batches with several of
 * them could wait for each other.
 */
const LANES = {
  read: { atOnce: 4, most: MAX_BATCH },
  write: { atOnce: 2, most: MAX_BATCH },
  lock: { atOnce: 4, most: 1 },
} as const

/** Sends statements that wait at the same moment together. */
export type SendSoon = (lane: keyof typeof LANES, statements: readonly Statement[]) => Promise<readonly Answer[]>

/** @param alone runs these statements in a transaction of their own */
export function createSendSoon(
  pool: Pool,
  types: CustomTypesConfig,
  alone: (statements: readonly Statement[]) => Promise<readonly Answer[]>,
): SendSoon {
  async function send(batch: readonly Waiting[]): Promise<void> {
    let client: PoolClient | undefined
    let hasFailed = true
    try {
      client = await pool.connect()
      const statements = batch.flatMap((each) => each.statements)
      const answers = await sendTogether(client, statements, types)
      hasFailed = false
      let at = 0
      for (const { statements: own, resolve } of batch) resolve(answers.slice(at, (at += own.length)))
    } catch (error) {
      const isOne = batch.length === 1 && batch[0]?.statements.length === 1 && !isStalePlan(error)
      if (isOne || isOutage(error)) for (const { reject } of batch) reject(error)
      // Nothing of it happened: one of them is at fault, or met a change of another process.
      else for (const each of batch) void alone(each.statements).then(each.resolve, each.reject)
    } finally {
      client?.release(hasFailed)
    }
  }

  const gather = (lane: keyof typeof LANES) => createGathering<Waiting>(LANES[lane], send)
  const lanes = { read: gather('read'), write: gather('write'), lock: gather('lock') }

  return (lane, statements) => {
    const waiting = { statements, ...Promise.withResolvers<readonly Answer[]>() }
    lanes[lane](waiting)
    return waiting.promise
  }
}
