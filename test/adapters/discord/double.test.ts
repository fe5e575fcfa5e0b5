import { Client, GatewayIntentBits, type Message, Partials } from 'discord.js'
import { afterEach, expect, test } from 'vitest'
import {
  type DiscordDouble,
  type DiscordDoubleOptions,
  startDiscordDouble,
} from '../../support/discord/discord-double.ts'

const closing: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const close of closing.splice(0).toReversed()) await close()
})

async function plainBot(
  options: DiscordDoubleOptions = {},
): Promise<{ discord: DiscordDouble; client: Client }> {
  const discord = await startDiscordDouble(options)
  closing.push(discord.close)
  const client = new Client({
    intents: [
      GatewayIntentBits.Guilds,
      GatewayIntentBits.GuildMessages,
      GatewayIntentBits.DirectMessages,
      GatewayIntentBits.MessageContent,
    ],
    partials: [Partials.Channel],
    rest: { api: discord.apiUrl },
  })
  closing.push(() => client.destroy())
  const ready = new Promise((resolve) => client.once('clientReady', resolve))
  await client.login(discord.token)
  await ready
  return { discord, client }
}

const nextMessage = (client: Client) =>
  new Promise<Message>((resolve) => client.once('messageCreate', resolve))

test('a plain discord.js bot hears a mention and replies, edits and types', async () => {
  const { discord, client } = await plainBot()
  const heard = nextMessage(client)
  const question = discord.say({ text: 'hello', mention: true })
  const message = await heard
  expect(message.content).toBe(`<@${discord.botUserId}> hello`)

  if (!message.channel.isSendable()) throw new Error('not sendable')
  await message.channel.sendTyping()
  const answer = await message.reply('hi')
  await answer.edit('hi there')
  expect(discord.transcript(discord.channel).slice(1)).toEqual([
    {
      id: answer.id,
      author: 'Footbridge',
      bot: true,
      text: 'hi there',
      files: [],
      buttons: [],
      replyTo: question.id,
      edited: true,
    },
  ])
})

test('a direct message arrives with its channel type', async () => {
  const { discord, client } = await plainBot()
  const heard = nextMessage(client)
  discord.say({ direct: true, text: 'psst' })
  const message = await heard
  expect(message.channel.isDMBased()).toBe(true)
})

test('text over 2,000 characters is refused with the error body of Discord', async () => {
  const { discord, client } = await plainBot()
  const channel = await client.channels.fetch(discord.channel)
  if (channel === null || !channel.isSendable()) throw new Error('not sendable')
  await expect(channel.send('x'.repeat(2001))).rejects.toMatchObject({
    code: 50035,
    message: expect.stringContaining('content[BASE_TYPE_MAX_LENGTH]'),
  })
})

test('an unknown field is refused', async () => {
  const { discord, client } = await plainBot()
  await expect(
    client.rest.post(`/channels/${discord.channel}/messages`, { body: { content: 'x', colour: 'red' } }),
  ).rejects.toMatchObject({ code: 50035, message: expect.stringContaining('colour[UNKNOWN_FIELD]') })
})
