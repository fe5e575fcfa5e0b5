import { expect, it } from 'vitest'
import { setUpBridge } from '#test/support/bridge/set-up.ts'

const MODELS = ['small-8b', 'large-70b', 'large-405b']

it('lists what the platform has and marks the one that answers here', async () => {
  const { chat, shows } = await setUpBridge({ models: MODELS })
  chat.mention('model', { thread: 't1' })
  const shown = await shows(/These models/)
  expect(shown.text.split('\n').slice(1)).toEqual([
    '- `small-8b` — answers here now',
    '- `large-70b`',
    '- `large-405b`',
  ])
  expect(shown.outgoing.actions?.map(({ label }) => label)).toEqual(['large-70b', 'large-405b'])
  expect(shown.outgoing.actions?.every(({ value }) => value.length <= 60)).toBe(true)
})

it.each(['model large-70b', 'model 70B'])('%s takes it for this conversation alone', async (words) => {
  const { chat, platform, shows, restart } = await setUpBridge({ models: MODELS })
  chat.mention(words, { thread: 't1' })
  await shows(/`large-70b` answers in this conversation/)
  await restart()
  platform.script.answer('Here.', 'There.', 'Usual.')
  chat.mention('Who?', { thread: 't1' })
  await shows(/Here/)
  chat.mention('Who?', { thread: 't2' })
  await shows(/There/)
  expect(platform.script.requests.map(({ model }) => model)).toEqual(['large-70b', 'small-8b'])
  chat.mention('model usual', { thread: 't1' })
  await shows(/usual model answers here again: `small-8b`/)
  chat.mention('Who?', { thread: 't1' })
  await shows(/Usual/)
  expect(platform.script.requests.at(-1)?.model).toBe('small-8b')
})

it('a button under the list does the same', async () => {
  const { chat, platform, shows, settled } = await setUpBridge({ models: MODELS })
  chat.mention('model', { thread: 't1' })
  const { id } = await shows(/These models/)
  await settled(chat.press(id, 'large-405b').inbound.key)
  platform.script.answer('Here.')
  chat.mention('Who?', { thread: 't1' })
  await shows(/Here/)
  expect(platform.script.requests[0]?.model).toBe('large-405b')
})

it('says when there is no such model, one alone, or none', async () => {
  const { chat, shows } = await setUpBridge({ models: MODELS })
  chat.mention('model large', { thread: 't1' })
  await shows(/no model “large”/)
  const one = await setUpBridge({ models: ['only'] })
  one.chat.mention('models')
  await one.shows(/only one model here: `only`/)
  const none = await setUpBridge({ models: ['extractive'] })
  none.chat.mention('model')
  const told = await none.shows(/No language model is connected/)
  expect(told.outgoing.actions).toBeUndefined()
  expect(told.text).not.toContain('UPSTREAM_BASE_URL')
})

it('names the setting to those who run Footbridge', async () => {
  const { chat, shows } = await setUpBridge({ models: ['extractive'], admins: new Set(['fake:U1']) })
  chat.mention('model')
  expect((await shows(/No language model is connected/)).text).toContain('UPSTREAM_BASE_URL')
})

it('names the setting where one person uses the service: they run Footbridge', async () => {
  const { chat, shows } = await setUpBridge({ models: ['extractive'], without: ['people'] })
  chat.mention('model')
  expect((await shows(/No language model is connected/)).text).toContain('UPSTREAM_BASE_URL')
})

it('a sentence that begins with the word is a question', async () => {
  const { chat, platform, shows } = await setUpBridge({ models: MODELS })
  platform.script.answer('It learns.')
  chat.mention('model training, how does it work?')
  expect((await shows(/It learns/)).outgoing.kind).toBe('answer')
})
