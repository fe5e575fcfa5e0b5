/** The smallest possible Discord bot: discord.js, the first delta sent at once, the whole text at the end. */
import { Client, Events, GatewayIntentBits, type Message } from 'discord.js'
import { askModel } from './deltas.ts'

const [api = '', token = '', baseUrl = ''] = process.argv.slice(2)
const { Guilds, GuildMessages, MessageContent } = GatewayIntentBits
/** Discord's limit of one message. */
const MAX_CHARACTERS = 2000
const client = new Client({ intents: [Guilds, GuildMessages, MessageContent], rest: { api } })

client.on(Events.MessageCreate, async (message) => {
  if (client.user === null || !message.mentions.has(client.user)) return
  let text = ''
  let reply: Message | undefined
  for await (const piece of askModel(baseUrl, message.content)) {
    text += piece
    reply ??= await message.reply(text)
  }
  await reply?.edit(text.slice(0, MAX_CHARACTERS))
  for (let at = MAX_CHARACTERS; at < text.length; at += MAX_CHARACTERS)
    await message.reply(text.slice(at, at + MAX_CHARACTERS))
})

client.once(Events.ClientReady, () => process.stdout.write('ready\n'))
await client.login(token)
process.once('SIGTERM', () => process.exit(0))
