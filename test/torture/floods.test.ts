/** The short form of `npm run torture -- --only=floods`. It fills a core: it runs after the other files. */
import { expect, test } from 'vitest'
import { ENDLESS } from './endless-documents.ts'
import { floods } from './flood.ts'
import { FLOODS } from './floods.ts'

const CHOSEN = [...FLOODS, ...ENDLESS].filter(({ isSimilar }) => isSimilar !== true)

test('floods leave memory bounded, and somebody else is answered', async () => {
  const { wrong, tried } = await floods({ chosen: CHOSEN, floodMs: 800 })
  expect(wrong).toEqual([])
  expect(tried).toMatch(/[1-9]/)
})
