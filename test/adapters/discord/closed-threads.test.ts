import { expect, test } from 'vitest'
import { withBridge } from './with-bridge.ts'

async function inThread() {
  const world = await withBridge()
  const { discord, platform } = world
  const thread = discord.addThread(discord.channel, 'talk')
  const released = Promise.withResolvers<void>()
  platform.script.answer([{ type: 'text', text: 'The lamp is ' }, released.promise, { type: 'text', text: 'green.' }])
  const ask = () => discord.say({ channel: thread, user: 'ana', text: 'which lamp is it?', mention: true })
  const ours = () => discord.transcript(thread).filter(({ bot }) => bot)
  const direct = () => discord.transcript(discord.directChannelOf('ana'))
  return { ...world, thread, ask, ours, direct, release: () => released.resolve() }
}

test.each([
  ['locked', { locked: true }],
  ['locked and archived', { archived: true, locked: true }],
])('whoever asks in a thread that is %s is told of it alone, once, with the way out', async (_, how) => {
  const { discord, platform, thread, ask, ours, direct, release, sees, lines } = await inThread()
  discord.restrict(thread, how)
  release()
  const asked = ask()
  const { text } = await sees(/Manage Threads/, discord.directChannelOf('ana'))
  expect(text).toContain(`/${thread}/${asked.id}`)
  expect(ours()).toEqual([])
  expect(direct()).toHaveLength(1)
  expect(lines.filter(({ level }) => level === 'error')).toEqual([])
  expect(lines.some(({ level, message }) => level === 'warn' && message.includes('closed or locked'))).toBe(true)

  // Open again, it answers.
  discord.restrict(thread, { archived: false, locked: false })
  platform.script.answer('It is green.')
  ask()
  await sees(/It is green/, thread)
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
