import { expect, test } from 'vitest'
import { WORDS, expectPlainData, plain, send, when, type Subject } from './subject.ts'

/** Messages out. */
export function postingTests(subject: Subject): void {
  postTests(subject)
  limitTests(subject)
  changeTests(subject)
  lookTests(subject)
}

function postTests(subject: Subject): void {
  test('a posted text is shown once, whole', async () => {
    const { conversation } = await subject.talk()
    const ref = await subject.harness.adapter.post(conversation, send(WORDS))
    expect(ref.conversation).toStrictEqual(conversation)
    const visible = await subject.harness.visible(conversation)
    expect(visible.map((each) => each.id)).toEqual([ref.id])
    expect(plain(visible[0]?.text ?? '')).toContain(WORDS)
  })

  test('references are shown with number, file and place', async () => {
    const { conversation } = await subject.talk()
    const references = [{ number: 7, file: 'handbook.pdf', place: 'p.3', passage: 'The ferry takes 47 minutes.' }]
    await subject.harness.adapter.post(conversation, send('It takes 47 minutes.', { references }))
    const shown = (await subject.texts(conversation)).join(' ')
    for (const part of ['It takes 47 minutes', 'handbook.pdf', 'p.3']) expect(shown).toContain(part)
    expect(shown).toMatch(/\b7\b/)
  })

  test('the same send twice is one message, the same text in another send a second one', async () => {
    const { conversation } = await subject.talk()
    const outgoing = send('only once')
    const first = await subject.harness.adapter.post(conversation, outgoing)
    const second = await subject.harness.adapter.post(conversation, outgoing)
    expect(second.id).toBe(first.id)
    expect(await subject.texts(conversation)).toHaveLength(1)
    await subject.harness.adapter.post(conversation, send('only once'))
    expect(await subject.texts(conversation)).toHaveLength(2)
  })

  test('nobody is notified by what an answer says', async () => {
    const { conversation } = await subject.talk()
    const { adapter, massMentions } = subject.harness
    for (const mention of massMentions) {
      await adapter.post(conversation, send(`as written: ${mention} and \`${mention}\``))
    }
    const visible = await subject.harness.visible(conversation)
    expect(visible).toHaveLength(massMentions.length)
    expect(visible.flatMap((each) => each.notifies)).toEqual([])
  })
}

function limitTests(subject: Subject): void {
  test('a text over the limit is refused, a text at the limit is shown whole', async () => {
    const { conversation } = await subject.talk()
    const { limits } = subject.harness.adapter
    const long = Array.from({ length: Math.ceil(limits.textLength / 4) + 1 }, () => 'abc').join(' ')
    expect(limits.measure(long)).toBeGreaterThan(limits.textLength)
    expect((await subject.failure(subject.harness.adapter.post(conversation, send(long)))).code).toBe('too-long')
    expect(await subject.texts(conversation)).toEqual([])
    // The service's own markup may be longer than the markdown.
    let exact = long
    for (let over = 1; over > 0; over = limits.measure(exact) - limits.textLength) exact = exact.slice(0, -over)
    await subject.harness.adapter.post(conversation, send(exact))
    expect((await subject.texts(conversation)).join('')).toContain(plain(exact))
  })

  when(subject.has('edit'))('an edit over the limit is refused and leaves the message as it was', async () => {
    const { conversation } = await subject.talk()
    const { adapter } = subject.harness
    const ref = await adapter.post(conversation, send('short'))
    const long = `${'abc '.repeat(Math.ceil(adapter.limits.textLength / 4) + 1)}end`
    expect((await subject.failure(adapter.edit?.(ref, send(long)))).code).toBe('too-long')
    expect(await subject.texts(conversation)).toEqual([expect.stringContaining('short')])
  })
}

function changeTests(subject: Subject): void {
  when(subject.has('edit'))('an edit replaces the text of the same message', async () => {
    const { conversation } = await subject.talk()
    const { adapter } = subject.harness
    const ref = await adapter.post(conversation, send('thinking'))
    const final = send('47 minutes')
    await adapter.edit?.(ref, final)
    await adapter.edit?.(ref, final)
    const visible = await subject.harness.visible(conversation)
    expect(visible.map((each) => each.id)).toEqual([ref.id])
    expect(visible[0]?.text).toContain('47 minutes')
    expect(visible[0]?.text).not.toContain('thinking')
  })

  test('a removed message is gone, and removing it again is success', async () => {
    const { conversation } = await subject.talk()
    const { adapter } = subject.harness
    const ref = await adapter.post(conversation, send('a mistake'))
    await adapter.remove(ref)
    expect(await subject.texts(conversation)).toEqual([])
    await adapter.remove(ref)
  })
}

function lookTests(subject: Subject): void {
  test('a send that got through is found again, and a known message is not taken for it', async () => {
    const { conversation, sent } = await subject.talk()
    const { adapter } = subject.harness
    const outgoing = send('it got through')
    const ref = await adapter.post(conversation, outgoing)
    const after = sent.id
    const found = await adapter.find(conversation, { sendId: outgoing.sendId, after, known: [] })
    expect(found?.id).toBe(ref.id)
    const unsent = { sendId: 'contract-never-sent', after, known: [ref.id] }
    expect(await adapter.find(conversation, unsent)).toBeUndefined()
  })

  test('a status can be shown and ended at any time', async () => {
    const { conversation } = await subject.talk()
    const { adapter } = subject.harness
    const stop = new AbortController()
    await adapter.status(conversation, 'looking it up', stop.signal)
    stop.abort()
    await adapter.status(conversation, 'looking it up', AbortSignal.abort())
    expect(await subject.texts(conversation)).toEqual([])
  })

  test('what was said before is told oldest first, without the message itself', async () => {
    const { sent, conversation } = await subject.talk()
    const later = await subject.harness.mention('and back?')
    await subject.receiver.message(later)
    const history = (await subject.harness.adapter.history(conversation, later.id)) ?? []
    const ids = history.map((each) => each.id)
    expect(ids).not.toContain(later.id)
    // A service may have nothing to tell outside of threads; its messages are in order and plain data.
    expect([[], [sent.id]]).toContainEqual(ids)
    expectPlainData(history)
  })

  test('a message has an address', async () => {
    const { conversation } = await subject.talk()
    const { adapter } = subject.harness
    const ref = await adapter.post(conversation, send('here'))
    expect(await adapter.permalink(ref)).toMatch(/^https?:\/\/\S+$/)
  })
}
