import { expect, test } from 'vitest'
import { eventually } from '#test/support/eventually.ts'
import { withBridge } from './with-bridge.ts'

const EDIT = 'PATCH /channels/:channel/messages/:message'

async function inThread() {
  const world = await withBridge()
  const { discord, platform } = world
  const thread = discord.addThread(discord.channel, 'talk')
  const released = Promise.withResolvers<void>()
  platform.script.answer([{ type: 'text', text: 'The lamp is ' }, released.promise, { type: 'text', text: 'green.' }])
  const ask = () => discord.say({ channel: thread, user: 'ana', text: 'which lamp is it?', mention: true })
  const ours = () => discord.transcript(thread).filter(({ bot }) => bot)
  const direct = () => discord.transcript(discord.directChannelOf('ana'))
  const isAside = () => eventually(async () => (await world.store.inbox.list(['dead'], 1)).length > 0)
  return { ...world, thread, isAside, ask, ours, direct, release: () => released.resolve() }
}

test.each([
  ['locked', { locked: true }],
  ['locked and archived', { archived: true, locked: true }],
])('whoever asks in a thread that is %s is told of it alone, once, with the way out', async (_, how) => {
  const { discord, platform, thread, ask, isAside, ours, direct, release, sees, lines } = await inThread()
  discord.restrict(thread, how)
  release()
  const asked = ask()
  const notice = await sees(/Manage Threads/, discord.directChannelOf('ana'))
  expect(notice.text).toContain(`/${thread}/${asked.id}`)
  expect(notice.buttons).toEqual(['Retry'])
  expect(ours()).toEqual([])
  expect(direct()).toHaveLength(1)
  expect(lines.filter(({ level }) => level === 'error')).toEqual([])
  expect(lines.some(({ level, message }) => level === 'warn' && message.includes('closed or locked'))).toBe(true)

  // A press that comes too early changes nothing; once the thread is open, one is enough, and the notice goes.
  await isAside()
  expect(await discord.pressButton(notice.id, 'Retry').acknowledged).toBe(true)
  await discord.until(() => discord.callsTo(EDIT).length >= 2 && direct()[0]?.buttons.includes('Retry'))
  expect(direct()).toEqual([{ ...notice, edited: true }])
  await isAside()
  discord.restrict(thread, { archived: false, locked: false })
  const presses = [discord.pressButton(notice.id, 'Retry'), discord.pressButton(notice.id, 'Retry')]
  await sees(/The lamp is green/, thread)
  expect(await Promise.all(presses.map(({ acknowledged }) => acknowledged))).toEqual([true, true])
  await discord.until(() => direct().length === 0)
  expect(ours().map(({ text, replyTo }) => [text.includes('The lamp is green.'), replyTo])).toEqual([[true, asked.id]])
  // The answer was kept.
  expect(platform.script.requests).toHaveLength(1)
})

test('a press of Retry by somebody else, in another conversation, does nothing', async () => {
  const { discord, store, thread, ask, isAside, direct, release, sees } = await inThread()
  discord.restrict(thread, { locked: true })
  release()
  ask()
  const { id } = await sees(/Manage Threads/, discord.directChannelOf('ana'))
  await isAside()
  discord.say({ user: 'eve', direct: true, text: 'hello' })
  const reply = await sees(/You said/, discord.directChannelOf('eve'))
  const components = discord.world.message(id)?.components
  Object.assign(discord.world.message(reply.id) ?? {}, { components })
  expect(await discord.pressButton(reply.id, 'Retry', 'eve').acknowledged).toBe(true)
  await expect.poll(() => store.inbox.list(['queued', 'running'], 1)).toEqual([])
  expect(await store.inbox.list(['dead'], 9)).toHaveLength(1)
  expect(direct()[0]?.text).toMatch(/closed or locked/)
})

test('no part of an answer stays in a thread that is locked while it is written', async () => {
  const { discord, thread, ask, ours, direct, release, sees } = await inThread()
  ask()
  await sees(/The lamp is/, thread)
  discord.restrict(thread, { locked: true })
  release()
  await sees(/Manage Threads/, discord.directChannelOf('ana'))
  expect(ours()).toEqual([])
  expect(direct()).toHaveLength(1)
})

test('an answer during which somebody closes the thread opens it again, and stands there once', async () => {
  const { discord, thread, ask, ours, direct, release, sees } = await inThread()
  ask()
  await sees(/The lamp is/, thread)
  discord.restrict(thread, { archived: true })
  release()
  await sees(/The lamp is green/, thread)
  expect(ours().map(({ text }) => text)).toEqual([expect.stringContaining('The lamp is green.')])
  expect(direct()).toEqual([])
})

test('the answer of a command for everybody in a thread that is closed meanwhile is told to its caller alone', async () => {
  const { discord, thread, ours, direct, release, sees, lines } = await inThread()
  discord.callCommand('ask', { user: 'ana', channel: thread, options: { question: 'which lamp?', share: true } })
  await discord.until(() => ours().length > 0)
  discord.restrict(thread, { archived: true, locked: true })
  release()
  const { only } = await sees(/Manage Threads/, thread)
  expect(only).toBe('ana')
  expect(ours()).toHaveLength(1)
  expect(direct()).toEqual([])
  expect(lines.filter(({ level }) => level === 'error')).toEqual([])
})

// discord-api-docs#7707
test('a command that Discord lets nobody acknowledge in a locked thread is answered in a direct message', async () => {
  const { discord, thread, ours, direct, release, sees, lines } = await inThread()
  discord.restrict(thread, { archived: true, locked: true })
  const body = { code: 50_083, message: 'Thread is archived' }
  discord.script('POST /interactions/:interaction/:token/callback', { kind: 'status', status: 403, body, times: 9 })
  discord.callCommand('ask', { user: 'ana', channel: thread, options: { question: 'which lamp?' } })
  release()
  await sees(/The lamp is green/, discord.directChannelOf('ana'))
  expect([ours().length, direct().length]).toEqual([0, 1])
  expect(lines.filter(({ level }) => level === 'error' || level === 'warn')).toEqual([])
})
