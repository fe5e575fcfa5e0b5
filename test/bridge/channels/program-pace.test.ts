import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { createBudgets } from '#bridge/channels/budgets.ts'
import { createProgramPace } from '#bridge/channels/program-pace.ts'
import { openStore } from '#store/store.ts'

const MINUTE_MS = 60_000
const conversation = { adapter: 'fake', workspace: 'W1', channel: 'C1', direct: false }
const deploy = { conversation, personId: 'A0DEPLOY' }

function open() {
  const directory = mkdtempSync(join(tmpdir(), 'footbridge-pace-'))
  const store = openStore(directory)
  onTestFinished(() => {
    store.close()
    rmSync(directory, { recursive: true })
  })
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
