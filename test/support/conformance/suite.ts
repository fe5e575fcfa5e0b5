import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { inLong } from '../forms.ts'
import { nameOf, rows as allRows } from './rows.ts'
import { createSession } from './session.ts'
import type { Row } from './row.ts'
import type { Target } from './target.ts'

/** They wait for limits of time. */
const LONG_ROWS = new Set(['C-079', 'C-142'])
const isLong = (row: Row) => row.ids.some((id) => LONG_ROWS.has(id))
const toCases = (rows: readonly Row[]) => rows.map((row) => [nameOf(row), row] as const)

/**
 * The contract suite over any way to start a server. `check` runs last, over everything that was asked and answered.
 */
export function describeConformance(
  name: string,
  start: () => Promise<Target>,
  checks: Readonly<Record<string, (target: Target) => Promise<void>>> = {},
  rows: readonly Row[] = allRows,
): void {
  describe.each([name])('%s', () => {
    let target: Target | undefined
    beforeAll(async () => {
      target = await start()
    })
    afterAll(() => target?.close())
    const there = (): Target => {
      if (target === undefined) throw new Error('the server is not up')
      return target
    }
    // oxlint-disable vitest/expect-expect -- `run` has the assertion
    const run = async (_: string, row: Row) => {
      const session = createSession(there())
      await expect(row.run(session).finally(() => session.end())).resolves.toBeUndefined()
    }
    it.each(toCases(rows.filter((row) => !isLong(row))))('%s', run)
    it.each(toCases(rows.filter(isLong)))('%s', inLong, run)
    // oxlint-enable vitest/expect-expect
    it.each(Object.entries(checks))('%s', async (_, check) => {
      await expect(check(there())).resolves.toBeUndefined()
    })
  })
}
