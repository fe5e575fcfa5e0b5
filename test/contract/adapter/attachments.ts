import { expect, test } from 'vitest'
import type { Adapter } from '#bridge/port/adapter.ts'
import type { Attachment, Message } from '#bridge/port/message.ts'
import type { Subject } from './subject.ts'

const BYTES = Uint8Array.from({ length: 2048 }, (_, index) => (index * 7) % 256)

async function bytesOf(adapter: Adapter, attachment: Attachment, signal = AbortSignal.timeout(10_000)) {
  const stream = await adapter.open(attachment, signal)
  return new Uint8Array(await new Response(stream).arrayBuffer())
}

function onlyAttachment({ attachments }: Message): Attachment {
  const [attachment] = attachments
  if (attachment === undefined || attachments.length > 1) {
    throw new Error(`The message came with ${attachments.length} attachments; one was sent.`)
  }
  return attachment
}

/** Files and memos in. */
export function attachmentTests(subject: Subject): void {
  const dropped = async () =>
    onlyAttachment(await subject.receiver.message(await subject.harness.dropFile('ferry times.md', BYTES)))

  test('a file is announced, and its bytes are fetched only when it is opened', async () => {
    const attachment = await dropped()
    expect(attachment).toMatchObject({ name: 'ferry times.md', kind: 'document' })
    expect(subject.harness.downloads()).toBe(0)
    expect(await bytesOf(subject.harness.adapter, attachment)).toEqual(BYTES)
    expect(subject.harness.downloads()).toBeGreaterThan(0)
  })

  test('a stored attachment opens after a restart', async () => {
    const stored: Attachment = JSON.parse(JSON.stringify(await dropped()))
    const next = await subject.harness.restart()
    await next.start(subject.receiver.receive)
    try {
      expect(await bytesOf(next, stored)).toEqual(BYTES)
    } finally {
      await next.stop()
    }
  })

  test('a recorded memo is a voice attachment of a message without text', async () => {
    const message = await subject.receiver.message(await subject.harness.voice(BYTES))
    expect(message.text).toBe('')
    const memo = onlyAttachment(message)
    expect(memo.kind).toBe('voice')
    expect(memo.mimeType).toMatch(/^audio\//)
    expect(await bytesOf(subject.harness.adapter, memo)).toEqual(BYTES)
  })

  test('a foreign host is refused without being asked', async () => {
    const foreign = await subject.harness.foreign()
    expect(foreign.attachments.length).toBeGreaterThan(0)
    for (const attachment of foreign.attachments) {
      await subject.failure(bytesOf(subject.harness.adapter, attachment))
    }
    expect(foreign.reached()).toBe(0)
  })

  test('an aborted opening ends', async () => {
    const attachment = await dropped()
    const [outcome] = await Promise.allSettled([bytesOf(subject.harness.adapter, attachment, AbortSignal.abort())])
    expect(outcome.status).toBe('rejected')
  })
}
