import { join } from 'node:path'
import type { Cursors, Log } from '#bridge/port/platform.ts'
import type { State } from '#bridge/port/state.ts'
import type { Store } from '#bridge/port/store.ts'
import { toPostgresError } from '#sql/postgres/errors.ts'
import { openPool } from '#sql/postgres/pool.ts'
import { createSql } from '#sql/postgres/sql.ts'
import { createRoom } from '../room.ts'
import { createSourceCache } from '../sources.ts'
import { createSpool } from '../spool.ts'
import { createEncryption } from '../state/encryption.ts'
import { openState } from '../state/open-state.ts'
import { createTableState } from '../state/table-state.ts'
import { createAnswers } from '../tables/answer-store.ts'
import { createCachedChannels, createCachedPreferences, createKeptMs } from '../tables/cached-rows.ts'
import { openTables } from '../tables/open-tables.ts'
import { createJobAdmin } from '../tables/jobs.ts'
import { createPostgresInbox } from './inbox.ts'
import { migrateStore, SCHEMA, settingsOf } from './migrations.ts'
import { createPostgresOriginals } from './originals.ts'
import { joinProcesses } from './sharing/membership.ts'
import { createPostgresSharing } from './sharing/sharing.ts'
import { openSharedTables, type SharedTables } from './shared-tables.ts'
import { createPatientSql } from './patient-sql.ts'
import { takeOver } from './take-over.ts'

export interface SharedStore extends Store {
  /** For further connections of this process: others end them when it hangs. */
  readonly place: { readonly DATABASE_URL: string }
  cursors(adapter: string): Cursors
  state(namespace: string, secrets?: readonly string[]): State
  /** Further tables in the same database, each process on them told what the others publish. */
  openTables<Event>(place: { readonly schema: string; readonly steps: readonly string[] }): Promise<SharedTables<Event>>
  close(): Promise<void>
}

/**
 * The store that several processes share. Bytes on their way and texts that can be read again stay in `dataDir`.
 *
 * @throws {PostgresError} a sentence, when the server can't be used
 */
export async function openPostgresStore(url: string, dataDir: string, log: Log): Promise<SharedStore> {
  const closing: (() => Promise<unknown>)[] = []
  const close = async () => {
    for (const end of closing.splice(0).toReversed()) await end()
  }
  try {
    await migrateStore(url)
    const notifications = new EventTarget()
    const member = await joinProcesses(url, () => notifications.dispatchEvent(new Event('notification')))
    closing.push(() => member.close())
    const pool = await openPool(member.url, settingsOf(member.number))
    closing.push(() => pool.end())
    const sql = createSql(pool)
    const over = (number: number) => takeOver(sql, number, Date.now())
    const patient = createPatientSql(sql)
    const tables = openTables(patient)
    const others = { announce: (key: string) => sharing.scopeChanged(key), keptMs: createKeptMs() }
    const preferences = createCachedPreferences(tables.preferences, patient, others)
    const channels = createCachedChannels(tables.channels, others)
    const forget = forgetIn([preferences, channels])
    const sharing = createPostgresSharing({ member, sql, log, notifications, takeOver: over, forget })
    closing.push(() => sharing.close())
    const room = createRoom(dataDir, `PostgreSQL, or DATA_DIR ${dataDir}`, () => sql.run(TRY_TO_WRITE))
    closing.push(async () => room.leave())
    return {
      room,
      place: { DATABASE_URL: member.url },
      sharing,
      inbox: createPostgresInbox(sql, member.number, sharing),
      ...tables,
      preferences,
      async forgetWorkspace(adapter, workspace) {
        await tables.forgetWorkspace(adapter, workspace)
        forget('')
        await sharing.scopeChanged('')
      },
      async forgetChannel(conversation) {
        await tables.forgetChannel(conversation)
        forget('')
        await sharing.scopeChanged('')
      },
      channels,
      spool: createSpool(join(dataDir, 'spool')),
      sources: createSourceCache(join(dataDir, 'sources')),
      originals: createPostgresOriginals(patient),
      state: (namespace, secrets) =>
        openState(createTableState(sql), { namespace, encryption: secrets && createEncryption(secrets) }),
      async openTables(place) {
        const opened = await openSharedTables<never>({ url: member.url, me: member.number, notifications, log }, place)
        closing.push(() => opened.close())
        return opened
      },
      close,
    }
  } catch (error) {
    await close()
    throw toPostgresError(error, url)
  }
}

/**
 * The server refuses it while its disk is full. Random words: others would be compressed and fit into an existing page.
 */
const TRY_TO_WRITE = `
  INSERT INTO state (namespace, key, value)
  SELECT 'room', '', string_agg(md5(random()::text), '') FROM generate_series(1, 2048)
  ON CONFLICT (namespace, key) DO UPDATE SET value = excluded.value`

/** Clears the cache of a scope; empty: of all. */
const forgetIn =
  (memories: readonly { forget(scope: string): void; forgetAll(): void }[]) =>
  (scope: string): void => {
    for (const memory of memories)
      if (scope === '') memory.forgetAll()
      else memory.forget(scope)
  }

/** @throws {Error} a sentence, when the server can't be used or Footbridge has not run on it */
async function openForCommand(url: string) {
  const pool = await openPool(url, settingsOf())
  const sql = createSql(pool)
  const found = await sql.get<{ there: boolean }>(`SELECT to_regclass('${SCHEMA}.job') IS NOT NULL AS there`)
  if (found?.there === true) return { sql, close: () => pool.end() }
  await pool.end()
  throw new Error('Footbridge has not run on the database of DATABASE_URL yet.')
}

/**
 * Jobs for commands. Processes may use the database meanwhile.
 *
 * @throws {Error} a sentence, when the server can't be used or has no Footbridge tables
 */
export async function openPostgresJobs(url: string) {
  const { sql, close } = await openForCommand(url)
  return { jobs: createJobAdmin(sql), close }
}

/**
 * Recorded answers for commands. Processes may use the database meanwhile.
 *
 * @throws {Error} a sentence, when the server can't be used or has no Footbridge tables
 */
export async function openPostgresAnswers(url: string) {
  const { sql, close } = await openForCommand(url)
  return { answers: createAnswers(createPatientSql(sql)), close }
}

/** Entries of a state for commands. Processes may use the database meanwhile. */
export async function openPostgresStateToRead(
  url: string,
  choices: Parameters<typeof openState>[1],
): Promise<{ readonly state: State; close(): Promise<void> }> {
  const pool = await openPool(url, settingsOf())
  return { state: openState(createTableState(createSql(pool)), choices), close: () => pool.end() }
}
