import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { createDiscordAdapter } from '#adapters/discord/adapter.ts'
import { PATIENCE } from '#test/support/patience.ts'
import type { DiscordAdapterOptions } from '#adapters/discord/config.ts'
import { createLog, memoryCursors, open, openDouble, outgoing } from './harness.ts'
import { inLong } from '#test/support/forms.ts'

/** An adapter that is not started yet. */
async function closed(options: Partial<DiscordAdapterOptions>) {
  const discord = await openDouble()
  const { log, lines } = createLog()
  const adapter = createDiscordAdapter({ token: discord.token, apiUrl: discord.apiUrl, log, ...options })
  onTestFinished(() => adapter.stop())
  return { discord, adapter, lines, start: () => adapter.start(() => Promise.resolve()) }
}

describe('starting', () => {
  test('a wrong token is told with the name of the setting, and without the token', async () => {
    const discord = await openDouble()
    const error: unknown = await open(discord, { token: 'wrong-secret' }).catch((reason: unknown) => reason)
    expect(error).toMatchObject({ code: 'unauthorized', message: expect.stringContaining('DISCORD_TOKEN') })
    expect(String(error)).not.toContain('wrong-secret')
  })

  test('an empty token is told before Discord is asked', async () => {
    const discord = await openDouble()
    await expect(open(discord, { token: ' ' })).rejects.toMatchObject({ code: 'unauthorized' })
    expect(discord.calls).toEqual([])
  })

  test('a Discord that is not there is told as out of reach', async () => {
    const discord = await openDouble()
    await discord.close()
    const adapter = createDiscordAdapter({
      token: 'x',
      apiUrl: discord.apiUrl,
      log: createLog().log,
      times: { retriesMs: [] },
    })
    await expect(adapter.start(() => Promise.resolve())).rejects.toMatchObject({ code: 'network' })
    await adapter.stop()
  })

  test('a gateway that never lets us in ends the start in time', async () => {
    const discord = await openDouble()
    discord.gateway.open(false)
    await expect(open(discord, { times: { startMs: 200 } })).rejects.toMatchObject({ code: 'network' })
  })

  test('no logins left today is told with its remedy', async () => {
    const discord = await openDouble()
    discord.script('GET /gateway/bot', {
      kind: 'status',
      status: 200,
      body: {
        url: 'ws://127.0.0.1:1',
        shards: 1,
        session_start_limit: { total: 1000, remaining: 0, reset_after: 1000, max_concurrency: 1 },
      },
    })
    await expect(open(discord)).rejects.toMatchObject({ code: 'rate-limited' })
  })

  test('an adapter starts once', async () => {
    const { adapter } = await open(await openDouble())
    await expect(adapter.start(() => Promise.resolve())).rejects.toMatchObject({ code: 'invalid' })
  })
})

describe('a start', () => {
  test.each(['all', 'set'] as const)('that is stopped while it waits for its marks (%s) ends', async (held) => {
    const gate = Promise.withResolvers<void>()
    const begun = Promise.withResolvers<void>()
    const cursors = memoryCursors()
    const waits = async () => {
      begun.resolve()
      await gate.promise
      return []
    }
    const { discord, adapter, lines, start } = await closed({ cursors: { ...cursors, [held]: waits } })
    const starting = start().catch((error: unknown) => error)
    await begun.promise
    const stopping = adapter.stop()
    gate.resolve()
    await stopping
    expect(await starting).toMatchObject({ code: 'network', message: expect.stringContaining('stopped') })
    expect([adapter.isConnected(), discord.gateway.connected]).toEqual([false, 0])
    expect(lines.filter(({ message }) => message === 'Discord is connected')).toEqual([])
  })

  test('that is stopped while Discord does not let it in ends at once', async () => {
    const { discord, adapter, start } = await closed({})
    discord.gateway.open(false)
    const starting = start().catch((error: unknown) => error)
    await discord.until(() => discord.callsTo('GET /gateway/bot').length > 0)
    await adapter.stop()
    expect(await starting).toMatchObject({ code: 'network', message: expect.stringContaining('stopped') })
  })

  test('that fails leaves nothing behind, and a stop after the next one ends the connection', async () => {
    const warnings: string[] = []
    const note = ({ name }: Error) => void warnings.push(name)
    process.on('warning', note)
    onTestFinished(() => void process.off('warning', note))
    const { discord, adapter, start } = await closed({ times: { retriesMs: [] } })
    for (let attempt = 0; attempt < 12; attempt += 1) {
      discord.script('GET /gateway/bot', { kind: 'status', status: 500 })
      await expect(start()).rejects.toMatchObject({ code: 'network' })
    }
    await start()
    await adapter.stop()
    expect([discord.gateway.connected, warnings]).toEqual([0, []])
  })
})

describe('staying connected', () => {
  test('a cut connection resumes, and what was said meanwhile arrives once', async () => {
    const { discord, inbounds, nextMessage, lines } = await open(await openDouble())
    discord.gateway.drop()
    await discord.until(() => discord.gateway.connected === 0)
    discord.say({ text: 'are you there?' })
    await nextMessage('are you there?')
    expect(discord.gateway).toMatchObject({ identified: 1, resumed: 1 })
    expect(inbounds).toHaveLength(1)
    await vi.waitFor(() => {
      expect(lines.map(({ message }) => message)).toContain(
        'The Discord gateway connection is back; nothing was missed',
      )
    }, PATIENCE)
    expect(lines.map(({ message }) => message)).toContain('The Discord gateway connection was lost; reconnecting')
  })

  test('a connection that stays lost is an error in the log, not silence', async () => {
    const { discord, lines } = await open(await openDouble(), { times: { lostMs: 50 } })
    discord.gateway.open(false)
    discord.gateway.drop()
    await vi.waitFor(() => {
      expect(lines.filter(({ level }) => level === 'error').map(({ message }) => message)).toEqual([
        'Discord has been unreachable for a while; questions asked there wait. Check the network',
      ])
    }, PATIENCE)
    discord.gateway.open(true)
    await discord.until(() => discord.gateway.resumed === 1)
  })

  test('many refused requests are a warning in the log, before Discord locks us out', async () => {
    const discord = await openDouble()
    const { adapter, general, lines } = await open(discord, { globalRequestsPerSecond: 10_000 })
    discord.hideChannel(discord.channel)
    const posts = Array.from({ length: 500 }, () => adapter.post(general, outgoing('x')))
    await Promise.allSettled(posts)
    expect(lines.filter(({ level }) => level === 'warn')).toEqual([
      expect.objectContaining({ message: expect.stringContaining('refused many requests') }),
    ])
  })

  test('a request to reconnect (op 7) is followed by a resume', async () => {
    const { discord, nextMessage } = await open(await openDouble())
    discord.gateway.reconnect()
    await discord.until(() => discord.gateway.resumed === 1)
    discord.say({ text: 'still here' })
    expect((await nextMessage('still here')).addressed).toBe(false)
  })

  test('a lost RESUME loses no question: what was missed is read from the channels', inLong, async () => {
    const { discord, adapter, general, nextMessage } = await open(await openDouble())
    discord.say({ text: 'first' })
    await nextMessage('first')
    discord.gateway.refuseResume()
    discord.gateway.drop()
    await discord.until(() => discord.gateway.connected === 0)
    discord.say({ text: 'missed', mention: true })
    expect(await nextMessage('missed')).toMatchObject({ addressed: true, conversation: general })
    expect(discord.gateway.identified).toBe(2)
    await adapter.post(general, outgoing('here again'))
  })

  test('a session that was ended (op 9) starts anew', async () => {
    const { discord, nextMessage } = await open(await openDouble())
    discord.gateway.invalidate()
    await discord.until(() => discord.gateway.identified === 2)
    discord.say({ text: 'anew' })
    expect((await nextMessage('anew')).addressed).toBe(false)
  })

  test('a gateway that stops answering heartbeats is left for a new connection', async () => {
    const { discord, nextMessage } = await open(await openDouble({ heartbeatIntervalMs: 60 }))
    discord.gateway.answerHeartbeats(false)
    await discord.until(() => discord.gateway.resumed + discord.gateway.identified > 1)
    discord.gateway.answerHeartbeats(true)
    discord.say({ text: 'awake' })
    expect((await nextMessage('awake')).addressed).toBe(false)
  })

  test.each([
    [4004, 'unauthorized', 'DISCORD_TOKEN'],
    [4011, 'invalid', 'sharding'],
    [4013, 'invalid', '4013'],
  ])('a connection closed for good (%i) is logged and told to the process', async (closeCode, code, words) => {
    const fatal = Promise.withResolvers<Error>()
    const { discord, lines } = await open(await openDouble(), { onFatal: fatal.resolve })
    discord.gateway.close(closeCode)
    expect(await fatal.promise).toMatchObject({ code, message: expect.stringContaining(words) })
    expect(lines.filter(({ level }) => level === 'error')).toHaveLength(1)
  })

  test('a token that is revoked while we run is told to the process once', async () => {
    const fatal: Error[] = []
    const { discord, adapter, general } = await open(await openDouble(), { onFatal: (error) => void fatal.push(error) })
    discord.script('POST /channels/:channel/messages', { kind: 'status', status: 401 })
    await expect(adapter.post(general, outgoing('x'))).rejects.toMatchObject({ code: 'unauthorized' })
    await expect(adapter.post(general, outgoing('x'))).rejects.toMatchObject({ code: 'network' })
    expect(fatal).toHaveLength(1)
  })
})

describe('stopping', () => {
  test('while a connection is being opened does not end the process when that fails', async () => {
    const uncaught: string[] = []
    const note = (error: Error) => void uncaught.push(error.message)
    process.on('uncaughtExceptionMonitor', note)
    onTestFinished(() => void process.off('uncaughtExceptionMonitor', note))
    const { discord, adapter } = await open(await openDouble())
    const handshakes = discord.gateway.hold()
    discord.gateway.drop()
    await discord.until(() => handshakes.waiting() > 0)
    await adapter.stop()
    handshakes.reset()
    await new Promise((resolve) => setTimeout(resolve, 50))
    expect(uncaught).toEqual([])
  })

  test('a post under way when we stop is shown, and nobody waits for longer', async () => {
    const { discord, adapter, general } = await open(await openDouble())
    const gate = Promise.withResolvers<void>()
    discord.script('POST /channels/:channel/messages', { kind: 'hold', until: gate.promise })
    const post = adapter.post(general, outgoing('on its way'))
    await discord.until(() => discord.callsTo('POST /channels/:channel/messages').length === 1)
    const stop = adapter.stop()
    gate.resolve()
    await Promise.all([post, stop])
    expect(discord.transcript(discord.channel).map(({ text }) => text)).toEqual(['on its way'])
    expect(discord.gateway.connected).toBe(0)
  })

  test('what is said while we stop is not heard any more', async () => {
    const { discord, adapter, general, inbounds } = await open(await openDouble())
    const gate = Promise.withResolvers<void>()
    discord.script('POST /channels/:channel/messages', { kind: 'hold', until: gate.promise })
    const post = adapter.post(general, outgoing('last words'))
    await discord.until(() => discord.callsTo('POST /channels/:channel/messages').length === 1)
    const stop = adapter.stop()
    discord.say({ text: 'one more thing' })
    gate.resolve()
    await Promise.all([post, stop])
    expect(inbounds).toEqual([])
  })

  test('an event that is being stored when we stop is waited for', async () => {
    const gate = Promise.withResolvers<void>()
    const begun = Promise.withResolvers<void>()
    const { discord, adapter, inbounds } = await open(await openDouble(), {
      receive: () => {
        begun.resolve()
        return gate.promise
      },
    })
    discord.say({ text: 'keep me' })
    await begun.promise
    const stored = adapter.stop().then(() => inbounds.length)
    setTimeout(gate.resolve, 50)
    expect(await stored).toBe(1)
  })

  test('an edit that waits for its turn when we stop is shown', async () => {
    const { discord, adapter, general } = await open(await openDouble())
    const ref = await adapter.post(general, outgoing('a'))
    const edits = ['ab', 'abc', 'abcd'].map((text) => adapter.edit(ref, outgoing(text)))
    await adapter.stop()
    await Promise.all(edits)
    expect(discord.transcript(discord.channel)[0]?.text).toBe('abcd')
  })

  test('a call that hangs does not keep us from stopping', async () => {
    const { discord, adapter, general } = await open(await openDouble(), {
      times: { stopMs: 100, attemptMs: 2000, retriesMs: [] },
    })
    discord.script('POST /channels/:channel/messages', { kind: 'hang' })
    const post = adapter.post(general, outgoing('x')).catch((error: unknown) => error)
    await discord.until(() => discord.callsTo('POST /channels/:channel/messages').length === 1)
    await adapter.stop()
    expect(await post).toMatchObject({ code: 'ambiguous' })
  })
})
