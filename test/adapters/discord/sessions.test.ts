/** A gateway session outlives its process: whoever takes its place resumes it. */
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { eventually } from '#test/support/eventually.ts'
import { memoryCursors, open, openDouble, outgoing } from './harness.ts'

const LIST = 'GET /channels/:channel/messages'

function memoryState(from: Iterable<[string, string]> = []) {
  const entries = new Map(from)
  return {
    entries,
    get: async (key: string): Promise<unknown> => JSON.parse(entries.get(key) ?? 'null') ?? undefined,
    set: async (key: string, value: unknown) => void entries.set(key, JSON.stringify(value)),
    delete: async (key: string) => entries.delete(key),
  }
}

const newestIn = ({ entries }: ReturnType<typeof memoryState>) =>
  [...entries.values()].map((text) => (JSON.parse(text) as { session: { sequence: number } }).session.sequence)

/** Hears `first`, stores its session, and is cut off for good, as a process that dies. */
async function dead() {
  const discord = await openDouble()
  const sessions = memoryState()
  const cursors = memoryCursors()
  const before = await open(discord, { sessions, cursors })
  const actions = ['Late', 'Fresh'].map((label) => ({ id: 'a', label, value: label.toLowerCase() }))
  await before.adapter.post(before.general, outgoing('press', { actions }))
  discord.say({ text: 'first' })
  await before.nextMessage('first')
  await eventually(() => (newestIn(sessions)[0] ?? 0) > 3)
  discord.gateway.open(false)
  discord.gateway.drop()
  await discord.until(() => discord.gateway.connected === 0)
  // As it was left: what is stored from here on does not count.
  const kept = memoryState(sessions.entries)
  const state = () => memoryState(kept.entries)
  const marks = memoryCursors(Object.fromEntries(cursors.saved))
  return {
    discord,
    takeOver: async ({ sessions: left = state(), ...more }: Parameters<typeof open>[1] = {}) => {
      await before.adapter.stop()
      discord.gateway.open(true)
      return open(discord, { sessions: left, cursors: marks, ...more })
    },
    state,
    press: async () => {
      const shown = await discord.until(() =>
        discord.transcript(discord.channel).find(({ buttons }) => buttons.includes('Fresh')),
      )
      return discord.pressButton(shown.id, 'Fresh', 'ana')
    },
  }
}

const fails = () => Promise.reject(new Error('The disk is full.'))

const texts = (inbounds: readonly { readonly kind: string }[]) =>
  inbounds.flatMap((inbound) => ('message' in inbound ? [(inbound.message as { readonly text: string }).text] : []))

describe('a process that takes the place of a dead one', () => {
  test('resumes its session: what came meanwhile comes once, nothing is read back, no session is begun', async () => {
    const { discord, takeOver } = await dead()
    discord.say({ text: 'missed', mention: true })
    const edited = discord.say({ text: 'also missed' })
    discord.edit(edited.id, 'also missed, changed')
    const { inbounds, nextMessage, next, adapter, general } = await takeOver()
    expect((await nextMessage('missed')).addressed).toBe(true)
    expect((await next('edit')).message.text).toBe('also missed, changed')
    expect(discord.gateway).toMatchObject({ identified: 1, resumed: 1 })
    expect(texts(inbounds)).toEqual(['missed', 'also missed', 'also missed, changed'])
    expect(discord.callsTo(LIST)).toEqual([])
    expect(adapter.isConnected()).toBe(true)
    await adapter.post(general, outgoing('here'))
    discord.say({ text: 'and now' })
    await nextMessage('and now')
  })

  test('knows servers, threads and forum posts of which no session told it', async () => {
    const { discord, takeOver } = await dead()
    const forum = discord.addPlace('help', 'forum', ['solved'])
    const { adapter, nextMessage, lines } = await takeOver()
    const post = discord.post(forum, 'Opening hours?', { text: 'When do you open?' })
    const heard = await nextMessage()
    expect(heard.text).toContain('Opening hours?')
    await adapter.markSolved(heard.conversation)
    expect(discord.tagsOf(post)).toEqual(['solved'])
    discord.say({ text: `<@&${discord.botRoleId}> hello` })
    expect((await nextMessage('hello')).addressed).toBe(true)
    expect(discord.callsTo('GET /guilds/:guild/channels')).toHaveLength(1)
    expect(lines.filter(({ level }) => level === 'warn')).toEqual([])
  })

  test('acknowledges a press that is still in time; one that was told as failed is not carried out', async () => {
    const { discord, takeOver } = await dead()
    const panel = await discord.until(() =>
      discord.transcript(discord.channel).find(({ buttons }) => buttons.length > 0),
    )
    discord.pressButton(panel.id, 'Late', 'ana')
    discord.ageInteractions(120_000)
    discord.pressButton(panel.id, 'Fresh', 'ana')
    discord.ageInteractions(-60_000)
    const { inbounds, next, nextMessage, lines } = await takeOver()
    discord.say({ text: 'now' })
    await Promise.all([next('action'), nextMessage('now')])
    expect(inbounds.filter(({ kind }) => kind === 'action')).toMatchObject([{ action: { value: 'fresh' } }])
    expect(lines.filter(({ level }) => level === 'error')).toEqual([])
  })

  test('carries no late press out either when it hears of an earlier resumption again', async () => {
    const { discord, takeOver } = await dead()
    const panel = await discord.until(() =>
      discord.transcript(discord.channel).find(({ buttons }) => buttons.length > 0),
    )
    const first = await takeOver()
    await discord.until(() => discord.gateway.resumed === 1)
    discord.gateway.open(false)
    discord.gateway.drop()
    await discord.until(() => discord.gateway.connected === 0)
    expect(await discord.pressButton(panel.id, 'Late', 'ana').acknowledged).toBe(false)
    await first.adapter.stop()
    const { inbounds, nextMessage, lines } = await takeOver()
    discord.say({ text: 'now' })
    await nextMessage('now')
    expect(discord.gateway).toMatchObject({ identified: 1, resumed: 2 })
    expect(inbounds.filter(({ kind }) => kind === 'action')).toEqual([])
    expect(lines.filter(({ level }) => level === 'error')).toEqual([])
  })

  test('carries out what another one acknowledged late and could not store any more', async () => {
    const { discord, takeOver, state, press } = await dead()
    const { acknowledged } = await press()
    const sessions = state()
    const second = await takeOver({
      sessions,
      times: { stopMs: 10 },
      receive: ({ kind }) => (kind === 'action' ? new Promise(() => {}) : Promise.resolve()),
    })
    discord.say({ text: 'heard' })
    await second.nextMessage('heard')
    expect(await acknowledged).toBe(true)
    await second.adapter.stop()
    const third = await takeOver({ sessions })
    expect((await third.next('action')).action.value).toBe('fresh')
    expect(discord.gateway).toMatchObject({ identified: 1, resumed: 2 })
  })

  test('carries a press out once whose acknowledgement Discord took without a word', async () => {
    const { discord, takeOver, press } = await dead()
    await press()
    discord.script('POST /interactions/:interaction/:token/callback', {
      kind: 'status',
      status: 502,
      afterCommit: true,
    })
    const { inbounds, next } = await takeOver()
    await next('action')
    expect(inbounds.filter(({ kind }) => kind === 'action')).toHaveLength(1)
  })

  test('leaves a press to the next one whose acknowledgement was lost twice: Discord may have taken it', async () => {
    const { discord, takeOver, state, press } = await dead()
    await press()
    const sessions = state()
    const callback = 'POST /interactions/:interaction/:token/callback'
    for (let lost = 0; lost < 2; lost += 1) discord.script(callback, { kind: 'status', status: 502 })
    const second = await takeOver({ sessions })
    await discord.until(() => discord.callsTo(callback).length === 2)
    discord.say({ text: 'heard' })
    await second.nextMessage('heard')
    expect(second.inbounds.filter(({ kind }) => kind === 'action')).toEqual([])
    await second.adapter.stop()
    const third = await takeOver({ sessions })
    expect((await third.next('action')).action.value).toBe('fresh')
  })

  test('hears of a press that could not be stored for some minutes; then its session goes on without it', async () => {
    const { discord, takeOver, state, press } = await dead()
    const { acknowledged } = await press()
    const sessions = state()
    const second = await takeOver({
      sessions,
      times: { deliveriesMs: [] },
      receive: ({ kind }) => (kind === 'action' ? fails() : Promise.resolve()),
    })
    expect(await acknowledged).toBe(true)
    discord.say({ text: 'heard' })
    await second.nextMessage('heard')
    vi.useFakeTimers({ toFake: ['Date'] })
    onTestFinished(() => void vi.useRealTimers())
    const before = newestIn(sessions)[0] ?? 0
    vi.setSystemTime(Date.now() + 170_000)
    // A turn of the store: it is written once a second.
    await new Promise((resolve) => setTimeout(resolve, 1500))
    expect(newestIn(sessions)).toEqual([before])
    vi.setSystemTime(Date.now() + 15_000)
    await eventually(() => (newestIn(sessions)[0] ?? 0) > before + 1)
    vi.useRealTimers()
  })

  test('begins a new one where Discord has ended it (op 9), and reads back', async () => {
    const { discord, takeOver } = await dead()
    discord.say({ text: 'missed', mention: true })
    discord.gateway.refuseResume()
    const { inbounds, nextMessage } = await takeOver()
    await nextMessage('missed')
    expect(discord.gateway).toMatchObject({ identified: 2, resumed: 0 })
    // Positions are stored a second behind: what is read twice has one key.
    expect(texts(inbounds).filter((text) => text !== 'first')).toEqual(['missed'])
  })

  test('begins a new one while channels were still being read back', async () => {
    const discord = await openDouble()
    const cursors = memoryCursors({ [discord.channel]: discord.say({ text: 'read' }).id })
    discord.say({ text: 'missed' })
    const sessions = memoryState()
    const hold = Promise.withResolvers<void>()
    const end = discord.script(LIST, { kind: 'hold', until: hold.promise })
    const before = await open(discord, { cursors, sessions, times: { stopMs: 10 } })
    await discord.until(() => discord.callsTo(LIST).length === 1)
    await before.adapter.stop()
    expect(sessions.entries.size).toBe(0)
    end()
    hold.resolve()
    const { nextMessage } = await open(discord, { cursors: memoryCursors(Object.fromEntries(cursors.saved)), sessions })
    await nextMessage('missed')
    expect(discord.gateway).toMatchObject({ identified: 2, resumed: 0 })
  })
})

test('a process that starts again goes on with the session that it left', async () => {
  const discord = await openDouble({ shards: { recommended: 2, atOnce: 2 } })
  const sessions = memoryState()
  const before = await open(discord, { sessions })
  discord.say({ text: 'first' })
  await before.nextMessage('first')
  await before.adapter.stop()
  expect(sessions.entries.size).toBe(2)
  discord.say({ text: 'missed' })
  const { inbounds, nextMessage } = await open(discord, { sessions })
  await nextMessage('missed')
  expect(discord.gateway).toMatchObject({ identified: 2, resumed: 2 })
  expect(texts(inbounds)).toEqual(['missed'])
})

test('what a process heard and could not store any more, its next start hears again', async () => {
  const discord = await openDouble()
  const sessions = memoryState()
  const begun = Promise.withResolvers<void>()
  const before = await open(discord, {
    sessions,
    times: { stopMs: 10 },
    async receive(inbound) {
      if (inbound.kind !== 'message' || inbound.message.text !== 'stuck') return
      begun.resolve()
      await new Promise(() => {})
    },
  })
  discord.say({ text: 'first' })
  discord.say({ text: 'stuck' })
  await begun.promise
  await before.adapter.stop()
  const { inbounds, nextMessage } = await open(discord, { sessions })
  await nextMessage('stuck')
  expect(discord.gateway).toMatchObject({ identified: 1, resumed: 1 })
  expect(texts(inbounds)).toEqual(['stuck'])
})

test('a store that is away costs the session alone', async () => {
  const discord = await openDouble()
  const { adapter, nextMessage, lines } = await open(discord, { sessions: { get: fails, set: fails, delete: fails } })
  discord.say({ text: 'hello' })
  await nextMessage('hello')
  await adapter.stop()
  expect(lines.some(({ message }) => message.includes('could not be kept'))).toBe(true)
})
