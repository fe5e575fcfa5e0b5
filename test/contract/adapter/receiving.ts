import { expect, test } from 'vitest'
import { eventually, expectPlainData, send, when, type Subject } from './subject.ts'
import type { Sent } from './harness.ts'

/** Messages in. */
export function receivingTests(subject: Subject): void {
  messageTests(subject)
  dedupeTests(subject)
  ignoredTests(subject)
  acknowledgementTests(subject)
  afterwardsTests(subject)
}

function messageTests(subject: Subject): void {
  test('it is connected from its start to its stop', async () => {
    const { adapter } = subject.harness
    expect(adapter.isConnected()).toBe(true)
    await adapter.stop()
    expect(adapter.isConnected()).toBe(false)
  })

  test('a mention arrives addressed, without the mention, as plain data with no secret in it', async () => {
    const { receiver, harness } = subject
    const message = await receiver.message(await harness.mention('how long is the ferry?'))
    expect(message).toMatchObject({ text: 'how long is the ferry?', addressed: true, mentionsOthers: false })
    expect(message.conversation).toMatchObject({ adapter: harness.adapter.name, direct: false })
    expect(message.author.id).not.toBe('')
    expect(new Date(message.sentAt).toISOString()).toBe(message.sentAt)
    for (const inbound of receiver.inbounds) {
      expectPlainData(inbound)
      for (const secret of harness.secrets) expect(JSON.stringify(inbound)).not.toContain(secret)
    }
  })

  test('a direct message is addressed and direct', async () => {
    const message = await subject.receiver.message(await subject.harness.direct('hello there'))
    expect(message).toMatchObject({ text: 'hello there', addressed: true })
    expect(message.conversation.direct).toBe(true)
  })
}

function dedupeTests(subject: Subject): void {
  test('the same message told thrice has one key, another message another', async () => {
    const { receiver, harness } = subject
    const first = await harness.mention('one')
    await receiver.message(first)
    await harness.redeliver(first)
    await harness.redeliver(first)
    const second = await harness.mention('two')
    await receiver.message(second)
    const keys = (sent: Sent) => new Set(receiver.of(sent).map((each) => each.key))
    expect(keys(first).size).toBe(1)
    expect(keys(second).size).toBe(1)
    expect(keys(first)).not.toEqual(keys(second))
  })

  for (const first of ['poorer', 'fuller'] as const) {
    when(subject.has('twins'))(`twins share a key when the ${first} comes first`, async () => {
      const { receiver, harness } = subject
      const sent = (await harness.twins?.('look at this', first)) ?? { id: '' }
      const message = await receiver.message(sent)
      await receiver.message(await harness.mention('after the twins'))
      expect(message).toMatchObject({ text: 'look at this', attachments: [{}] })
      const twins = receiver.of(sent)
      expect(new Set(twins.map((each) => each.key)).size).toBe(1)
      // An event without a twin must be complete: the store keeps the first that is not provisional.
      for (const each of twins) {
        expect(each).toSatisfy(
          () => each.kind === 'message' && (each.provisional === true || each.message.attachments.length === 1),
        )
      }
    })
  }
}

function ignoredTests(subject: Subject): void {
  when(subject.has('otherBot'))(
    'what another program writes to us is marked as a program’s, and its talk ignored',
    async () => {
      const { harness } = subject
      const talk = await harness.otherBot?.('the ferry is late', false)
      const sent = await harness.otherBot?.('how long is the ferry?', true)
      const message = await subject.receiver.message(sent ?? { id: '' })
      expect(message).toMatchObject({
        addressed: true,
        text: 'how long is the ferry?',
        author: { programIds: expect.any(Array) as unknown },
      })
      const person = await subject.receiver.message(await harness.mention('a person'))
      expect(person.author).not.toHaveProperty('programIds')
      expect(subject.receiver.of(talk ?? { id: '' })).toEqual([])
    },
  )

  when(subject.has('ownEcho'))('what our own account writes is ignored', async () => {
    const sent = await subject.harness.ownEcho?.('47 minutes')
    await subject.receiver.message(await subject.harness.mention('a person'))
    expect(subject.receiver.of(sent ?? { id: '' })).toEqual([])
  })

  test('our own posts do not come back as events', async () => {
    const { conversation } = await subject.talk()
    const ref = await subject.harness.adapter.post(conversation, send('47 minutes'))
    await subject.harness.adapter.edit?.(ref, send('48 minutes'))
    await subject.receiver.message(await subject.harness.mention('next'))
    expect(subject.receiver.inbounds.map((each) => each.kind)).not.toContain('edit')
    expect(JSON.stringify(subject.receiver.inbounds)).not.toMatch(/4[78] minutes/)
  })
}

function acknowledgementTests(subject: Subject): void {
  when(subject.has('acknowledged'))('an event is acknowledged only when it is stored', async () => {
    const { promise, resolve } = Promise.withResolvers<void>()
    subject.receiver.gate(promise)
    const sent = await subject.harness.mention('hold on')
    await subject.receiver.message(sent)
    expect(subject.harness.acknowledged?.(sent)).toBe(false)
    resolve()
    await eventually(() => expect(subject.harness.acknowledged?.(sent)).toBe(true))
  })

  when(subject.has('acknowledged'))(
    'an event that could not be stored is not acknowledged, and the next one still arrives',
    async () => {
      subject.receiver.gate(Promise.reject(new Error('The disk is full.')))
      const lost = await subject.harness.mention('lost')
      await subject.receiver.message(lost)
      subject.receiver.gate(undefined)
      const kept = await subject.harness.mention('kept')
      await subject.receiver.message(kept)
      await eventually(() => expect(subject.harness.acknowledged?.(kept)).toBe(true))
      expect(subject.harness.acknowledged?.(lost)).toBe(false)
    },
  )
}

function afterwardsTests(subject: Subject): void {
  when(subject.has('rewrite'))('a rewritten message arrives as an edit of the same message', async () => {
    const sent = await subject.harness.mention('how long?')
    await subject.receiver.message(sent)
    await subject.harness.rewrite?.(sent, 'how far?')
    const edit = await subject.receiver.next('edit')
    expect(edit.message).toMatchObject({ id: sent.id, text: 'how far?' })
    expect(subject.receiver.of(sent).map((each) => each.key)).not.toContain(edit.key)
    expectPlainData(edit)
  })

  when(subject.has('unsay'))('a deleted message arrives as a delete of that message', async () => {
    const { sent, conversation } = await subject.talk()
    await subject.harness.unsay?.(sent)
    const gone = await subject.receiver.next('delete')
    expect(gone.messageId).toBe(sent.id)
    expect(gone.conversation.channel).toBe(conversation.channel)
    expectPlainData(gone)
  })

  when(subject.has('press'))('a pressed button arrives with its id, its value and its message', async () => {
    const { conversation } = await subject.talk()
    const actions = [{ id: 'retry', label: 'Retry', value: 'job:1#0' }]
    const ref = await subject.harness.adapter.post(conversation, send('It failed.', { kind: 'error', actions }))
    await subject.harness.press?.(ref.id, 'Retry')
    const action = await subject.receiver.next('action')
    expect(action).toMatchObject({ messageId: ref.id, action: { id: 'retry', value: 'job:1#0' } })
    expect(action.conversation.channel).toBe(conversation.channel)
    expectPlainData(action)
  })
}
