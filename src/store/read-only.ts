import { DatabaseSync } from 'node:sqlite'
import type { Answers } from '../bridge/port/answer-store.ts'
import { createAnswers } from './sqlite/answers.ts'
import { MIGRATIONS } from './sqlite/migrations.ts'

/** Nothing is written. */
const nothing = async <Result>(write: () => Result): Promise<Result> => write()

/**
 * The answers on record, to be read beside a running Footbridge.
 *
 * @throws {Error} a sentence when another version wrote the file.
 */
export function openAnswers(path: string): {
  readonly answers: Pick<Answers, 'get' | 'voted'>
  close(): void
} {
  const database = new DatabaseSync(path, { readOnly: true })
  const version = Number(database.prepare('PRAGMA user_version').get()?.['user_version'] ?? 0)
  if (version !== MIGRATIONS.length) {
    database.close()
    throw new Error(`${path} was written by another version of Footbridge: start this one on it once first.`)
  }
  return { answers: createAnswers(database, nothing), close: () => database.close() }
}
