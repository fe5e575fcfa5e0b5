import { expect } from 'vitest'
import { expectPlainData, plain, send, when } from './desk.ts'
import type { Desk } from './desk.ts'

/** Whom a message reaches, and which channels it names. */
export function tellingTests(desk: Desk): void {
  notifyTests(desk)
  privateTests(desk)
  namingTests(desk)
}

function notifyTests(desk: Desk): void {
  when(desk.has('person'))('the people who are told of a message are the only ones it calls', async () => {
    const { conversation } = await desk.talk()
    const { adapter, massMentions, person = '' } = desk.harness
    const text = ['please look:', ...massMentions].join(' ')
    await adapter.post(conversation, send(text, { notify: [person] }))
    await adapter.post(conversation, send('nobody is told of this'))
    const visible = await desk.harness.visible(conversation)
    expect(visible.map(({ notifies }) => [...new Set(notifies)])).toEqual([[person], []])
    expect(visible[0]?.text).toContain('please look:')
  })

  when(desk.has('person'))('what is no id of a person calls nobody', async () => {
    const { conversation } = await desk.talk()
    const notify = ['everyone', '!channel', '&1', '> <!here>', '']
    await desk.harness.adapter.post(conversation, send('please look', { notify }))
    const visible = await desk.harness.visible(conversation)
    expect(visible.flatMap(({ notifies }) => notifies).filter((id) => !notify.includes(id))).toEqual([])
    expect(visible[0]?.text).not.toMatch(/<!|@everyone/)
  })
}

function privateTests(desk: Desk): void {
  when(desk.has('person'))('a message for one person is shown once, wherever it is shown', async () => {
    const { conversation } = await desk.talk()
    const { adapter, person = '' } = desk.harness
    const alone = send('for you alone', { privateTo: person })
    const first = await adapter.post(conversation, alone)
    expect((await adapter.post(conversation, alone)).id).toBe(first.id)
    // A service may show it beside the thread.
    const { thread: _thread, ...channel } = conversation
    const visible = await Promise.all([conversation, channel].map((place) => desk.harness.visible(place)))
    const shown = visible.flat().filter(({ text }) => plain(text).includes('for you alone'))
    expect(new Set(shown.map(({ id }) => id))).toEqual(new Set([first.id]))
  })

  when(desk.has('alone'))(
    'who has just pressed a button is told something that nobody else sees',
    async () => {
      const { conversation } = await desk.talk()
      const { adapter, person = '' } = desk.harness
      const actions = [{ id: 'show', label: 'Show', value: '1' }]
      const ref = await adapter.post(conversation, send('There are three.', { actions }))
      await desk.harness.press?.(ref.id, 'Show')
      await desk.receiver.next('action')
      await adapter.post(conversation, send('for you alone', { privateTo: person }))
      const visible = await desk.harness.visible(conversation)
      expect(visible.map(({ only }) => only)).toEqual([undefined, person])
    },
  )
}

function namingTests(desk: Desk): void {
  when(desk.has('addRoom'))('channels that a message names are known by id, each once', async () => {
    const room = await desk.harness.addRoom?.('harbour')
    const sent = await desk.harness.mention(`look in ${room?.mention} and again ${room?.mention}`)
    const { channels, conversation, text } = await desk.receiver.message(sent)
    const { adapter, workspace } = conversation
    expect(channels).toEqual([
      { name: 'harbour', conversation: { adapter, workspace, channel: room?.id, direct: false } },
    ])
    expect(text).toBe('look in #harbour and again #harbour')
    expectPlainData(channels)
  })

  when(desk.has('addRoom'))('a channel that is named in a direct message is where it really is', async () => {
    const { conversation: here } = await desk.talk()
    const room = await desk.harness.addRoom?.('harbour')
    const { channels } = await desk.receiver.message(await desk.harness.direct(`ask in ${room?.mention}`))
    expect(channels?.map(({ conversation }) => conversation)).toEqual([
      { adapter: here.adapter, workspace: here.workspace, channel: room?.id, direct: false },
    ])
  })

  when(desk.has('addRoom'))('a message that names no channel has none', async () => {
    const { channels } = await desk.receiver.message(await desk.harness.mention('what is #1 of the list?'))
    expect(channels).toBeUndefined()
  })
}
