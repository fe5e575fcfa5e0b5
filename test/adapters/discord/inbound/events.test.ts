import { describe, expect, test } from 'vitest'
import { open, openDouble, outgoing } from '../harness.ts'

describe('who and where', () => {
  test('a mention in a channel becomes an addressed message without the mention', async () => {
    const { discord, nextMessage, general, next } = await open(await openDouble())
    const said = discord.say({ user: 'ana', text: 'what is the notice period?', mention: true })
    expect(await nextMessage()).toEqual({
      id: said.id,
      conversation: general,
      author: { id: discord.userId('ana'), name: 'ana' },
      text: 'what is the notice period?',
      addressed: true,
      mentionsOthers: false,
      attachments: [],
      sentAt: said.timestamp,
    })
    const { key, message } = await next('message')
    expect(key).toBe(`discord:${discord.channel}:${said.id}`)
    expect(Object.isFrozen(message.conversation)).toBe(true)
  })

  test('a direct message is addressed, and its conversation is direct', async () => {
    const { discord, nextMessage } = await open(await openDouble())
    discord.say({ direct: true, text: 'psst' })
    expect(await nextMessage()).toMatchObject({
      text: 'psst',
      addressed: true,
      conversation: { workspace: '@me', channel: discord.directChannelOf('ana'), direct: true },
    })
  })

  test('a message in a thread belongs to the channel and the thread, and the answer goes to the thread', async () => {
    const { discord, adapter, nextMessage } = await open(await openDouble())
    const thread = discord.addThread(discord.channel, 'leave')
    discord.say({ channel: thread, text: 'and in spring?' })
    const message = await nextMessage()
    expect(message).toMatchObject({ addressed: false, conversation: { channel: discord.channel, thread } })
    await adapter.post(message.conversation, outgoing('six weeks'))
    expect(discord.transcript(thread).map(({ text }) => text)).toEqual(['and in spring?', 'six weeks'])
  })

  test.each([true, false])('a private thread is a channel of its own (kept by discord.js: %s)', async (announced) => {
    const { discord, adapter, nextMessage } = await open(await openDouble())
    const thread = discord.addThread(discord.channel, 'board', undefined, { closed: true, announced })
    discord.say({ channel: thread, text: 'for us alone' })
    const { conversation } = await nextMessage('for us alone')
    expect(conversation).toMatchObject({ channel: thread, thread })
    await adapter.post(conversation, { sendId: 's1', kind: 'notice', text: 'noted' })
    expect(discord.transcript(thread).map(({ text }) => text)).toEqual(['for us alone', 'noted'])
  })

  test('a thread that discord.js does not keep is looked up once', async () => {
    const discord = await openDouble()
    const { nextMessage } = await open(discord)
    const thread = discord.addThread(discord.channel, 'quiet', undefined, { announced: false })
    discord.say({ channel: thread, text: 'one' })
    discord.say({ channel: thread, text: 'two' })
    expect((await nextMessage('two')).conversation).toMatchObject({ channel: discord.channel, thread })
    expect(discord.callsTo('GET /channels/:channel')).toHaveLength(1)
  })

  test('a reply names the message that it answers, and its ping alone addresses nobody', async () => {
    const { discord, adapter, general, nextMessage } = await open(await openDouble())
    const ours = await adapter.post(general, outgoing('four weeks'))
    discord.say({ text: 'and in summer?', replyTo: ours.id })
    expect(await nextMessage()).toMatchObject({ replyTo: ours.id, addressed: false, mentionsOthers: false })
  })

  test('@everyone and @here address nobody', async () => {
    const { discord, nextMessage } = await open(await openDouble())
    discord.say({ text: '@everyone lunch!' })
    expect(await nextMessage()).toMatchObject({ addressed: false, mentionsOthers: true })
  })

  test('the role of the bot, which people pick by mistake, means us', async () => {
    const { discord, nextMessage } = await open(await openDouble())
    discord.say({ text: `<@&${discord.botRoleId}>: where?` })
    expect(await nextMessage()).toMatchObject({ addressed: true, mentionsOthers: false, text: 'where?' })
  })

  test('talk of other bots and webhooks, and what Discord itself says, are ignored', async () => {
    const { discord, inbounds, nextMessage } = await open(await openDouble())
    discord.say({ user: 'Otherbot', bot: true, text: 'beep' })
    discord.say({ user: 'Otherbot', bot: true, text: `<@${discord.userId('ben')}> beep` })
    discord.say({ user: 'Hook', webhook: true, text: 'deployed' })
    discord.say({ text: 'ana joined', type: 7 })
    discord.say({ text: 'a person' })
    await nextMessage('a person')
    expect(inbounds).toHaveLength(1)
  })

  test.each([
    ['a bot', { bot: true }],
    ['a webhook', { webhook: true }],
  ])('a mention and a file of %s are those of a program', async (_, kind) => {
    const { discord, nextMessage } = await open(await openDouble())
    discord.say({ user: 'Deploy', ...kind, text: 'which ferry?', mention: true })
    const author: unknown = expect.objectContaining({ name: 'Deploy', programIds: expect.any(Array) as unknown })
    expect(await nextMessage('which ferry?')).toMatchObject({ addressed: true, author })
    discord.say({ user: 'Deploy', ...kind, text: 'the build', files: [{ name: 'build.md', bytes: '# Build' }] })
    expect(await nextMessage('the build')).toMatchObject({
      addressed: false,
      author,
      attachments: [{ name: 'build.md' }],
    })
  })
})

describe('what was said', () => {
  test('codes become words: people, channels, roles, emoji, commands, times', async () => {
    const { discord, nextMessage } = await open(await openDouble())
    const ben = discord.userId('ben')
    discord.say({ text: `ask <@${ben}> in <#${discord.channel}> <:tada:123> </help:99> at <t:0:f>, ok?` })
    expect(await nextMessage()).toMatchObject({
      text: 'ask @ben in #general :tada: /help at 1970-01-01 00:00 UTC, ok?',
      addressed: false,
      mentionsOthers: true,
    })
  })

  test('our mention is taken out wherever it stands', async () => {
    const { discord, nextMessage } = await open(await openDouble())
    const us = `<@${discord.botUserId}>`
    discord.say({ text: `hey ${us}, who pays? ${us}` })
    discord.say({ text: `${us}\nline one\n  line two` })
    expect((await nextMessage('hey, who pays?')).addressed).toBe(true)
    expect((await nextMessage('line one\n  line two')).addressed).toBe(true)
  })

  test('null where Discord leaves a field out does no harm', async () => {
    const { discord, nextMessage } = await open(await openDouble())
    discord.say({ text: 'odd', extra: { embeds: null, components: null } })
    discord.say({ text: 'even' })
    expect((await nextMessage('odd')).text).toBe('odd')
    expect((await nextMessage('even')).text).toBe('even')
  })

  test.each([
    ['an author', { author: undefined }],
    ['words', { content: undefined }],
    ['a member', { member: undefined }],
    ['mentions and files', { mentions: undefined, attachments: undefined }],
    ['a thread (null)', { thread: null }],
    ['a place of its reply (null)', { message_reference: null, referenced_message: null }],
  ])('a message without %s does no harm', async (_, extra) => {
    const { discord, nextMessage, inbounds } = await open(await openDouble())
    discord.say({ text: 'odd', extra })
    discord.say({ text: 'even' })
    expect((await nextMessage('even')).text).toBe('even')
    expect(inbounds.length).toBeLessThanOrEqual(2)
  })

  test('an event told three times has one key', async () => {
    const { discord, inbounds, nextMessage } = await open(await openDouble())
    discord.gateway.repeat(3)
    discord.say({ text: 'once' })
    discord.gateway.repeat(1)
    discord.say({ text: 'last' })
    await nextMessage('last')
    expect(new Set(inbounds.map(({ key }) => key)).size).toBe(2)
  })

  test('messages of one channel are handed over in order, however slow the store is', async () => {
    const gate = Promise.withResolvers<void>()
    let first = true
    const { discord, inbounds, nextMessage } = await open(await openDouble(), {
      receive: async () => {
        if (!first) return
        first = false
        await gate.promise
      },
    })
    for (const text of ['one', 'two', 'three']) discord.say({ text })
    gate.resolve()
    await nextMessage('three')
    const texts = inbounds.map((inbound) => (inbound.kind === 'message' ? inbound.message.text : ''))
    expect(texts).toEqual(['one', 'two', 'three'])
  })

  test('what the store could not take is handed over again', async () => {
    let failures = 1
    const { discord, nextMessage, lines } = await open(await openDouble(), {
      receive: () => {
        failures -= 1
        return failures >= 0 ? Promise.reject(new Error('The disk is busy.')) : Promise.resolve()
      },
    })
    discord.say({ text: 'keep me' })
    expect((await nextMessage()).text).toBe('keep me')
    expect(lines.filter(({ level }) => level === 'warn').map(({ message }) => message)).toEqual([
      'A Discord event could not be stored; trying again',
    ])
  })
})

describe('afterwards', () => {
  test('changed words are an edit, told once; a link preview is not', async () => {
    const { discord, inbounds, next, nextMessage } = await open(await openDouble())
    const said = discord.say({ text: 'how long?', mention: true })
    discord.touch(said.id)
    discord.edit(said.id, `<@${discord.botUserId}> how far?`)
    discord.touch(said.id)
    discord.say({ text: 'last' })
    await nextMessage('last')
    const edit = await next('edit')
    expect(edit).toMatchObject({ message: { id: said.id, text: 'how far?', addressed: true } })
    expect(edit.key).toBe(`discord:${discord.channel}:${said.id}:edit:${said.editedTimestamp}`)
    expect(inbounds.map(({ kind }) => kind)).toEqual(['message', 'edit', 'message'])
  })

  test('a preview of a message that was edited long ago is no edit', async () => {
    const discord = await openDouble()
    const hourAgo = new Date(Date.now() - 3_600_000).toISOString()
    const said = discord.say({ text: 'old', extra: { edited_timestamp: hourAgo } })
    const { inbounds, nextMessage } = await open(discord)
    discord.touch(said.id)
    discord.say({ text: 'last' })
    await nextMessage('last')
    expect(inbounds.map(({ kind }) => kind)).not.toContain('edit')
  })

  test('a file that is taken out of a message is told with what is left, once, and its words are no edit', async () => {
    const { discord, inbounds, next, nextMessage, general } = await open(await openDouble())
    const said = discord.say({
      text: 'two files',
      files: [
        { name: 'a.md', bytes: 'a' },
        { name: 'b.md', bytes: 'b' },
      ],
    })
    const { attachments } = await nextMessage('two files')
    discord.touch(said.id)
    discord.detach(said.id, 'a.md')
    discord.touch(said.id)
    discord.say({ text: 'last' })
    await nextMessage('last')
    const left = attachments.filter(({ name }) => name === 'b.md').map(({ id }) => id)
    const told = await next('files-left')
    expect(told).toMatchObject({ messageId: said.id, left })
    expect(told.conversation).toMatchObject({ channel: general.channel })
    expect(inbounds.map(({ kind }) => kind)).toEqual(['message', 'files-left', 'message'])
  })

  test('a file that is taken out of a message from before our start is told too', async () => {
    const discord = await openDouble()
    const said = discord.say({ text: 'one file', files: [{ name: 'a.md', bytes: 'a' }] })
    const { next } = await open(discord)
    discord.detach(said.id, 'a.md')
    expect(await next('files-left')).toMatchObject({ messageId: said.id, left: [] })
  })

  test('empty lists and nulls in a message and its update make no difference', async () => {
    const { discord, next } = await open(await openDouble())
    const extra = { message_snapshots: [], embeds: [], sticker_items: [], webhook_id: null, message_reference: null }
    const said = discord.say({ text: 'one file', files: [{ name: 'a.md', bytes: 'a' }], extra })
    expect((await next('message')).message.attachments).toHaveLength(1)
    discord.detach(said.id, 'a.md')
    expect(await next('files-left')).toMatchObject({ messageId: said.id, left: [] })
  })

  test.each([true, false])('a 📌 is heard whether its emoji has an id or not (%s)', async (hasId) => {
    const { discord, next } = await open(await openDouble())
    const said = discord.say({ text: 'worth keeping' })
    discord.react(said.id, 'ana', '📌', hasId)
    expect(await next('pin')).toMatchObject({ messageId: said.id, author: { name: 'ana' } })
  })

  test('an edit of a message from before our start is heard too', async () => {
    const discord = await openDouble()
    const said = discord.say({ text: 'old words' })
    const { next } = await open(discord)
    discord.edit(said.id, 'new words')
    expect((await next('edit')).message.text).toBe('new words')
  })

  test('a deleted message is told, one by one when many went at once', async () => {
    const { discord, next, general } = await open(await openDouble())
    const [one, two, three] = ['one', 'two', 'three'].map((text) => discord.say({ text }).id)
    discord.remove(one ?? '')
    discord.removeMany([two ?? '', three ?? ''])
    for (const id of [one, two, three]) {
      const gone = await next('delete', ({ messageId }) => messageId === id)
      expect(gone).toEqual({
        kind: 'delete',
        key: `discord:${discord.channel}:${id}:delete`,
        conversation: general,
        messageId: id,
      })
    }
  })

  test('what we remove ourselves is no news, what a moderator removes is', async () => {
    const { discord, adapter, general, inbounds, next } = await open(await openDouble())
    const ours = await adapter.post(general, outgoing('by us'))
    const other = await adapter.post(general, outgoing('by a moderator'))
    await adapter.remove(ours)
    discord.remove(other.id)
    expect((await next('delete')).messageId).toBe(other.id)
    expect(inbounds).toHaveLength(1)
  })
})

describe('buttons', () => {
  const actions = [{ id: 'retry', label: 'Retry', value: 'discord:1:2#0' }]

  test('a press is acknowledged when it is stored, and not before', async () => {
    const gate = Promise.withResolvers<void>()
    const { discord, adapter, general, next } = await open(await openDouble(), { receive: () => gate.promise })
    const ref = await adapter.post(general, outgoing('It failed.', { actions }))
    const press = discord.pressButton(ref.id, 'Retry')
    expect(discord.callsTo('POST /interactions/:interaction/:token/callback')).toHaveLength(0)
    gate.resolve()
    expect(await next('action')).toMatchObject({
      kind: 'action',
      key: `discord:interaction:${press.interactionId}`,
      conversation: general,
      author: { id: discord.userId('ana'), name: 'ana', language: 'de' },
      messageId: ref.id,
      action: { id: 'retry', value: 'discord:1:2#0' },
    })
    expect(await press.acknowledged).toBe(true)
    const [callback] = discord.callsTo('POST /interactions/:interaction/:token/callback')
    expect(callback).toMatchObject({ body: { type: 6 }, authorization: undefined })
  })

  test('a press that could not be stored is not acknowledged', async () => {
    const discord = await openDouble()
    const { adapter, general, lines } = await open(discord, {
      receive: () => Promise.reject(new Error('The disk is full.')),
      times: { deliveriesMs: [5] },
    })
    const ref = await adapter.post(general, outgoing('It failed.', { actions }))
    expect(await discord.pressButton(ref.id, 'Retry').acknowledged).toBe(false)
    expect(lines.some(({ level }) => level === 'error')).toBe(true)
  })

  test('a press in a direct message comes from there', async () => {
    const { discord, adapter, nextMessage, next } = await open(await openDouble())
    discord.say({ direct: true, text: 'hi' })
    const { conversation } = await nextMessage()
    const ref = await adapter.post(conversation, outgoing('It failed.', { actions }))
    discord.pressButton(ref.id, 'Retry')
    expect((await next('action')).conversation).toEqual(conversation)
  })
})

test('a stopped adapter hears nothing', async () => {
  const discord = await openDouble()
  const { adapter, inbounds } = await open(discord)
  await adapter.stop()
  discord.say({ text: 'anybody?' })
  await discord.until(() => discord.gateway.connected === 0)
  expect(inbounds).toEqual([])
})
