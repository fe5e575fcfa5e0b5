import { Client, GatewayIntentBits, type Message, Partials } from 'discord.js'
import { afterEach, expect, test } from 'vitest'
import {
  type DiscordDouble,
  type DiscordDoubleOptions,
  startDiscordDouble,
} from '#test/doubles/discord/discord-double.ts'

const closing: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const close of closing.splice(0).toReversed()) await close()
})

async function plainBot(options: DiscordDoubleOptions = {}): Promise<{ discord: DiscordDouble; client: Client }> {
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

const nextMessage = (client: Client) => new Promise<Message>((resolve) => client.once('messageCreate', resolve))

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
      rows: [],
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

/** A client without discord.js's care, which gets the answers that Discord itself would give. */
async function plainRequests() {
  const discord = await startDiscordDouble()
  closing.push(() => discord.close())
  const request = (method: string, path: string, body: unknown, token = discord.token) =>
    fetch(`${discord.apiUrl}/v10${path}`, {
      method,
      headers: { authorization: `Bot ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
  const post = (body: unknown) => request('POST', `/channels/${discord.channel}/messages`, body)
  return { discord, request, post }
}

const errorOf = async (response: Response) => (await response.json()) as { code: number; message: string }

test('the sixth edit within five seconds is refused with the time to wait', async () => {
  const { discord, request, post } = await plainRequests()
  const { id } = (await (await post({ content: 'x' })).json()) as { id: string }
  const path = `/channels/${discord.channel}/messages/${id}`
  const answers: Response[] = []
  for (let index = 0; index < 6; index += 1) answers.push(await request('PATCH', path, { content: `${index}` }))
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200, 429])
  expect(answers[4]?.headers.get('x-ratelimit-remaining')).toBe('0')
  expect(Number(answers[5]?.headers.get('retry-after'))).toBeGreaterThanOrEqual(1)
  expect(discord.transcript(discord.channel)[0]?.text).toBe('4')
})

test('a wrong token, an unknown route and an unknown channel are refused', async () => {
  const { discord, request } = await plainRequests()
  const path = `/channels/${discord.channel}/messages`
  expect((await request('POST', path, { content: 'x' }, 'wrong')).status).toBe(401)
  expect((await request('POST', '/nothing', {})).status).toBe(404)
  expect(await errorOf(await request('POST', '/channels/1/messages', { content: 'x' }))).toMatchObject({ code: 10003 })
})

test('a nonce that is enforced makes one message of two requests, one that is not makes two', async () => {
  const { discord, post } = await plainRequests()
  const same = { content: 'x', nonce: 'n1', enforce_nonce: true }
  const ids = [await post(same), await post(same)].map(async (answer) => ((await answer.json()) as { id: string }).id)
  expect(new Set(await Promise.all(ids)).size).toBe(1)
  await post({ content: 'x', nonce: 'n2' })
  await post({ content: 'x', nonce: 'n2' })
  expect(discord.transcript(discord.channel)).toHaveLength(3)
})

test('everyone and a person ring unless the message says that nobody shall', async () => {
  const { discord, post } = await plainRequests()
  const ana = discord.userId('ana')
  await post({ content: `@everyone <@${ana}>` })
  expect(discord.pings.map(({ target }) => target)).toEqual(['@everyone', ana])
  await post({ content: `@everyone <@${ana}>`, allowed_mentions: { parse: [] } })
  expect(discord.pings).toHaveLength(2)
})

test.each([
  ['an empty message', { content: ' ' }, 50006],
  ['a nonce over 25 characters', { content: 'x', nonce: 'n'.repeat(26) }, 50035],
  ['a reply to nothing', { content: 'x', message_reference: { message_id: '1' } }, 50035],
  ['six rows', { content: 'x', components: rowsOf(6, 1) }, 50035],
  ['six buttons in a row', { content: 'x', components: rowsOf(1, 6) }, 50035],
  ['a button id over 100 characters', { content: 'x', components: rowsOf(1, 1, 'x'.repeat(101)) }, 50035],
  ['two buttons with one id', { content: 'x', components: rowsOf(2, 1, 'same') }, 50035],
  ['a field inside a field', { content: 'x', allowed_mentions: { parse: [], all: true } }, 50035],
])('%s is refused', async (_name, body, code) => {
  const { discord, post } = await plainRequests()
  const answer = await post(body)
  expect(answer.status).toBe(400)
  expect(await errorOf(answer)).toMatchObject({ code })
  expect(discord.transcript(discord.channel)).toEqual([])
})

function rowsOf(rows: number, buttons: number, customId?: string) {
  return Array.from({ length: rows }, (_row, row) => ({
    type: 1,
    components: Array.from({ length: buttons }, (_button, button) => ({
      type: 2,
      style: 2,
      label: 'b',
      custom_id: customId ?? `${row}.${button}`,
    })),
  }))
}

test('without the MESSAGE CONTENT intent a message that does not mention the bot arrives empty', async () => {
  const discord = await startDiscordDouble({ messageContent: false })
  closing.push(() => discord.close())
  const client = new Client({
    intents: [GatewayIntentBits.Guilds, GatewayIntentBits.GuildMessages],
    rest: { api: discord.apiUrl },
  })
  closing.push(() => client.destroy())
  const ready = new Promise((resolve) => client.once('clientReady', resolve))
  await client.login(discord.token)
  await ready
  const heard = nextMessage(client)
  discord.say({ text: 'secret plans', files: [{ name: 'a.txt', bytes: 'x' }] })
  const message = await heard
  expect(message.content).toBe('')
  expect(message.attachments.size).toBe(0)
})

test('a file sent by the bot is kept with its bytes', async () => {
  const { discord, client } = await plainBot()
  const channel = await client.channels.fetch(discord.channel)
  if (channel === null || !channel.isSendable()) throw new Error('not sendable')
  const sent = await channel.send({ files: [{ attachment: Buffer.from('hello'), name: 'a.txt' }] })
  const file = sent.attachments.first()
  expect(await (await fetch(file?.url ?? '')).text()).toBe('hello')
  expect(discord.transcript(discord.channel)[0]?.files).toEqual(['a.txt'])
})
