import { expect, test } from 'vitest'
import type { ChatEvent as PortChatEvent, Platform } from '#bridge/port/platform.ts'
import type { ChatEvent } from '#platform/client/chat-answer.ts'
import { createPlatformClient } from '#platform/client/client.ts'

test('the client is a Platform as the bridge needs one', async () => {
  const client = createPlatformClient({ baseUrl: 'http://127.0.0.1:9/v1', apiKey: 'k' })
  const platform = client satisfies Platform
  expect(Object.keys(platform)).toEqual(
    expect.arrayContaining(['models', 'chat', 'collections', 'files', 'voice', 'documents']),
  )
  const event: ChatEvent = { type: 'progress', event: 'tool-call' }
  const narrowed: PortChatEvent = event
  expect(narrowed.type).toBe('progress')
  await client.close()
})
