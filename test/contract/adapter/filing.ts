import { expect } from 'vitest'
import { expectPlainData, send, when } from './desk.ts'
import type { Desk } from './desk.ts'

const BYTES = Uint8Array.from({ length: 3000 }, (_, index) => (index * 11) % 256)
const FILE = { name: 'ferry times.md', mimeType: 'text/markdown', bytes: new Blob([BYTES]) }

/** 📌, a message read again, files handed out. */
export function filingTests(desk: Desk): void {
  pinTests(desk)
  readTests(desk)
  uploadTests(desk)
}

function pinTests(desk: Desk): void {
  when(desk.has('pin'))('a message that is marked with 📌 arrives as a pin', async () => {
    const { sent, conversation } = await desk.talk()
    await desk.harness.pin?.(sent.id)
    const pin = await desk.receiver.next('pin')
    expect(pin.messageId).toBe(sent.id)
    expect(pin.conversation).toStrictEqual(conversation)
    if (desk.has('person')) expect(pin.author.id).toBe(desk.harness.person)
    expect(desk.receiver.of(sent).map(({ key }) => key)).not.toContain(pin.key)
    expectPlainData(pin)
  })

  when(desk.has('pin'))('a message of ours is pinned where it stands', async () => {
    const { conversation } = await desk.talk()
    const ref = await desk.harness.adapter.post(conversation, send('47 minutes'))
    await desk.harness.pin?.(ref.id)
    const pin = await desk.receiver.next('pin')
    expect(pin.messageId).toBe(ref.id)
    expect(pin.conversation).toStrictEqual(conversation)
  })

  when(desk.has('foreignPins'))('marks of programs, our own, and other marks are no pins', async () => {
    const { sent } = await desk.talk()
    await desk.harness.foreignPins?.(sent.id)
    await desk.receiver.message(await desk.harness.mention('next'))
    expect(desk.receiver.inbounds.filter(({ kind }) => kind === 'pin')).toEqual([])
  })
}

function readTests(desk: Desk): void {
  when(desk.has('read'))('a message is read as it stands now, and is gone when it is gone', async () => {
    const { sent, conversation } = await desk.talk()
    const { adapter } = desk.harness
    const ref = { conversation, id: sent.id }
    const before = await adapter.read?.(ref)
    expect(before).toMatchObject({ id: sent.id, text: 'how long is the ferry?', conversation })
    expectPlainData(before)
    await desk.harness.rewrite?.(sent, 'how far?')
    await desk.receiver.next('edit')
    expect((await adapter.read?.(ref))?.text).toBe('how far?')
    await desk.harness.unsay?.(sent)
    await desk.receiver.next('delete')
    expect(await adapter.read?.(ref)).toBeUndefined()
  })

  when(desk.has('readsOwn'))('a message of ours is read too', async () => {
    const { conversation } = await desk.talk()
    const { adapter } = desk.harness
    const ref = await adapter.post(conversation, send('It takes **47** minutes.'))
    const read = await adapter.read?.(ref)
    expect(read?.text).toBe('It takes **47** minutes.')
  })
}

function uploadTests(desk: Desk): void {
  when(desk.has('upload') && desk.has('download'))(
    'a file is handed out beside its words, once',
    async () => {
      const { conversation } = await desk.talk()
      const { adapter } = desk.harness
      const outgoing = send('Here it is.')
      const ref = await adapter.upload?.(conversation, FILE, outgoing)
      expect((await adapter.upload?.(conversation, FILE, outgoing))?.id).toBe(ref?.id)
      const visible = await desk.harness.visible(conversation)
      expect(visible).toMatchObject([{ id: ref?.id, files: [FILE.name] }])
      expect(visible[0]?.text).toContain('Here it is.')
      const bytes = await desk.harness.download?.(ref?.id ?? '', FILE.name)
      expect(Uint8Array.from(bytes ?? [])).toEqual(BYTES)
    },
  )

  when(desk.has('upload') && desk.has('download'))('what stands beside a file calls nobody', async () => {
    const { conversation } = await desk.talk()
    const { adapter, massMentions } = desk.harness
    await adapter.upload?.(conversation, { ...FILE, name: 'a.md' }, send(massMentions.join(' ')))
    const visible = await desk.harness.visible(conversation)
    expect(visible.flatMap(({ notifies }) => notifies)).toEqual([])
  })

  when(desk.has('upload') && desk.has('remove'))('a message with a file can be removed', async () => {
    const { conversation } = await desk.talk()
    const { adapter } = desk.harness
    const ref = await adapter.upload?.(conversation, FILE, send('Here it is.'))
    if (ref !== undefined) await adapter.remove?.(ref)
    expect(await desk.harness.visible(conversation)).toEqual([])
  })
}
