import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach } from 'vitest'
import { openStore } from '#store/store.ts'
import { describeAnswers } from '../contract/answers.ts'
import { describeInbox } from '../contract/inbox.ts'
import { createPlace } from '../contract/place.ts'
import { describeRecords } from '../contract/records.ts'

let directory: string
const place = createPlace(async () => openStore(directory))
beforeEach(async () => {
  directory = mkdtempSync(join(tmpdir(), 'footbridge-store-'))
  await place.begin()
})
afterEach(async () => {
  await place.end()
  rmSync(directory, { recursive: true })
})

describeInbox(place)
describeRecords(place)
describeAnswers(place)
