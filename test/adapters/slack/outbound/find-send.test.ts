import { describe, expect, test } from 'vitest'
import { overviewOf } from '#bridge/port/forms.ts'
import type { Message } from '#bridge/port/message.ts'
import { askedScene, outgoing } from '../scene.ts'

describe('looking back', () => {
  test('a streamed message that nobody recorded is found as the orphan of its send', async () => {
    const { adapter, slack, conversation, asker, said } = await askedScene()
    const other = await adapter.post(conversation, outgoing('of another send'))
    const begun = await adapter.stream?.(conversation, outgoing('It'), asker)
    const wanted = { sendId: 'lost', after: said.ts, known: [] }
    expect(await adapter.find(conversation, wanted)).toEqual(begun?.ref)
    expect(await adapter.find(conversation, { ...wanted, known: [begun?.ref.id ?? ''] })).toBeUndefined()
    expect(other.id).not.toBe(begun?.ref.id)
    expect(slack.callsOf('conversations.replies')).toHaveLength(2)
  })

  test('what a press in App Home is answered stands in the direct message, and is edited and found there', async () => {
    const { adapter, slack, ada, direct, said } = await askedScene()
    slack.workspace.channel(direct).members.add(ada)
    const place = overviewOf('slack', slack.teamId, ada)
    const ref = await adapter.post(place, outgoing('Saved.', { sendId: 's-home' }))
    await adapter.edit?.(ref, outgoing('Saved, once.', { sendId: 's-home' }))
    expect(slack.transcript(ref.conversation.channel).at(-1)?.body).toBe('Saved, once.')
    expect(await adapter.find(place, { sendId: 's-home', after: said.ts, known: [] })).toEqual(ref)
  })

  test('a file of ours that nobody recorded is not taken for the message of a send', async () => {
    const { adapter, conversation, asker, said } = await askedScene()
    const file = { name: 'answer.mp3', mimeType: 'audio/mpeg', bytes: new Blob(['sound']) }
    await adapter.upload?.(conversation, file, outgoing('Read aloud', { sendId: 's-file' }))
    const find = () => adapter.find(conversation, { sendId: 'lost', after: said.ts, known: [] })
    expect(await find()).toBeUndefined()
    const begun = await adapter.stream?.(conversation, outgoing('It'), asker)
    expect(await find()).toEqual(begun?.ref)
  })

  test('what was left streaming by a crash is ended and rewritten, or removed', async () => {
    const { adapter, slack, conversation, asker } = await askedScene()
    const begun = await adapter.stream?.(conversation, outgoing('It'), asker)
    const ref = begun?.ref
    if (ref === undefined) throw new Error('no stream')
    await adapter.edit?.(ref, outgoing('It takes 47 minutes.'))
    expect(slack.transcript(conversation.channel).at(-1)).toMatchObject({
      body: 'It takes 47 minutes.',
      streaming: false,
    })
    const another = await adapter.stream?.(conversation, outgoing('And'), asker)
    if (another !== undefined) await adapter.remove(another.ref)
    expect(slack.transcript(conversation.channel)).toHaveLength(2)
  })

  test('the history of a thread is told oldest first, without us, to its end', async () => {
    const { adapter, slack, channel, ada, conversation, said } = await askedScene()
    await adapter.post(conversation, outgoing('our own'))
    for (let index = 0; index < 250; index += 1)
      slack.say({ channel, user: ada, text: `line ${index}`, thread: said.ts, order: 'message-only' })
    slack.workspace.insert({
      channel,
      threadTs: said.ts,
      user: '',
      botId: 'B9',
      text: 'Build failed',
      blocks: [],
      files: [],
      subtype: 'bot_message',
    })
    const last = slack.say({ channel, user: ada, text: 'so?', thread: said.ts, order: 'message-only' })
    const history: readonly Message[] = (await adapter.history(conversation, last.ts)) ?? []
    expect(history.map((message) => message.text)).toEqual([
      'how long is the ferry?',
      ...Array.from({ length: 250 }, (_, index) => `line ${index}`),
      'Build failed',
    ])
  })

  test('an edit that waited is not sent by a process that others take for dead; a removal is', async () => {
    let isAlive = true
    const assertAlive = async () => {
      if (!isAlive) throw new Error('taken over')
    }
    const { adapter, slack, conversation } = await askedScene({ assertAlive })
    const ref = await adapter.post(conversation, outgoing('x'))
    slack.script('chat.update', { status: 429, retryAfter: 1 })
    const edited = Promise.resolve(adapter.edit?.(ref, outgoing('y'))).then(String, String)
    await slack.until(() => slack.callsOf('chat.update').length === 1)
    isAlive = false
    expect(await edited).toBe('Error: taken over')
    await adapter.remove(ref)
    expect(slack.callsOf('chat.update')).toHaveLength(1)
    expect(slack.transcript(conversation.channel)).toHaveLength(1)
  })

  test('in a deleted thread there is nothing to be found', async () => {
    const { adapter, conversation } = await askedScene()
    const gone = { ...conversation, thread: '1.1' }
    expect(await adapter.find(gone, { sendId: 's', after: '1.1', known: [] })).toBeUndefined()
    expect(await adapter.history(gone, '2.2')).toEqual([])
  })

  test('no answer waits for a history that Slack rations', async () => {
    const { adapter, slack, conversation } = await askedScene()
    slack.script('conversations.replies', { status: 429, retryAfter: 30 })
    expect(await adapter.history(conversation, '9999999999.0')).toEqual([])
  })

  test('a removed message is gone, again and again; a message has an address, a missing one none', async () => {
    const { adapter, slack, conversation } = await askedScene()
    const ref = await adapter.post(conversation, outgoing('x'))
    expect(await adapter.permalink(ref)).toContain(ref.id.replace('.', ''))
    await adapter.remove(ref)
    await adapter.remove(ref)
    expect(await adapter.permalink(ref)).toBeUndefined()
    expect(slack.transcript(conversation.channel)).toHaveLength(1)
  })

  test('a message outside of threads is found by its send id, whatever asked for it; where we are not, there is none', async () => {
    const { adapter, slack, conversation } = await askedScene()
    const place = { ...conversation, thread: undefined }
    const { id } = await adapter.post(place, outgoing('out', { sendId: 's-out' }))
    await adapter.post(place, outgoing('another', { sendId: 's-other' }))
    const find = (sendId: string, after: string) => adapter.find(place, { sendId, after, known: [] })
    expect(await find('s-out', 'command-1')).toEqual({ conversation: place, id })
    expect(await find('s-out', id)).toBeUndefined()
    expect(await find('s-never', 'command-1')).toBeUndefined()
    slack.workspace.channel(place.channel).joined = false
    expect(await find('s-out', 'command-1')).toBeUndefined()
  })
})
