import { describe, expect, it } from 'vitest'
import { breakOnce, drawMutations, mutate } from '../support/conformance/breaks.ts'
import { mutations } from '../support/conformance/mutations.ts'
import { inLong } from '#test/support/forms.ts'

describe('the tests of the contract can fail', () => {
  it('knows many places to break, each where it says', async () => {
    expect(mutations.length).toBeGreaterThanOrEqual(30)
    for (const mutation of mutations) expect(await mutate(mutation)).not.toBe('')
  })

  it('draws the same places for the same seed, none twice', () => {
    expect(drawMutations(7, 20)).toEqual(drawMutations(7, 20))
    expect(new Set(drawMutations(7, 20)).size).toBe(20)
    expect(drawMutations(8, 20)).not.toEqual(drawMutations(7, 20))
  })

  const seed = Math.floor(Math.random() * 2 ** 32)
  it.each(drawMutations(seed, 3).map((mutation) => [mutation.file, mutation.find, mutation] as const))(
    `shows a break of %s at %j (seed ${seed})`,
    inLong,
    async (_, __, mutation) => {
      expect((await breakOnce(mutation)).unseen).toEqual([])
    },
  )
})
