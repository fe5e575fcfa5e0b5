import { expect, it } from 'vitest'
import { createModels } from '#bridge/channels/models.ts'
import { conversationQueue } from '#bridge/port/keys.ts'
import type { ListedModel } from '#bridge/port/platform.ts'
import type { Preferences } from '#bridge/port/records.ts'
import { createFakePlatform } from '#test/support/fakes/platform.ts'

const { signal } = new AbortController()

function modelsOf(listing: readonly ListedModel[], configured?: string) {
  const kept = new Map<string, string>()
  const choices: Preferences = {
    get: async (scope, name) => kept.get(`${scope} ${name}`),
    set: async (scope, name, value) => {
      if (value === undefined) kept.delete(`${scope} ${name}`)
      else kept.set(`${scope} ${name}`, value)
    },
  }
  const platform = { ...createFakePlatform(), models: { list: async () => listing } }
  return createModels({ platform, clock: Date.now, preferences: choices, configured })
}

const pick = (listing: readonly ListedModel[], configured?: string) => modelsOf(listing, configured).pick(signal)

it('the first model that reads and writes text answers, the configured one before all', async () => {
  const listing = [
    { id: 'ears', input: ['audio'], output: ['text'] },
    { id: 'vectors', input: ['text'], output: ['embedding'] },
    { id: 'chat', input: ['text', 'image'], output: ['text'] },
  ]
  expect(await pick(listing)).toBe('chat')
  expect(await pick(listing, 'ears')).toBe('ears')
  expect(await pick([{ id: 'silent about itself', input: [], output: [] }, ...listing])).toBe('silent about itself')
  expect(await pick([])).toBe('extractive')
})

it('a conversation that chose a model has it, as long as the platform does', async () => {
  const models = modelsOf([{ id: 'small' }, { id: 'large' }, { id: 'ears', input: ['audio'] }], 'small')
  await models.choose('lane', 'large')
  expect(await models.pick(signal, 'lane')).toBe('large')
  expect(await models.pick(signal, 'another')).toBe('small')
  expect(await models.list(signal)).toEqual(['small', 'large'])
  await models.choose('lane', 'withdrawn')
  expect(await models.pick(signal, 'lane')).toBe('small')
  await models.choose('lane', undefined)
  expect(await models.pick(signal, 'lane')).toBe('small')
})

it('the model of all chats of a person, or of a channel, is chosen at once, and told', async () => {
  const models = modelsOf([{ id: 'small' }, { id: 'large' }, { id: 'ears', input: ['audio'] }], 'small')
  const chat = { adapter: 'web', workspace: 'local', channel: 'direct', direct: true }
  const other = { ...chat, thread: 'c1' }
  expect(await models.choiceIn(chat, signal)).toEqual({ models: ['small', 'large'], usual: 'small' })
  await models.choose(conversationQueue(other), 'small')
  expect(await models.chooseIn(chat, 'large', signal)).toBe(true)
  expect(await models.choiceIn(chat, signal)).toMatchObject({ usual: 'small', chosen: 'large' })
  expect(await models.pick(signal, conversationQueue({ ...chat, thread: 'c2' }))).toBe('large')
  expect(await models.choiceIn(other, signal)).toMatchObject({ chosen: 'small' })
  expect(await models.chooseIn(other, 'large', signal)).toBe(true)
  expect(await models.pick(signal, conversationQueue(other))).toBe('large')
  expect(await models.chooseIn(chat, 'ears', signal)).toBe(false)
  expect(await models.chooseIn(chat, undefined, signal)).toBe(true)
  expect(await models.choiceIn(other, signal)).not.toHaveProperty('chosen')
})
