import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Client } from 'pg'
import { afterAll, beforeAll, beforeEach, describe } from 'vitest'
import { openPostgresStore } from '#store/postgres/open-store.ts'
import { createLogSink } from '#test/support/fakes/log.ts'
import { inLong } from '#test/support/forms.ts'
import { usePostgres } from '#test/support/postgres/postgres.ts'
import { describeAnswers } from '../contract/answers.ts'
import { describeInbox } from '../contract/inbox.ts'
import { createPlace } from '../contract/place.ts'
import { describeRecords } from '../contract/records.ts'

const postgres = usePostgres()
const directory = mkdtempSync(join(tmpdir(), 'footbridge-store-'))
let url: string
let client: Client
const place = createPlace(() => openPostgresStore(url, directory, createLogSink()))
beforeAll(async () => {
  url = await postgres.database()
  await place.begin()
  client = new Client({ connectionString: url })
  await client.connect()
})
const TABLES =
  'job, outbox, channel, file_record, history, cursor, answer, answer_message, vote, button_payload, preference, usage, original'
beforeEach(async () => {
  const named = TABLES.split(', ').map((table) => `footbridge_bridge.${table}`)
  await client.query(`TRUNCATE ${named.join(', ')} RESTART IDENTITY CASCADE`)
})
afterAll(async () => {
  await client.end()
  await place.end()
  rmSync(directory, { recursive: true })
})

describeRecords(place)
// SQLite keeps the same contract in the short form.
describe('in the long form', inLong, () => {
  describeInbox(place)
  describeAnswers(place)
})
