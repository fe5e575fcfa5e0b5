import { expect, test } from 'vitest'
import { expectPlainData, send, when, type Subject } from './subject.ts'

const BYTES = Uint8Array.from({ length: 3000 }, (_, index) => (index * 11) % 256)
const FILE = { name: 'ferry times.md', mimeType: 'text/markdown', bytes: new Blob([BYTES]) }

/** 📌, a message read again, files handed out. */
export function pinAndUploadTests(subject: Subject): void {
  pinTests(subject)
  readTests(subject)
  uploadTests(subject)
}

function pinTests(subject: Subject): void {
  when(subject.has('pin'))('a message that is marked with 📌 arrives as a pin', async () => {
    const { sent, conversation } = await subject.talk()
    await subject.harness.pin?.(sent.id)
    const pin = await subject.receiver.next('pin')
    expect(pin.messageId).toBe(sent.id)
    expect(pin.conversation).toStrictEqual(conversation)
    if (subject.has('person')) expect(pin.author.id).toBe(subject.harness.person)
    expect(subject.receiver.of(sent).map(({ key }) => key)).not.toContain(pin.key)
    expectPlainData(pin)
  })

  when(subject.has('pin'))('a message of ours is pinned where it stands', async () => {
    const { conversation } = await subject.talk()
    const ref = await subject.harness.adapter.post(conversation, send('47 minutes'))
    await subject.harness.pin?.(ref.id)
    const pin = await subject.receiver.next('pin')
    expect(pin.messageId).toBe(ref.id)
    expect(pin.conversation).toStrictEqual(conversation)
  })

  when(subject.has('foreignPins'))('marks of programs, our own, and other marks are no pins', async () => {
    const { sent } = await subject.talk()
    await subject.harness.foreignPins?.(sent.id)
    await subject.receiver.message(await subject.harness.mention('next'))
    expect(subject.receiver.inbounds.filter(({ kind }) => kind === 'pin')).toEqual([])
  })
}

function readTests(subject: Subject): void {
  test('a message is read as it stands now, and is gone when it is gone', async () => {
    const { sent, conversation } = await subject.talk()
    const { adapter } = subject.harness
    const ref = { conversation, id: sent.id }
    const before = await adapter.read(ref)
    expect(before).toMatchObject({ id: sent.id, text: 'how long is the ferry?', conversation })
    expectPlainData(before)
    await subject.harness.rewrite?.(sent, 'how far?')
    await subject.receiver.next('edit')
    expect((await adapter.read(ref))?.text).toBe('how far?')
    await subject.harness.unsay?.(sent)
    await subject.receiver.next('delete')
    expect(await adapter.read(ref)).toBeUndefined()
  })

  when(subject.has('readsOwn'))('a message of ours is read too', async () => {
    const { conversation } = await subject.talk()
    const { adapter } = subject.harness
    const ref = await adapter.post(conversation, send('It takes **47** minutes.'))
    const read = await adapter.read(ref)
    expect(read?.text).toBe('It takes **47** minutes.')
  })
}

function uploadTests(subject: Subject): void {
  when(subject.has('upload') && subject.has('download'))('a file is handed out beside its words, once', async () => {
    const { conversation } = await subject.talk()
    const { adapter } = subject.harness
    const outgoing = send('Here it is.')
    const ref = await adapter.upload?.(conversation, FILE, outgoing)
    expect((await adapter.upload?.(conversation, FILE, outgoing))?.id).toBe(ref?.id)
    const visible = await subject.harness.visible(conversation)
    expect(visible).toMatchObject([{ id: ref?.id, files: [FILE.name] }])
    expect(visible[0]?.text).toContain('Here it is.')
    const bytes = await subject.harness.download?.(ref?.id ?? '', FILE.name)
    expect(Uint8Array.from(bytes ?? [])).toEqual(BYTES)
  })

  when(subject.has('upload') && subject.has('download'))('what stands beside a file calls nobody', async () => {
    const { conversation } = await subject.talk()
    const { adapter, massMentions } = subject.harness
    await adapter.upload?.(conversation, { ...FILE, name: 'a.md' }, send(massMentions.join(' ')))
    const visible = await subject.harness.visible(conversation)
    expect(visible.flatMap(({ notifies }) => notifies)).toEqual([])
  })

  when(subject.has('upload'))('a message with a file can be removed', async () => {
    const { conversation } = await subject.talk()
    const { adapter } = subject.harness
    const ref = await adapter.upload?.(conversation, FILE, send('Here it is.'))
    if (ref !== undefined) await adapter.remove(ref)
    expect(await subject.harness.visible(conversation)).toEqual([])
  })
}
