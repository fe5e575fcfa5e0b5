import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { createBudgets, type BudgetRules } from '#bridge/channels/budgets.ts'
import { openStore } from '#store/store.ts'

const HOUR = 3_600_000
const room = { adapter: 'fake', workspace: 'w', channel: 'c', direct: false }
const ada = { conversation: room, personId: 'ada' }
const ben = { conversation: room, personId: 'ben' }

function setUp(rules: BudgetRules) {
  const directory = mkdtempSync(join(tmpdir(), 'footbridge-budget-'))
  const store = openStore(directory)
  onTestFinished(() => {
    store.close()
    rmSync(directory, { recursive: true })
  })
  let now = 0
  const budgets = createBudgets(store.usage, rules, () => now)
  return { store, budgets, at: (time: number) => void (now = time) }
}
const two = { kind: 'questions', most: 2, span: 'hour' } as const

describe('a budget', () => {
  it('says when there is room again: when the oldest use leaves the window', async () => {
    const { budgets, at } = setUp({ person: [two] })
    expect(await budgets.charge(ada, 'a', 'questions', 1)).toBeUndefined()
    at(1000)
    expect(await budgets.charge(ada, 'b', 'questions', 1)).toBeUndefined()
    at(2000)
    expect(await budgets.charge(ada, 'c', 'questions', 1)).toEqual({ owner: 'person', budget: two, freeAt: HOUR })
    expect(await budgets.charge(ben, 'd', 'questions', 1)).toBeUndefined()
    at(HOUR + 1)
    expect(await budgets.charge(ada, 'c', 'questions', 1)).toBeUndefined()
    expect(await budgets.charge(ada, 'e', 'questions', 1)).toMatchObject({ freeAt: HOUR + 1000 })
  })

  it('counts a job once, however often it is repeated, and what was refused not at all', async () => {
    const { budgets } = setUp({ person: [two] })
    for (const job of ['a', 'a', 'a', 'b', 'b']) {
      expect(await budgets.charge(ada, job, 'questions', 1)).toBeUndefined()
    }
    await budgets.charge(ada, 'c', 'questions', 1)
    expect(await budgets.used(ada)).toMatchObject([{ owner: 'person', budget: two, used: 2 }])
  })

  it('of a channel and of a workspace is shared by who is in it, and leaves direct conversations alone', async () => {
    const { budgets } = setUp({ channel: [{ ...two, most: 1 }], workspace: [two] })
    const elsewhere = { ...ada, conversation: { ...room, channel: 'other' } }
    expect(await budgets.charge(ada, 'a', 'questions', 1)).toBeUndefined()
    expect(await budgets.charge(ben, 'b', 'questions', 1)).toMatchObject({ owner: 'channel' })
    expect(await budgets.charge(elsewhere, 'c', 'questions', 1)).toBeUndefined()
    const third = { ...ada, conversation: { ...room, channel: 'third' } }
    expect(await budgets.charge(third, 'd', 'questions', 1)).toMatchObject({ owner: 'workspace' })
    const direct = { ...ada, conversation: { ...room, channel: 'd', direct: true } }
    expect(await budgets.charge(direct, 'e', 'questions', 1)).toBeUndefined()
  })

  it('takes fractions, and says when something is larger than all of it', async () => {
    const megabytes = { kind: 'megabytes', most: 1.5, span: 'day' } as const
    const { budgets } = setUp({ person: [megabytes] })
    expect(await budgets.charge(ada, 'a', 'megabytes', 1.25)).toBeUndefined()
    expect(await budgets.charge(ada, 'b', 'megabytes', 0.5)).toMatchObject({ freeAt: 24 * HOUR })
    expect(await budgets.charge(ada, 'c', 'megabytes', 2)).toEqual({ owner: 'person', budget: megabytes })
    expect(await budgets.charge(ada, 'd', 'questions', 99)).toBeUndefined()
  })

  it('holds also for what is asked at the same moment', async () => {
    const { budgets } = setUp({ person: [two], channel: [{ ...two, most: 3 }] })
    const jobs = ['a', 'b', 'c', 'd', 'e', 'f']
    const told = await Promise.all(jobs.map((job) => budgets.charge(ada, job, 'questions', 1)))
    expect(told.filter((over) => over === undefined)).toHaveLength(2)
    const others = await Promise.all(jobs.map((job) => budgets.charge(ben, `ben-${job}`, 'questions', 1)))
    expect(others.filter((over) => over === undefined)).toHaveLength(1)
  })

  it('makes nobody wait for people with whom they share none', async () => {
    const { store } = setUp({})
    const stuck = new Promise<void>(() => {})
    const add: typeof store.usage.add = (use) => (use.subject === 'person:fake:ada' ? stuck : store.usage.add(use))
    const budgets = createBudgets({ ...store.usage, add }, { person: [two] }, () => 0)
    void budgets.charge(ada, 'a', 'questions', 1)
    expect(await budgets.charge(ben, 'b', 'questions', 1)).toBeUndefined()
  })

  it('counts what turned out larger than was known before, so that nothing more is taken', async () => {
    const minutes = { kind: 'minutes', most: 10, span: 'day' } as const
    const { budgets } = setUp({ person: [minutes] })
    expect(await budgets.charge(ada, 'a', 'minutes', 1)).toBeUndefined()
    await budgets.chargeLater(ada, 'a', 'minutes', 30)
    await budgets.chargeLater(ada, 'a', 'minutes', 30)
    expect(await budgets.used(ada)).toMatchObject([{ used: 31 }])
    expect(await budgets.charge(ada, 'b', 'minutes', 0)).toMatchObject({ owner: 'person', freeAt: 24 * HOUR })
  })
})
