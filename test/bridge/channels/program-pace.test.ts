import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { createBudgets } from '#bridge/channels/budgets.ts'
import { createProgramPace } from '#bridge/channels/program-pace.ts'
import type { Store } from '#bridge/port/store.ts'
import { openPostgresStore } from '#store/postgres/open-store.ts'
import { openStore } from '#store/store.ts'
import { createLogSink } from '#test/support/fakes/log.ts'
import { usePostgres } from '#test/support/postgres/postgres.ts'

const MINUTE_MS = 60_000
const conversation = { adapter: 'fake', workspace: 'W1', channel: 'C1', direct: false }
const deploy = { conversation, personId: 'A0DEPLOY' }

const postgres = usePostgres()

function folder(): string {
  const directory = mkdtempSync(join(tmpdir(), 'footbridge-pace-'))
  onTestFinished(() => rmSync(directory, { recursive: true }))
  return directory
}

function openSqlite() {
  const store = openStore(folder())
  onTestFinished(() => store.close())
  return store
}

/** As the bridge of a process makes it. */
function paceOn(store: Store) {
  const budgets = createBudgets(store.usage, {}, () => 0, undefined, store.sharing.mutex('budget'))
  return createProgramPace({ store, budgets, clock: () => 0 })
}

function open() {
  const store = openSqlite()
  let now = 0
  const pace = createProgramPace({ store, budgets: createBudgets(store.usage, {}, () => now), clock: () => now })
  const at = (minute: number) => {
    now = minute * (MINUTE_MS + 1)
    return pace.mayAnswer(deploy, `job ${minute}`)
  }
  /** Asks each minute from the first to the last, and tells when it was answered. */
  const asks = async (first: number, last: number) => {
    const answered: number[] = []
    for (let minute = first; minute <= last; minute += 1) if (await at(minute)) answered.push(minute)
    return answered
  }
  return { pace, at, asks }
}

it('pauses double after five answers in a row, up to 32 minutes', async () => {
  const { asks } = open()
  expect(await asks(0, 140)).toEqual([0, 1, 2, 3, 4, 6, 10, 18, 34, 66, 98, 130])
})

it('an hour without an answer, or a person, ends the row', async () => {
  const { asks, pace } = open()
  await asks(0, 40)
  expect(await asks(100, 105)).toEqual([100, 101, 102, 103, 104])
  await pace.personWrote(conversation)
  expect(await asks(106, 111)).toEqual([106, 107, 108, 109, 110])
})

it('a job that is repeated is counted once, and two at the same moment are not both answered', async () => {
  const { at, asks, pace } = open()
  expect([await at(0), await at(0), await at(1), await at(1)]).toEqual([true, true, true, true])
  expect(await Promise.all([at(2), pace.mayAnswer(deploy, 'other')])).toEqual([true, false])
  expect(await asks(3, 6)).toEqual([3, 4, 6])
})

describe('of two that count in one store, one is answered in a minute', () => {
  it('in one process', async () => {
    const store = openSqlite()
    const paces = [paceOn(store), paceOn(store)]
    const answers = await Promise.all(paces.map(async (pace, at) => pace.mayAnswer(deploy, `job ${at}`)))
    expect(answers.filter(Boolean)).toHaveLength(1)
  })

  it('in two processes on PostgreSQL, however often both are asked at once', async () => {
    const [directory, url] = [folder(), await postgres.database()]
    const stores = await Promise.all([1, 2].map(async () => openPostgresStore(url, directory, createLogSink())))
    onTestFinished(async () => void (await Promise.all(stores.map(async (store) => store.close()))))
    const paces = stores.map(paceOn)
    for (let time = 0; time < 10; time += 1) {
      const program = { ...deploy, personId: `A${time}` }
      const answers = await Promise.all(paces.map((pace, at) => pace.mayAnswer(program, `job ${time} ${at}`)))
      expect(answers.filter(Boolean)).toHaveLength(1)
    }
  })
})
