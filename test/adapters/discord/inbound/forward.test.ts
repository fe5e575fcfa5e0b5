import { describe, expect, test } from 'vitest'
import forwarded from '#test/reports/chat/discord-forward.json' with { type: 'json' }
import { open, openDouble } from '../harness.ts'

const { message: wire } = forwarded
const forward = (extra: object = wire) => ({ text: '', type: 0, extra: { ...extra } })
const snapshot = (message: object) => ({ ...wire, message_snapshots: [{ message }] })

describe('a forwarded message', () => {
  test('is quoted: alone in a direct message it is addressed, in a channel it is talk', async () => {
    const { discord, nextMessage } = await open(await openDouble())
    discord.say({ direct: true, ...forward() })
    const words = '> Which period has the ZFWDQ lamp?'
    expect(await nextMessage(words)).toMatchObject({ addressed: true, attachments: [] })
    expect(await nextMessage(words)).not.toHaveProperty('replyTo')
  })

  test('is the context of a reply to it, and what it was forwarded from is not asked for', async () => {
    const { discord, adapter, general, nextMessage } = await open(await openDouble())
    const said = discord.say({ user: 'ana', ...forward() })
    const reply = discord.say({ user: 'ben', text: 'what does this mean?', mention: true, replyTo: said.id })
    await nextMessage('what does this mean?')
    const before = await adapter.history(general, reply.id)
    expect(before.map(({ text }) => text)).toEqual(['> Which period has the ZFWDQ lamp?'])
    expect(discord.callsTo('GET /channels/:channel/messages/:message').map(({ path }) => path)).toEqual([
      expect.stringContaining(reply.id),
    ])
  })

  test('is read with its embeds, its mentions as names, and what was forwarded within it', async () => {
    const { discord, nextMessage } = await open(await openDouble())
    const ben = { id: discord.userId('ben'), username: 'ben', global_name: 'ben' }
    const inner = { content: 'inner words', embeds: [{ type: 'link', title: 'a preview' }] }
    const outer = {
      content: `ask <@${ben.id}>`,
      mentions: [ben],
      embeds: [{ type: 'rich', title: 'Alarm', description: 'Disk full', fields: [{ name: 'Host', value: 'h6' }] }],
      message_snapshots: [{ message: inner }],
    }
    discord.say({ ...forward(snapshot(outer)) })
    const message = await nextMessage()
    expect(message.text).toBe('> ask @ben\n> Alarm\n> Disk full\n> Host: h6\n\n> inner words')
    expect(message.mentionsOthers).toBe(false)
  })
})

describe('a poll', () => {
  const answers = ['Monday', 'Tuesday'].map((text, at) => ({ answer_id: at + 1, poll_media: { text } }))
  const poll = {
    question: { text: 'When do we sail?' },
    answers,
    expiry: null,
    allow_multiselect: false,
    layout_type: 1,
  }
  const words = 'When do we sail?\n- Monday\n- Tuesday'

  test('is read with its answers, and is the context of a reply to it', async () => {
    const { discord, adapter, general, nextMessage } = await open(await openDouble())
    discord.say({ direct: true, text: '', extra: { poll } })
    expect(await nextMessage()).toMatchObject({ text: words, addressed: true })
    const asked = discord.say({ user: 'ana', text: '', extra: { poll } })
    const reply = discord.say({ user: 'ben', text: 'which day is better?', mention: true, replyTo: asked.id })
    await nextMessage('which day is better?')
    expect((await adapter.history(general, reply.id)).map(({ text }) => text)).toEqual([words])
  })

  test('whose answers are emoji alone has its question', async () => {
    const { discord, nextMessage } = await open(await openDouble())
    const emoji = [{ answer_id: 1, poll_media: { emoji: { name: '⛴' } } }]
    discord.say({ direct: true, text: '', extra: { poll: { ...poll, answers: emoji } } })
    expect((await nextMessage()).text).toBe('When do we sail?')
  })
})

describe('a message of a program', () => {
  const embed = { type: 'rich', title: 'Build 77', description: 'ZRED9 failed', footer: { text: 'ci' } }

  test.each([
    ['a webhook', { webhook: true, text: 'deployed' }, 'deployed'],
    ['a bot', { bot: true, text: '', extra: { embeds: [embed] } }, 'Build 77\nZRED9 failed\nci'],
    [
      'a panel',
      { bot: true, text: '', extra: { components: [{ type: 17, components: [{ type: 10, content: 'in a panel' }] }] } },
      'in a panel',
    ],
    [
      'a panel of pictures',
      {
        bot: true,
        text: '',
        extra: {
          components: [
            { type: 12, items: [{ media: { url: 'a' }, description: 'the pump in March' }, { media: { url: 'b' } }] },
            {
              type: 9,
              components: [{ type: 10, content: 'beside it' }],
              accessory: { type: 11, media: { url: 'c' }, description: 'the winch' },
            },
          ],
        },
      },
      'the pump in March\nbeside it\nthe winch',
    ],
  ])('is the context of a reply to it: %s', async (_, said, words) => {
    const { discord, adapter, general, inbounds, nextMessage } = await open(await openDouble())
    const alert = discord.say({ user: 'Alarm', ...said })
    const reply = discord.say({ text: 'what does this mean?', mention: true, replyTo: alert.id })
    await nextMessage('what does this mean?')
    expect((await adapter.history(general, reply.id)).map(({ text }) => text)).toEqual([words])
    expect(inbounds).toHaveLength(1)
  })

  test('is read in a thread that began with it, or where somebody replied to it', async () => {
    const { discord, adapter, nextMessage } = await open(await openDouble())
    const root = discord.say({ user: 'Alarm', bot: true, text: '', extra: { embeds: [embed] } })
    const thread = discord.addThread(discord.channel, 'alarm', root.id)
    discord.say({ channel: thread, user: 'Otherbot', bot: true, text: 'beep' })
    const status = discord.say({ channel: thread, user: 'Otherbot', bot: true, text: 'still down' })
    const asked = discord.say({ channel: thread, text: 'why?', mention: true, replyTo: status.id })
    const { conversation } = await nextMessage('why?')
    const before = await adapter.history(conversation, asked.id)
    expect(before.map(({ text }) => text)).toEqual(['Build 77\nZRED9 failed\nci', 'still down'])
  })
})

test('what we said in a thread is left out where our answers are on record', async () => {
  const { discord, adapter, nextMessage } = await open(await openDouble())
  const root = discord.say({ text: 'root' })
  const thread = discord.addThread(discord.channel, 'talk', root.id)
  const first = discord.say({ channel: thread, text: 'one?', mention: true })
  const { conversation } = await nextMessage('one?')
  await adapter.post(conversation, { sendId: 's1', kind: 'answer', text: 'ours' })
  discord.say({ channel: thread, user: 'ben', text: 'between' })
  const last = discord.say({ channel: thread, user: 'ben', text: 'two?', mention: true })
  const texts = async (since?: string) => (await adapter.history(conversation, last.id, since)).map(({ text }) => text)
  expect(await texts(first.id)).toEqual(['root', 'one?', 'between'])
  expect(await texts()).toEqual(['root', 'one?', 'ours', 'between'])
})
