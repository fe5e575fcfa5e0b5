import { expect } from 'vitest'
import { expectPlainData, plain, send, when, type Subject } from './subject.ts'

/** Whom a message reaches, and which channels it names. */
export function notifyingTests(subject: Subject): void {
  notifyTests(subject)
  privateTests(subject)
  namingTests(subject)
}

function notifyTests(subject: Subject): void {
  when(subject.has('person'))('the people who are told of a message are the only ones it calls', async () => {
    const { conversation } = await subject.talk()
    const { adapter, massMentions, person = '' } = subject.harness
    const text = ['please look:', ...massMentions].join(' ')
    await adapter.post(conversation, send(text, { notify: [person] }))
    await adapter.post(conversation, send('nobody is told of this'))
    const visible = await subject.harness.visible(conversation)
    expect(visible.map(({ notifies }) => [...new Set(notifies)])).toEqual([[person], []])
    expect(visible[0]?.text).toContain('please look:')
  })

  when(subject.has('person'))('what is no id of a person calls nobody', async () => {
    const { conversation } = await subject.talk()
    const notify = ['everyone', '!channel', '&1', '> <!here>', '']
    await subject.harness.adapter.post(conversation, send('please look', { notify }))
    const visible = await subject.harness.visible(conversation)
    expect(visible.flatMap(({ notifies }) => notifies).filter((id) => !notify.includes(id))).toEqual([])
    expect(visible[0]?.text).not.toMatch(/<!|@everyone/)
  })
}

function privateTests(subject: Subject): void {
  when(subject.has('person'))('a message for one person is shown once, wherever it is shown', async () => {
    const { conversation } = await subject.talk()
    const { adapter, person = '' } = subject.harness
    const alone = send('for you alone', { privateTo: person })
    const first = await adapter.post(conversation, alone)
    expect((await adapter.post(conversation, alone)).id).toBe(first.id)
    // A service may show it outside of the thread.
    const { thread: _thread, ...channel } = conversation
    const visible = await Promise.all([conversation, channel].map((place) => subject.harness.visible(place)))
    const shown = visible.flat().filter(({ text }) => plain(text).includes('for you alone'))
    expect(new Set(shown.map(({ id }) => id))).toEqual(new Set([first.id]))
  })

  when(subject.has('alone'))('who has just pressed a button is told something that nobody else sees', async () => {
    const { conversation } = await subject.talk()
    const { adapter, person = '' } = subject.harness
    const actions = [{ id: 'show', label: 'Show', value: '1' }]
    const ref = await adapter.post(conversation, send('There are three.', { actions }))
    await subject.harness.press?.(ref.id, 'Show')
    await subject.receiver.next('action')
    await adapter.post(conversation, send('for you alone', { privateTo: person }))
    const visible = await subject.harness.visible(conversation)
    expect(visible.map(({ only }) => only)).toEqual([undefined, person])
  })
}

function namingTests(subject: Subject): void {
  when(subject.has('addRoom'))('channels that a message names are known by id, each once', async () => {
    const room = await subject.harness.addRoom?.('harbour')
    const sent = await subject.harness.mention(`look in ${room?.mention} and again ${room?.mention}`)
    const { channels, conversation, text } = await subject.receiver.message(sent)
    const { adapter, workspace } = conversation
    expect(channels).toEqual([
      { name: 'harbour', conversation: { adapter, workspace, channel: room?.id, direct: false } },
    ])
    expect(text).toBe('look in #harbour and again #harbour')
    expectPlainData(channels)
  })

  when(subject.has('addRoom'))('a channel that is named in a direct message is where it really is', async () => {
    const { conversation: here } = await subject.talk()
    const room = await subject.harness.addRoom?.('harbour')
    const { channels } = await subject.receiver.message(await subject.harness.direct(`ask in ${room?.mention}`))
    expect(channels?.map(({ conversation }) => conversation)).toEqual([
      { adapter: here.adapter, workspace: here.workspace, channel: room?.id, direct: false },
    ])
  })

  when(subject.has('addRoom'))('a message that names no channel has none', async () => {
    const { channels } = await subject.receiver.message(await subject.harness.mention('what is #1 of the list?'))
    expect(channels).toBeUndefined()
  })
}
