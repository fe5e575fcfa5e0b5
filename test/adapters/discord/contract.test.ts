import { PermissionFlagsBits } from 'discord.js'
import { createDiscordAdapter } from '#adapters/discord/adapter.ts'
import type { Attachment } from '#bridge/port/message.ts'
import { adapterContract, type AdapterHarness, type FaultKind, type VisibleMessage } from '#test/contract/adapter.ts'
import { type DiscordDouble, startDiscordDouble } from '#test/doubles/discord/discord-double.ts'
import { createLog } from './harness.ts'

const posts = 'POST /channels/:channel/messages'

function foreignFiles(discord: DiscordDouble, elsewhere: DiscordDouble): readonly Attachment[] {
  const hidden = discord.hostFile({ name: 'x.md', bytes: 'x' })
  discord.redirectFile(hidden.id, elsewhere.hostFile({ name: 'x.md', bytes: 'x' }).url)
  const urls = [
    hidden.url,
    elsewhere.hostFile({ name: 'x.md', bytes: 'x' }).url,
    'https://cdn.discordapp.com.example/attachments/1/2/x.md',
    'https://someone:secret@cdn.discordapp.com/attachments/1/2/x.md',
    'http://cdn.discordapp.com/attachments/1/2/x.md',
  ]
  return urls.map((url, index) => ({
    id: String(index),
    name: 'x.md',
    mimeType: 'text/markdown',
    kind: 'document',
    locator: JSON.stringify({ channel: discord.channel, message: '1', url }),
  }))
}

const always = Number.POSITIVE_INFINITY

const faults: Readonly<Record<FaultKind, (discord: DiscordDouble) => () => void>> = {
  'rate-limited': (discord) => discord.script(posts, { kind: 'rate-limit', retryAfterMs: 1000 }),
  'lost-reply': (discord) => discord.script(posts, { kind: 'status', status: 502, afterCommit: true }),
  refused: (discord) =>
    discord.script(posts, { kind: 'status', status: 403, body: { code: 50013, message: 'Missing Permissions' } }),
  unreachable: (discord) => discord.script(posts, { kind: 'reset', times: always }),
  held: (discord) => {
    const { promise, resolve } = Promise.withResolvers<void>()
    const end = discord.script(posts, { kind: 'hold', until: promise, times: always })
    return () => {
      end()
      resolve()
    }
  },
}

function outsider(discord: DiscordDouble): string {
  const id = discord.userId('bert')
  discord.leave('bert')
  return id
}

async function makeHarness(): Promise<AdapterHarness> {
  const discord = await startDiscordDouble()
  const elsewhere = await startDiscordDouble()
  const make = (token = discord.token) =>
    createDiscordAdapter({
      token,
      apiUrl: discord.apiUrl,
      fileHosts: [discord.fileHost],
      log: createLog().log,
      times: { retriesMs: [10, 20] },
    })
  let adapter = make()
  return {
    adapter,
    async restart() {
      await adapter.stop()
      adapter = make()
      return adapter
    },
    async close() {
      await adapter.stop()
      await discord.close()
      await elsewhere.close()
    },
    secrets: [discord.token],
    person: discord.userId('ana'),
    stranger: outsider(discord),
    alone: true,
    readsOwn: true,
    async admin() {
      discord.setMember('mod', { roles: [discord.addRole(PermissionFlagsBits.ManageChannels)] })
      return discord.userId('mod')
    },
    async addRoom(name) {
      const id = discord.addChannel(name)
      return { id, mention: `<#${id}>` }
    },
    leave: async () => discord.leave('ana'),
    mention: async (text) => discord.say({ text, mention: true }),
    direct: async (text) => discord.say({ text, direct: true }),
    dropFile: async (name, bytes) => discord.say({ files: [{ name, bytes, mimeType: 'text/markdown' }] }),
    voice: async (bytes) => discord.say({ voice: { bytes, seconds: 2.5 } }),
    otherBot: async (text, mention) => discord.say({ text, mention, user: 'Otherbot', bot: true }),
    ownEcho: async (text) => discord.say({ text, user: 'Footbridge' }),
    redeliver: async ({ id }) => discord.tellAgain(id),
    rewrite: async ({ id }, text) => discord.edit(id, text),
    unsay: async ({ id }) => discord.remove(id),
    press: async (messageId, label) => void discord.pressButton(messageId, label),
    pin: async (messageId) => discord.react(messageId),
    async foreignPins(messageId) {
      discord.say({ text: 'beep', user: 'Otherbot', bot: true })
      discord.react(messageId, 'Otherbot')
      discord.react(messageId, 'Footbridge')
      discord.react(messageId, 'ana', '📍')
    },
    async download(messageId, name) {
      const file = discord.fileOf(messageId, name)
      return new Uint8Array(await (await fetch(file)).arrayBuffer())
    },
    async fillIn(messageId, label, text) {
      const press = discord.pressButton(messageId, label)
      const modal = await discord.until(() => press.modal())
      discord.submitModal(press, text)
      const [field] = modal.components
      return { title: modal.title, label: field?.label ?? '', text: field?.component.value ?? '' }
    },
    async visible(conversation) {
      const shown = discord.transcript(conversation.thread ?? conversation.channel)
      return shown
        .filter(({ author }) => author === 'Footbridge')
        .map(({ id, text, files, only }): VisibleMessage => {
          const notifies = discord.pings.filter(({ messageId }) => messageId === id)
          return {
            id,
            text,
            files,
            notifies: notifies.map(({ target }) => target),
            ...(only === undefined ? {} : { only: discord.userId(only) }),
          }
        })
    },
    massMentions: ['@everyone', '@here', `<@${discord.userId('ana')}>`, `<@&${discord.botRoleId}>`],
    downloads: () => discord.callsTo('GET /attachments').length,
    foreign: async () => ({ attachments: foreignFiles(discord, elsewhere), reached: () => elsewhere.calls.length }),
    faults: ['rate-limited', 'held', 'lost-reply', 'refused', 'unreachable'],
    fault: (kind) => faults[kind](discord),
    unauthorized: () => make('a-wrong-token'),
  }
}

adapterContract('Discord', makeHarness)
