import { expect, test } from 'vitest'
import type { ChatEvent as PortChatEvent, Platform, PlatformFailure } from '#bridge/port/platform.ts'
import type { ChatEvent } from '#platform/client/chat-answer.ts'
import { createPlatformClient } from '#platform/client/client.ts'
import { PlatformError, type PlatformErrorCode } from '#platform/client/errors.ts'

type Same<A, B> = [A] extends [B] ? ([B] extends [A] ? true : false) : false

test('the client is a Platform as the bridge needs one', async () => {
  const client = createPlatformClient({ baseUrl: 'http://127.0.0.1:9/v1', apiKey: 'k' })
  const platform = client satisfies Platform
  expect(Object.keys(platform)).toEqual(
    expect.arrayContaining(['models', 'chat', 'collections', 'files', 'voice', 'documents']),
  )
  await client.close()
})

test('every failure of the client is a failure as the bridge knows it, with the same codes', () => {
  const failure = new PlatformError('server', 'x') satisfies PlatformFailure
  const sameCodes: Same<PlatformErrorCode, PlatformFailure['code']> = true
  const event: ChatEvent = { type: 'progress', event: 'tool-call' }
  const narrowed: PortChatEvent = event
  expect([failure.name, sameCodes, narrowed.type]).toEqual(['PlatformError', true, 'progress'])
})
