import { describe, expect, it } from 'vitest'
import { rows } from '../support/conformance/rows.ts'
import { readTable, testsOf } from '../support/conformance/table.ts'

describe('docs/conformance.md', () => {
  const table = readTable()

  it('numbers its statements without a gap', () => {
    expect(table.length).toBeGreaterThan(150)
    expect(table.map((one) => one.id)).toEqual(table.map((_, index) => `C-${String(index + 1).padStart(3, '0')}`))
  })

  it('has words and a test in every row', () => {
    expect(table.filter((one) => one.text.trim() === '' || one.tests.length === 0)).toEqual([])
  })

  it.each(readTable().map((one) => [one.id, one] as const))(
    'names the tests of %s as the suite has them',
    (id, one) => {
      expect(one.tests).toEqual(testsOf(id))
    },
  )

  it('holds every statement that a test names', () => {
    const known = new Set(table.map((one) => one.id))
    expect(rows.flatMap((row) => row.ids).filter((id) => !known.has(id))).toEqual([])
  })

  it('knows no test twice, and none without a statement', () => {
    const titles = rows.map((row) => row.title)
    expect(new Set(titles).size).toBe(titles.length)
    expect(rows.filter((row) => row.ids.length === 0)).toEqual([])
  })
})
