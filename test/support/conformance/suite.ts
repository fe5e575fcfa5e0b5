import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { nameOf, rows as allRows } from './rows.ts'
import { createSession } from './session.ts'
import type { Row } from './row.ts'
import type { Target } from './target.ts'

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
    it.each(rows.map((row) => [nameOf(row), row] as const))('%s', async (_, row) => {
      const session = createSession(there())
      await expect(row.run(session).finally(() => session.end())).resolves.toBeUndefined()
    })
    it.each(Object.entries(checks))('%s', async (_, check) => {
      await expect(check(there())).resolves.toBeUndefined()
    })
  })
}
