import { describe, expect, test } from 'vitest'
import { Client } from 'discord.js'
import { createDiscordAdapter } from '#adapters/discord/adapter.ts'
import { eventually } from '#test/support/eventually.ts'
import { createLog, open, openDouble, outgoing } from './harness.ts'
import { withBridge } from './with-bridge.ts'

const QUICK = { times: { identifyMs: 0, reconnectMs: 5 } }
const refusals = (lines: readonly { readonly message: string }[]) =>
  lines.filter(({ message }) => message.includes('refuses MESSAGE CONTENT INTENT'))

describe('a start to which Discord refuses Message Content', () => {
  test('goes on without it, and says once what does not work', async () => {
    const discord = await openDouble({ messageContent: false })
    const { adapter, lines, inbounds, nextMessage } = await open(discord, QUICK)
    expect(adapter.isConnected()).toBe(true)
    expect(adapter.limits.onlyAddressed).toBe(true)
    expect(refusals(lines)).toEqual([expect.objectContaining({ level: 'warn' })])
    discord.say({ text: 'among people', files: [{ name: 'a.txt', bytes: 'x' }] })
    discord.say({ text: 'for you', mention: true })
    await nextMessage('for you')
    expect(inbounds).toHaveLength(1)
  })

  test('does not end the process: 100 of 100', { timeout: 60_000 }, async () => {
    const discord = await openDouble({ messageContent: false })
    const uncaught: string[] = []
    const note = (error: Error) => void uncaught.push(error.message)
    process.on('uncaughtExceptionMonitor', note)
    let connected = 0
    for (let turn = 0; turn < 100; turn += 1) {
      const { token, apiUrl } = discord
      const fatal: Error[] = []
      const onFatal = (error: Error) => void fatal.push(error)
      const adapter = createDiscordAdapter({ token, apiUrl, log: createLog().log, onFatal, ...QUICK })
      await adapter.start(() => Promise.resolve())
      if (adapter.isConnected() && fatal.length === 0) connected += 1
      await adapter.stop()
    }
    process.off('uncaughtExceptionMonitor', note)
    expect({ connected, uncaught }).toEqual({ connected: 100, uncaught: [] })
  })

  test('asks for it only where it is wanted', async () => {
    const discord = await openDouble()
    const { adapter, lines, inbounds, nextMessage } = await open(discord, { messageContent: false })
    expect(adapter.limits.onlyAddressed).toBe(true)
    expect(discord.gateway.identified).toBe(1)
    expect(refusals(lines)).toEqual([])
    discord.say({ text: 'among people' })
    discord.say({ text: 'for you', mention: true })
    await nextMessage('for you')
    expect(inbounds).toHaveLength(1)
  })
})

describe('an intent that is taken away while we run', () => {
  test('is gone on without: no end of the process, a new session, and what is addressed is heard', async () => {
    const discord = await openDouble()
    const fatal: Error[] = []
    const onFatal = (error: Error) => void fatal.push(error)
    const { adapter, general, lines, nextMessage } = await open(discord, { ...QUICK, onFatal })
    discord.withdrawContent()
    discord.gateway.close(4014)
    await discord.until(() => discord.gateway.identified === 2)
    await expect.poll(() => adapter.isConnected()).toBe(true)
    discord.say({ text: 'still there?', mention: true })
    await nextMessage('still there?')
    await adapter.post(general, outgoing('yes'))
    expect(fatal).toEqual([])
    expect(refusals(lines)).toHaveLength(1)
    expect(adapter.limits.onlyAddressed).toBe(true)
  })

  test('a second refusal, which cannot be about it, ends the process with a sentence', async () => {
    const fatal = Promise.withResolvers<Error>()
    const { discord } = await open(await openDouble(), { messageContent: false, onFatal: fatal.resolve })
    discord.gateway.close(4014)
    expect(await fatal.promise).toMatchObject({ code: 'forbidden', message: expect.stringContaining('4014') })
  })

  test('changes nothing about files and questions that were heard before', async () => {
    const { discord, platform, store, sees, bridge } = await withBridge()
    const file = { name: 'lamp.md', mimeType: 'text/markdown', bytes: 'The lamp is lit at dusk.' }
    const dropped = discord.say({ text: 'see', files: [file] })
    await sees(/lamp\.md.*ready/)
    discord.withdrawContent()
    discord.gateway.close(4014)
    await discord.until(() => discord.gateway.identified === 2)
    await expect.poll(() => bridge.onlyAddressed()).toEqual(['discord'])
    discord.touch(dropped.id)
    discord.edit(dropped.id, 'see here')
    discord.say({ text: 'When is the lamp lit?', mention: true })
    await sees(/You said/)
    await eventually(async () => {
      const { waiting, running } = await store.inbox.depth()
      return waiting + running === 0
    })
    const kept = platform.script.collections().flatMap((name) => platform.script.stored(name))
    expect(kept.map(({ name }) => name)).toEqual(['lamp.md'])
  })
})

test('a reply whose words Discord keeps back is answered with what to do', async () => {
  const { discord, sees } = await withBridge({ messageContent: false })
  discord.callCommand('ask', { options: { question: 'Where?', share: true } })
  const { id } = await sees(/You said/)
  const reply = discord.say({ text: 'And when?', replyTo: id })
  expect(await sees(/Mention me in it/)).toMatchObject({ replyTo: reply.id })
})

test('/settings says that only what is addressed is heard', async () => {
  const { discord, sees } = await withBridge({ messageContent: false })
  discord.callCommand('settings', { user: 'owner' })
  const { text } = await sees(/only what is addressed to me/)
  expect(text).toContain('/add')
})

test('a bot of discord.js gets no words of an answered message either', async () => {
  const discord = await openDouble({ messageContent: false })
  const client = new Client({ intents: [1, 512], rest: { api: discord.apiUrl } })
  await client.login(discord.token)
  const said = discord.say({ text: 'secret' })
  const channel = await client.channels.fetch(discord.channel)
  const message = channel?.isTextBased() === true ? await channel.messages.fetch(said.id) : undefined
  expect(message?.content).toBe('')
  await client.destroy()
})
