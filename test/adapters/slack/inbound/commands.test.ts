import { describe, expect, it } from 'vitest'
import { parseCommand } from '#adapters/slack/inbound/commands.ts'
import type { InboundOf } from '#bridge/port/message.ts'
import { outgoing, setScene } from '../scene.ts'

describe('what is typed after /footbridge', () => {
  it.each([
    ['', 'help', ''],
    ['  help ', 'help', ''],
    ['ask how long is the ferry?', 'ask', 'how long is the ferry?'],
    ['how long is the ferry?', 'ask', 'how long is the ferry?'],
    ['FILES 2', 'files', '2'],
    ['vergiss plan.md', 'forget', 'plan.md'],
    ['constructor', 'ask', 'constructor'],
  ])('%j is %s %j', (typed, name, argument) => {
    expect(parseCommand(typed)).toEqual({ name, argument })
  })
})

async function setUp() {
  const scene = await setScene()
  await scene.adapter.start(scene.receive)
  const called = async (envelope: { readonly acked: Promise<void> }) => {
    await envelope.acked
    const found = scene.inbounds.findLast((one): one is InboundOf<'command'> => one.kind === 'command')
    if (found === undefined) throw new Error('No command arrived.')
    return found
  }
  const answer = (to: InboundOf<'command'>, text: string, more: object = {}) =>
    scene.adapter.post(
      to.conversation,
      outgoing(text, { privateTo: to.author.id, ticket: to.ticket, replyTo: to.messageId, ...more }),
    )
  return { ...scene, called, answer }
}

describe('a command', () => {
  it('comes with its words, and its answer is seen by the person alone', async () => {
    const { slack, channel, ada, called, answer } = await setUp()
    slack.workspace.channel(channel).members.add(ada)
    const other = slack.addChannel({ name: 'harbour' })
    const envelope = slack.command({ channel, user: ada, text: `collection <#${other}|harbour>` })
    const inbound = await called(envelope)
    expect(inbound).toMatchObject({
      kind: 'command',
      author: { id: ada, name: 'Ada', language: 'de-DE' },
      conversation: { channel, direct: false },
      command: {
        name: 'collection',
        argument: '#harbour',
        channel: { name: 'harbour', conversation: { channel: other } },
      },
    })
    expect(inbound.conversation.thread).toBeUndefined()
    // Nothing is shown by the acknowledgement itself.
    expect(envelope.ackPayload ?? {}).toEqual({})
    await answer(inbound, 'It uses its own files.')
    expect(slack.transcript(channel)).toMatchObject([{ body: 'It uses its own files.', ephemeralTo: ada }])
    slack.resend(envelope)
    expect((await called(envelope)).key).toBe(inbound.key)
  })

  it('where the app is no member is answered under the address of the call, and nowhere else', async () => {
    const { slack, ada, called, answer } = await setUp()
    const foreign = slack.addChannel({ kind: 'private', joined: false })
    const inbound = await called(slack.command({ channel: foreign, user: ada, text: 'help' }))
    await answer(inbound, 'Invite me.')
    expect(slack.callsOf('response')).toHaveLength(1)
    expect(slack.callsOf('chat.postMessage')).toEqual([])
    expect(slack.transcript(foreign)).toMatchObject([{ body: 'Invite me.', ephemeralTo: ada }])
    for (let time = 0; time < 4; time += 1) await answer(inbound, `more ${time}`)
    await expect(answer(inbound, 'too much')).rejects.toMatchObject({ code: 'not-found' })
  })

  it('with another address than one of Slack’s is answered nowhere', async () => {
    const { slack, ada, called, answer } = await setUp()
    const foreign = slack.addChannel({ kind: 'private', joined: false })
    const inbound = await called(slack.command({ channel: foreign, user: ada, text: 'help' }))
    await expect(answer({ ...inbound, ticket: 'https://evil.example/x' }, 'secret')).rejects.toMatchObject({
      code: 'forbidden',
    })
  })

  it('with an answer over the limit of a private message is never shown to all: the foot becomes a second one', async () => {
    const { slack, adapter, channel, ada, called, answer } = await setUp()
    slack.workspace.channel(channel).members.add(ada)
    const inbound = await called(slack.command({ channel, user: ada, text: 'ask all' }))
    const references = Array.from({ length: 9 }, (_, index) => ({
      number: index + 1,
      file: `a-long-name-of-a-file-that-takes-room-${index}.md`,
      passage: 'p'.repeat(200),
      droppedBy: 'Ada',
    }))
    await answer(inbound, 'x'.repeat(adapter.limits.privateTextLength ?? 0), { references })
    expect(slack.transcript(channel).map(({ ephemeralTo }) => ephemeralTo)).toEqual([ada, ada])
    expect(slack.transcript(channel)[1]?.lines).toHaveLength(9)
  })

  it('on a message brings that message, and a press in what one person sees says so', async () => {
    const { slack, channel, ada, called, answer, inbounds } = await setUp()
    const said = slack.say({ channel, user: ada, text: 'The ferry takes 40 minutes.' })
    const inbound = await called(slack.shortcut({ channel, ts: said.ts, user: ada, callback: 'fb:translate' }))
    expect(inbound).toMatchObject({
      messageId: said.ts,
      conversation: { thread: said.ts },
      command: { name: 'translate', target: { id: said.ts, text: 'The ferry takes 40 minutes.', author: { id: ada } } },
    })
    await answer(inbound, 'Shown.', { actions: [{ id: 'answer.share', label: 'Share', value: 'v' }] })
    await slack.pressButton({ channel, user: ada, button: 'Share' }).acked
    expect(inbounds.at(-1)).toMatchObject({
      kind: 'action',
      isPrivate: true,
      action: { id: 'answer.share', value: 'v' },
      ticket: expect.stringContaining('/response/') as string,
    })
  })
})
