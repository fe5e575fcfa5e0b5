import { expect, test } from 'vitest'
import automod from '#test/reports/chat/discord-automod.json' with { type: 'json' }
import forwarded from '#test/reports/chat/discord-forward.json' with { type: 'json' }
import links from '#test/reports/chat/links-to-messages.json' with { type: 'json' }
import pasted from '#test/reports/chat/discord-paste-as-file.json' with { type: 'json' }
import talk from '#test/reports/chat/thread-talk-between.json' with { type: 'json' }
import { withBridge } from './with-bridge.ts'

test('a forward alone in a direct message is a question, and a reply goes on with it', async () => {
  const { discord, platform, sees, told } = await withBridge()
  platform.script.answer('Eight seconds.', 'Its period.')
  const direct = discord.directChannelOf('ana')
  const said = discord.say({ direct: true, text: '', type: 0, extra: forwarded.message })
  await sees(/Eight seconds/, direct)
  expect(told()).toContain('ZFWDQ')
  discord.say({ direct: true, text: 'what does that mean?', replyTo: said.id })
  await sees(/Its period/, direct)
  expect(told()).toContain('ZFWDQ')
})

test('a forward in a channel is talk, until somebody asks about it', async () => {
  const { discord, platform, sees, told } = await withBridge()
  platform.script.answer('A lamp.')
  const said = discord.say({ user: 'ana', text: '', type: 0, extra: forwarded.message })
  discord.say({ user: 'ben', text: 'what does this mean?', mention: true, replyTo: said.id })
  await sees(/A lamp/)
  expect(told()).toContain('ZFWDQ')
  expect(platform.script.requests).toHaveLength(1)
})

test('what AutoMod blocks is told in a sentence, and no part of the answer stays', async () => {
  const { discord, platform, lines, sees } = await withBridge()
  discord.blockWords(/ZBLOCKED/)
  const released = Promise.withResolvers<void>()
  platform.script.answer([
    { type: 'text', text: 'The lamp is ' },
    released.promise,
    { type: 'text', text: 'ZBLOCKED.' },
  ])
  const asked = discord.say({ text: 'what is it?', mention: true })
  await sees(/The lamp is/)
  released.resolve()
  const { replyTo } = await sees(/AutoMod/)
  expect(replyTo).toBe(asked.id)
  expect(discord.transcript(discord.channel).filter(({ bot }) => bot)).toHaveLength(1)
  expect(lines.filter(({ level }) => level === 'error')).toEqual([])
  expect(lines.some(({ level, message }) => level === 'warn' && message.includes('AutoMod'))).toBe(true)
})

test('AutoMod’s refusal as it was reported is told, to the caller of a command alone', async () => {
  const { discord, platform, sees } = await withBridge()
  platform.script.answer('Eight.')
  discord.script('PATCH /webhooks/:application/:token/messages/:message', {
    kind: 'status',
    status: automod.answer.status,
    body: automod.answer.body,
  })
  discord.callCommand('ask', { user: 'ana', options: { question: 'How many?' } })
  expect(await sees(/AutoMod/)).toMatchObject({ only: 'ana' })
})

test('a sticker with a mention is a bare mention: it gets the help', async () => {
  const { discord, sees } = await withBridge()
  discord.say({ text: '', mention: true, extra: { sticker_items: [{ id: '1', name: 'Wave', format_type: 1 }] } })
  expect((await sees(/help more/)).bot).toBe(true)
})

test('a long question that the client made a file of is kept and answered', async () => {
  const { discord, platform, sees, told } = await withBridge()
  platform.script.answer('Oil it.')
  const [file] = pasted.message.attachments
  const bytes = `${'The ZPASTE3 pump hums. '.repeat(130)}\nWhat should we do about the pump?`
  discord.say({ text: '', mention: true, files: [{ name: file?.filename ?? '', bytes, mimeType: file?.content_type }] })
  await sees(/message\.txt.*ready/)
  await discord.until(() => platform.script.requests.length > 0)
  expect(told()).toContain('What should we do about the pump?')
})

test('what is said in a thread between two answers is known', async () => {
  const { discord, platform, sees, told } = await withBridge()
  platform.script.answer('A winch.', 'It is right.')
  const [first = '', between = '', then = ''] = talk.steps.map((step) => step.replace(/^[^:]+: (?:<@BOT> )?/, ''))
  const thread = discord.addThread(discord.channel, 'capstans')
  discord.say({ channel: thread, text: first.replace(/ -> .*/, ''), mention: true })
  await sees(/A winch/, thread)
  discord.say({ channel: thread, user: 'ben', text: between })
  discord.say({ channel: thread, user: 'ben', text: then, mention: true })
  await sees(/It is right/, thread)
  expect(told()).toContain('ZOIL44')
  expect(told().match(/A winch/g)).toHaveLength(1)
})

test('a message that the question links to is read', async () => {
  const { discord, platform, sees, told } = await withBridge()
  platform.script.answer('Oil.', 'Nothing.')
  const said = discord.say({ user: 'ben', text: 'The capstan takes ZOIL44.' })
  const [text = ''] = links.texts
  const address = (guild: string, id: string) =>
    text.replace('<@BOT> ', '').replace('/G/C/M', `/${guild}/${discord.channel}/${id}`)
  discord.say({ text: address(discord.guildId, said.id), mention: true })
  await sees(/Oil/)
  expect(told()).toContain('ben: The capstan takes ZOIL44.')
  discord.say({ text: address('123', said.id), mention: true })
  await sees(/Nothing/)
  expect(told()).not.toContain('ben:')
})
