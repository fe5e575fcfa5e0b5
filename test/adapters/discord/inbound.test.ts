import { expect, test } from 'vitest'
import { open, openDouble } from './harness.ts'

test('a mention in a channel becomes an addressed message without the mention', async () => {
  const { discord, nextMessage, general, next } = await open(await openDouble())
  const said = discord.say({ user: 'ana', text: 'what is the notice period?', mention: true })
  const message = await nextMessage()
  expect(message).toEqual({
    id: said.id,
    conversation: general,
    author: { id: discord.userId('ana'), name: 'ana' },
    text: 'what is the notice period?',
    addressed: true,
    mentionsOthers: false,
    attachments: [],
    sentAt: said.timestamp,
  })
  expect((await next('message')).key).toBe(`discord:${discord.channel}:${said.id}`)
  expect(Object.isFrozen(message.conversation)).toBe(true)
})

test('a direct message is addressed, and its conversation is direct', async () => {
  const { discord, nextMessage } = await open(await openDouble())
  discord.say({ direct: true, text: 'psst' })
  expect(await nextMessage()).toMatchObject({
    text: 'psst',
    addressed: true,
    conversation: { workspace: '@me', channel: discord.directChannelOf('ana'), direct: true },
  })
})

test('a message in a thread belongs to the channel and the thread', async () => {
  const { discord, nextMessage } = await open(await openDouble())
  const thread = discord.addThread(discord.channel, 'leave')
  discord.say({ channel: thread, text: 'and in spring?' })
  const message = await nextMessage()
  expect(message).toMatchObject({ addressed: false, conversation: { channel: discord.channel, thread } })
})

test('a reply names the message that it answers, and its ping alone addresses nobody', async () => {
  const { discord, adapter, general, nextMessage } = await open(await openDouble())
  const ours = await adapter.post(general, { sendId: 'a', kind: 'answer', text: 'four weeks' })
  discord.say({ text: 'and in summer?', replyTo: ours.id })
  expect(await nextMessage()).toMatchObject({ replyTo: ours.id, addressed: false, mentionsOthers: false })
})

test('@everyone and @here do not address us', async () => {
  const { discord, nextMessage } = await open(await openDouble())
  discord.say({ text: '@everyone lunch!' })
  expect(await nextMessage()).toMatchObject({ addressed: false, mentionsOthers: true })
})
