import { expect, it } from 'vitest'
import { markdown, setUpBridge, until } from '#test/support/bridge/set-up.ts'

it('what was missed long ago gets one note in a channel, and its files are taken', async () => {
  const { chat, platform, shows, texts } = await setUpBridge()
  chat.mention('When does the ferry leave?', { missed: true })
  chat.mention('And when does it come back?', {
    missed: true,
    files: [markdown('ferry.md', 'The ferry leaves at nine.')],
  })
  chat.mention('Is it blue?', { missed: true, channel: 'C2' })
  await shows(/ferry\.md.*ready/)
  await until(() => texts().filter((text) => text.startsWith('I was away')).length === 2 && true)
  chat.mention('When does the ferry leave today?')
  await shows(/Not in this channel/)
  const asked = platform.script.requests.map(({ messages }) => messages.at(-1)?.content)
  expect(asked.every((question) => question?.includes('ferry leave today'))).toBe(true)
  expect(texts().filter((text) => text.startsWith('I was away'))).toHaveLength(2)
})

it('a missed file without a question is taken, and nobody is told of a question', async () => {
  const { chat, shows, settled, texts } = await setUpBridge()
  const dropped = chat.drop([markdown('ferry.md', 'The ferry leaves at nine.')], { missed: true })
  await settled(dropped.inbound.key)
  await shows(/ferry\.md.*ready/)
  expect(texts().filter((text) => text.startsWith('I was away'))).toEqual([])
})

it('a missed question to nobody is left to people where each question is heard', async () => {
  const { chat, settled, store, texts } = await setUpBridge({ admins: new Set(['fake:U1']) })
  await settled(chat.mention('settings answers questions').inbound.key)
  const asked = chat.say('When does the ferry leave?', { missed: true })
  await asked.taken
  expect(await store().inbox.job(asked.inbound.key)).toBeUndefined()
  expect(texts().filter((text) => text.startsWith('I was away'))).toEqual([])
})
