import { describe, expect, test } from 'vitest'
import { COMMANDS } from '#adapters/discord/inbound/command-list.ts'
import type { Suggest } from '#bridge/port/adapter.ts'
import { open, type Opened, openDouble, outgoing } from '../harness.ts'

const MINUTE_MS = 60_000

async function scene(options: { readonly suggest?: Suggest } = {}) {
  const discord = await openDouble()
  const opened = await open(discord, options)
  const shown = (channel = discord.channel) => discord.transcript(channel)
  return { ...opened, shown, ana: discord.userId('ana') }
}

/** Calls `/ask` and gives what the bridge gets. */
async function ask({ discord, next }: Opened, options: { readonly channel?: string; readonly share?: boolean } = {}) {
  const { channel, share } = options
  const call = discord.callCommand('ask', { channel, options: { question: 'when?', ...(share && { share }) } })
  expect(await call.acknowledged).toBe(true)
  const { interactionId } = call
  return next('command', ({ messageId }) => messageId === interactionId)
}

describe('the commands', () => {
  test('are registered once, and again only when they have changed', async () => {
    const { discord, adapter } = await scene()
    await adapter.stop()
    const puts = () => discord.callsTo('PUT /applications/:application/commands').length
    expect(puts()).toBe(1)
    await open(discord)
    expect(puts()).toBe(1)
    await open(discord, { commandsGuild: discord.guildId })
    expect(puts()).toBe(1)
    expect(discord.callsTo('PUT /applications/:application/guilds/:guild/commands')).toHaveLength(1)
  })

  test('that Discord refuses are named in the log, and the others are registered', async () => {
    const discord = await openDouble()
    discord.refuseCommand('usage')
    const { lines } = await open(discord)
    const told = lines.filter(({ level }) => level === 'warn').map(({ fields }) => fields)
    expect(told).toMatchObject([{ command: 'usage' }])
    expect(discord.callCommand('help')).toBeDefined()
    expect(() => discord.callCommand('usage')).toThrow('not registered')
  })

  test('have English and German words, and keep within what Discord takes', () => {
    for (const command of COMMANDS) {
      const words = (command['description_localizations'] ?? command['name_localizations']) as { readonly de?: string }
      expect(words.de).toMatch(/\p{L}/u)
    }
    expect(COMMANDS.map(({ name }) => name)).toEqual([
      'ask',
      'add',
      'files',
      'forget',
      'retry',
      'collection',
      'model',
      'usage',
      'language',
      'settings',
      'connect',
      'disconnect',
      'help',
      'Ask about this',
      'Keep as knowledge',
      'Forget',
      'Translate',
    ])
  })

  test('that Discord does not register are a warning, and the bot works', async () => {
    const discord = await openDouble()
    discord.script('GET /applications/:application/commands', { kind: 'status', status: 400 })
    const { lines, nextMessage } = await open(discord)
    expect(lines.filter(({ level }) => level === 'warn').map(({ message }) => message)).toEqual([
      'Commands could not be registered with Discord; the next start tries again',
    ])
    discord.say({ text: 'hello', mention: true })
    expect((await nextMessage()).text).toBe('hello')
  })
})

describe('a question by command', () => {
  test('comes with person, language and place, and its answer replaces "is thinking", for that person alone', async () => {
    const opened = await scene()
    const { adapter, general, shown, ana } = opened
    const { conversation, author, command, ticket, messageId } = await ask(opened)
    expect({ conversation, author, command }).toEqual({
      conversation: general,
      author: { id: ana, name: 'ana', language: 'de' },
      command: { name: 'ask', argument: 'when?', shared: false, channel: undefined },
    })
    const answer = { privateTo: ana, ticket, replyTo: messageId }
    const ref = await adapter.post(general, outgoing('At', answer))
    await adapter.edit(ref, outgoing('At nine.', answer))
    await adapter.post(general, outgoing('More.', answer))
    expect(shown().map(({ text, only }) => [text, only])).toEqual([
      ['At nine.', 'ana'],
      ['More.', 'ana'],
    ])
    await adapter.remove(ref)
    expect(shown().map(({ text }) => text)).toEqual(['More.'])
  })

  test('whose first answer fails leaves no "is thinking" behind: the next one takes its place', async () => {
    const opened = await scene()
    const { discord, adapter, general, shown, ana } = opened
    const { ticket, messageId } = await ask(opened)
    const answer = { privateTo: ana, ticket, replyTo: messageId }
    discord.script('PATCH /webhooks/:application/:token/messages/:message', { kind: 'status', status: 403 })
    await expect(adapter.post(general, outgoing('At nine.', answer))).rejects.toMatchObject({ code: 'forbidden' })
    await adapter.post(general, outgoing('At ten.', answer))
    expect(shown().map(({ text, only }) => [text, only])).toEqual([['At ten.', 'ana']])
  })

  test('that is shared is seen by everybody; what is for its person alone is still for them alone', async () => {
    const opened = await scene()
    const { adapter, general, shown, ana } = opened
    const { ticket, messageId } = await ask(opened, { share: true })
    await adapter.post(general, outgoing('At nine.', { ticket, replyTo: messageId }))
    await adapter.post(general, outgoing('And ten.', { ticket, replyTo: messageId }))
    expect(shown().map(({ text, only }) => [text, only])).toEqual([
      ['At nine.', undefined],
      ['And ten.', undefined],
    ])
    const refused = await ask(opened, { share: true })
    await adapter.post(general, outgoing('Not you.', { ticket: refused.ticket, privateTo: ana }))
    expect(shown().map(({ text, only }) => [text, only])).toContainEqual(['Not you.', 'ana'])
    expect(shown().some(({ text }) => text === '')).toBe(false)
  })

  test('is answered by another process: it fills the same message, and finds it again', async () => {
    const opened = await scene()
    const { discord, general, adapter, shown, ana } = opened
    const { ticket, messageId } = await ask(opened)
    await adapter.stop()
    const second = await open(discord)
    const send = outgoing('At nine.', { ticket, privateTo: ana, replyTo: messageId })
    const asked = { sendId: send.sendId, after: messageId, known: [], ticket }
    expect(await second.adapter.find(general, asked)).toBeUndefined()
    const ref = await second.adapter.post(general, send)
    await second.adapter.stop()
    const third = await open(discord)
    expect(await third.adapter.find(general, asked)).toEqual(ref)
    expect(await third.adapter.find(general, { ...asked, known: [ref.id] })).toBeUndefined()
    await third.adapter.post(general, outgoing('More.', { ticket, privateTo: ana }))
    expect(shown().map(({ text, only }) => [text, only])).toEqual([
      ['At nine.', 'ana'],
      ['More.', 'ana'],
    ])
  })

  test('whose 15 minutes are over is answered in a direct message, never in the channel', async () => {
    const opened = await scene()
    const { discord, general, adapter, shown, ana } = opened
    const { ticket, messageId } = await ask(opened)
    const answer = { ticket, privateTo: ana, replyTo: messageId }
    const ref = await adapter.post(general, outgoing('At', answer))
    discord.ageInteractions(16 * MINUTE_MS)
    await adapter.edit(ref, outgoing('At nine.', answer))
    const late = await adapter.post(general, outgoing('More.', answer))
    expect(late.conversation).toMatchObject({ direct: true })
    expect(shown().map(({ text }) => text)).toEqual(['At'])
    expect(shown(late.conversation.channel).map(({ text }) => text)).toEqual(['At nine.', 'More.'])
  })

  test('that is answered late grows in its direct message to the end', async () => {
    const opened = await scene()
    const { discord, general, adapter, shown, ana } = opened
    const { ticket, messageId } = await ask(opened)
    const answer = { ticket, privateTo: ana, replyTo: messageId, sendId: 'first' }
    discord.ageInteractions(16 * MINUTE_MS)
    const late = await adapter.post(general, outgoing('At', answer))
    await adapter.edit(late, outgoing('At nine', answer))
    await adapter.edit(late, outgoing('At nine.', answer))
    expect(shown(late.conversation.channel).map(({ text }) => text)).toEqual(['At nine.'])
    expect(shown().map(({ text }) => text)).not.toContain('At nine.')
  })

  test('that grows beyond its 15 minutes goes on in a direct message to the end', async () => {
    const opened = await scene()
    const { discord, general, adapter, ana } = opened
    const { ticket, messageId } = await ask(opened)
    const answer = { ticket, privateTo: ana, replyTo: messageId, sendId: 'first' }
    const ref = await adapter.post(general, outgoing('At', answer))
    discord.ageInteractions(16 * MINUTE_MS)
    await adapter.edit(ref, outgoing('At nine', answer))
    await adapter.edit(ref, outgoing('At nine.', answer))
    const direct = discord.directChannelOf('ana')
    expect(discord.transcript(direct).map(({ text }) => text)).toEqual(['At nine.'])
  })

  test('that is shared is answered in the channel also after 15 minutes', async () => {
    const opened = await scene()
    const { discord, general, adapter, shown } = opened
    const { ticket } = await ask(opened, { share: true })
    const ref = await adapter.post(general, outgoing('At', { ticket }))
    discord.ageInteractions(16 * MINUTE_MS)
    await adapter.edit(ref, outgoing('At nine.', { ticket }))
    await adapter.post(general, outgoing('More.', { ticket }))
    expect(shown().map(({ text }) => text)).toEqual(['At nine.', 'More.'])
  })

  test('is stored before it is acknowledged; a send that is ready earlier waits for that', async () => {
    const discord = await openDouble()
    const sent: Promise<unknown>[] = []
    const opened: Opened = await open(discord, {
      receive: async (inbound) => {
        if (inbound.kind !== 'command') return
        const { conversation, ticket, author } = inbound
        sent.push(opened.adapter.post(conversation, outgoing('fast', { ticket, privateTo: author.id })))
        await new Promise((resolve) => setTimeout(resolve, 20))
      },
    })
    await ask(opened)
    await Promise.all(sent)
    expect(discord.transcript(discord.channel).map(({ text, only }) => [text, only])).toEqual([['fast', 'ana']])
  })

  test('in a direct message is a message like any other', async () => {
    const opened = await scene()
    const { discord, adapter, shown, ana } = opened
    const channel = discord.directChannelOf('ana')
    const { conversation, command, ticket } = await ask(opened, { channel })
    expect(conversation).toMatchObject({ direct: true, channel })
    expect(command.shared).toBe(true)
    await adapter.post(conversation, outgoing('At nine.', { ticket, privateTo: ana }))
    expect(shown(channel).map(({ text, only }) => [text, only])).toEqual([['At nine.', undefined]])
  })

  test('in a server without Footbridge asks the files of the person, and nothing is sent but by the command', async () => {
    const opened = await scene()
    const { discord, adapter, shown, next } = opened
    const channel = discord.addForeignChannel('elsewhere')
    const { conversation, ticket } = await ask(opened, { channel })
    const own = discord.directChannelOf('ana')
    expect(conversation).toEqual({ adapter: 'discord', workspace: '@me', channel: own, direct: true })
    const actions = [{ id: 'say.another', label: 'Again', value: '1' }]
    const ref = await adapter.post(conversation, outgoing('At nine.', { ticket, actions }))
    await discord.pressButton(ref.id, 'Again').acknowledged
    const pressed = await next('action')
    expect(pressed).toMatchObject({ conversation, isPrivate: true, messageId: ref.id })
    await adapter.edit(ref, outgoing('At ten.', { ticket: pressed.ticket }))
    await adapter.post(conversation, outgoing('Thanks.', { ticket: pressed.ticket, privateTo: pressed.author.id }))
    expect(shown(channel).map(({ text, only }) => [text, only])).toEqual([
      ['At ten.', 'ana'],
      ['Thanks.', 'ana'],
    ])
    expect(shown(own)).toEqual([])
    expect(() => discord.callCommand('collection', { channel })).toThrow('not installed')
  })

  test('leaves long references to further messages for the same person', async () => {
    const opened = await scene()
    const { adapter, general, shown, ana } = opened
    const { ticket } = await ask(opened)
    const references = Array.from({ length: 8 }, (_, index) => ({
      number: index + 1,
      file: `${'long name '.repeat(15)}${index}.md`,
      passage: 'words '.repeat(60),
    }))
    const answer = { ticket, privateTo: ana, references }
    const ref = await adapter.post(general, outgoing('x'.repeat(1900), answer))
    const count = shown().length
    await adapter.edit(ref, outgoing('y'.repeat(1900), answer))
    expect(shown()).toHaveLength(count)
    expect(shown().every(({ only }) => only === 'ana')).toBe(true)
    await adapter.edit(ref, outgoing('z', { ticket, privateTo: ana }))
    expect(shown().map(({ text }) => text)).toEqual(['z'])
  })
})

describe('other commands', () => {
  test('bring their argument, a channel with its name, and the message on which they are called', async () => {
    const { discord, next } = await scene()
    const harbour = discord.addChannel('harbour')
    discord.callCommand('collection', { options: { of: harbour } })
    expect((await next('command', ({ command }) => command.name === 'collection')).command).toMatchObject({
      argument: harbour,
      channel: { name: 'harbour', conversation: { channel: harbour } },
    })
    const said = discord.say({ text: 'The code is 4711.', user: 'bert', files: [{ name: 'a.md', bytes: 'x' }] })
    discord.callCommand('Keep as knowledge', { target: said.id })
    const { command } = await next('command', ({ command: { name } }) => name === 'save')
    expect(command.target).toMatchObject({ id: said.id, text: 'The code is 4711.', author: { name: 'bert' } })
    expect(command.target?.attachments.map(({ name }) => name)).toEqual(['a.md'])
  })

  test('are completed by what the bridge suggests, cut to what Discord takes', async () => {
    const asked: unknown[] = []
    const { discord, general, ana } = await scene({
      suggest: async (asking) => {
        asked.push(asking)
        return [
          { label: 'n'.repeat(150), value: 'plan.md' },
          { label: 'too long', value: 'v'.repeat(101) },
        ]
      },
    })
    const typing = discord.complete('forget', 'file', 'pl')
    expect(await discord.until(() => typing.choices())).toEqual([{ name: `${'n'.repeat(99)}…`, value: 'plan.md' }])
    expect(asked).toEqual([{ about: 'files', conversation: general, personId: ana, typed: 'pl' }])
  })
})
