import { expect, it } from 'vitest'
import { createModels } from '../../src/bridge/models.ts'
import type { ListedModel } from '../../src/bridge/ports.ts'
import { createFakePlatform } from '../support/fakes/platform.ts'

async function pick(listing: readonly ListedModel[], configured?: string): Promise<string> {
  const platform = { ...createFakePlatform(), models: { list: async () => listing } }
  return createModels(platform, Date.now, configured).pick(new AbortController().signal)
}

it('the first model that reads and writes text answers, the configured one before all', async () => {
  const listing = [
    { id: 'ears', input: ['audio'], output: ['text'] },
    { id: 'vectors', input: ['text'], output: ['embedding'] },
    { id: 'chat', input: ['text', 'image'], output: ['text'] },
  ]
  expect(await pick(listing)).toBe('chat')
  expect(await pick(listing, 'ears')).toBe('ears')
  expect(await pick([{ id: 'silent about itself', input: [], output: [] }, ...listing])).toBe(
    'silent about itself',
  )
  expect(await pick([])).toBe('extractive')
})
