import { describe, expect, test } from 'vitest'
import { open, openDouble, type Opened, outgoing } from '../harness.ts'

const texts = (messages: readonly { text: string }[] | undefined) => messages?.map(({ text }) => text)

describe('history', () => {
  test('in a thread: what was said before, from its first message on, without other programs', async () => {
    const discord = await openDouble()
    const { adapter, nextMessage } = await open(discord)
    const root = discord.say({ user: 'ben', text: 'who orders the paper?' })
    const thread = discord.addThread(discord.channel, 'paper', root.id)
    discord.say({ channel: thread, type: 21, text: '' })
    discord.say({ channel: thread, user: 'ana', text: 'I do' })
    discord.say({ channel: thread, user: 'Otherbot', bot: true, text: 'beep' })
    discord.say({ channel: thread, text: 'is that right?', mention: true })
    const { conversation, id } = await nextMessage('is that right?')
    const said = await adapter.history(conversation, id)
    expect(texts(said)).toEqual(['who orders the paper?', 'I do'])
    expect(said[0]?.author.name).toBe('ben')
    expect(Object.isFrozen(said[0])).toBe(true)
  })

  test('outside of threads: the chain of replies, our own answers included', async () => {
    const { discord, adapter, general, nextMessage } = await open(await openDouble())
    const one = discord.say({ text: 'one', mention: true })
    discord.say({ text: 'something else' })
    const two = await adapter.post(general, outgoing('two', { replyTo: one.id }))
    const three = discord.say({ text: 'three', replyTo: two.id })
    const four = discord.say({ text: 'four', replyTo: three.id })
    await nextMessage('four')
    expect(texts(await adapter.history(general, four.id))).toEqual(['one', 'two', 'three'])
    expect(await adapter.history(general, one.id)).toEqual([])
  })

  test('a chain that leads to a deleted message ends there', async () => {
    const { discord, adapter, general } = await open(await openDouble())
    const one = discord.say({ text: 'one' })
    const two = discord.say({ text: 'two', replyTo: one.id })
    const three = discord.say({ text: 'three', replyTo: two.id })
    discord.remove(one.id)
    expect(texts(await adapter.history(general, three.id))).toEqual(['two'])
  })
})

describe('find', () => {
  test('a send whose answer was lost is found by its nonce', async () => {
    const { discord, adapter, general } = await open(await openDouble(), { times: { retriesMs: [], attemptMs: 2000 } })
    const question = discord.say({ text: 'q', mention: true })
    discord.script('POST /channels/:channel/messages', { kind: 'hang', afterCommit: true })
    const message = outgoing('a', { replyTo: question.id })
    await expect(adapter.post(general, message)).rejects.toMatchObject({ code: 'ambiguous' })
    const shown = discord.transcript(discord.channel).at(-1)
    const found = await adapter.find(general, { sendId: message.sendId, after: question.id, known: [] })
    expect(found).toEqual({ conversation: general, id: shown?.id })
    expect(discord.callsTo('GET /channels/:channel/messages')).toEqual([])
  })

  test('after a restart it is found among the answers to the question', async () => {
    const discord = await openDouble()
    const before = await open(discord)
    const question = discord.say({ text: 'q', mention: true })
    const other = discord.say({ text: 'another q', mention: true })
    const foreign = await before.adapter.post(before.general, outgoing('to another', { replyTo: other.id }))
    const first = await before.adapter.post(before.general, outgoing('part one', { replyTo: question.id }))
    const second = await before.adapter.post(before.general, outgoing('part two', { replyTo: question.id }))
    for (let index = 0; index < 120; index += 1) discord.say({ text: 'chatter' })
    await before.adapter.stop()

    const { adapter, general } = await open(discord)
    const send = { sendId: 'unknown', after: question.id }
    expect((await adapter.find(general, { ...send, known: [] }))?.id).toBe(first.id)
    expect((await adapter.find(general, { ...send, known: [first.id] }))?.id).toBe(second.id)
    const known = [first.id, second.id]
    expect(await adapter.find(general, { ...send, known })).toBeUndefined()
    expect(foreign.id).not.toBe(first.id)
  })

  test('the answer to a deleted question is found although it is a reply to nothing', async () => {
    const discord = await openDouble()
    const before = await open(discord)
    const question = discord.say({ text: 'q', mention: true })
    discord.remove(question.id)
    const ref = await before.adapter.post(before.general, outgoing('a', { replyTo: question.id }))
    for (let index = 0; index < 120; index += 1) discord.say({ text: 'chatter' })
    await before.adapter.post(before.general, outgoing('b', { replyTo: question.id }))
    await before.adapter.stop()
    const { adapter, general } = await open(discord)
    expect((await adapter.find(general, { sendId: 'x', after: question.id, known: [] }))?.id).toBe(ref.id)
  })
})

test('a permalink leads to the message, in a thread and in a direct message too', async () => {
  const discord = await openDouble()
  const { adapter, general } = await open(discord)
  const base = 'https://discord.com/channels'
  expect(await adapter.permalink({ conversation: general, id: '7' })).toBe(
    `${base}/${discord.guildId}/${discord.channel}/7`,
  )
  expect(await adapter.permalink({ conversation: { ...general, thread: '5' }, id: '7' })).toBe(
    `${base}/${discord.guildId}/5/7`,
  )
  const direct = { adapter: 'discord', workspace: '@me', channel: '3', direct: true }
  expect(await adapter.permalink({ conversation: direct, id: '7' })).toBe(`${base}/@me/3/7`)
})

describe('status', () => {
  const typing = 'POST /channels/:channel/typing'

  /** Shows several typing signs in another place: if this one still went on, it would have shown. */
  async function passTime({ discord, adapter, general }: Opened): Promise<void> {
    const stop = new AbortController()
    const thread = discord.addThread(discord.channel, 'clock')
    const ticks = () => discord.callsTo(typing).filter(({ path }) => path.includes(thread)).length
    await adapter.status({ ...general, thread }, 'x', stop.signal)
    await discord.until(() => ticks() >= 4)
    stop.abort()
  }
  const signs = ({ discord }: Opened) =>
    discord.callsTo(typing).filter(({ path }) => path.includes(discord.channel)).length

  test('typing is shown again and again until it is called off', async () => {
    const opened = await open(await openDouble(), { times: { typingMs: 40 } })
    const stop = new AbortController()
    await opened.adapter.status(opened.general, 'reading', stop.signal)
    await opened.discord.until(() => signs(opened) >= 3)
    stop.abort()
    const count = signs(opened)
    await passTime(opened)
    expect(signs(opened)).toBeLessThanOrEqual(count + 1)
  })

  test('typing ends when the message appears', async () => {
    const opened = await open(await openDouble(), { times: { typingMs: 40 } })
    await opened.adapter.status(opened.general, 'reading', new AbortController().signal)
    await opened.adapter.post(opened.general, outgoing('done'))
    const count = signs(opened)
    await passTime(opened)
    expect(signs(opened)).toBeLessThanOrEqual(count + 1)
  })

  test('a sign that cannot be shown is no error', async () => {
    const { discord, adapter, general } = await open(await openDouble())
    discord.hideChannel(discord.channel)
    await adapter.status(general, 'reading', new AbortController().signal)
    await adapter.status(general, 'reading', AbortSignal.abort())
    expect(discord.callsTo(typing)).toHaveLength(1)
  })
})
