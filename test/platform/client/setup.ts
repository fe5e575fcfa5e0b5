import { onTestFinished } from 'vitest'
import { createPlatformClient, type PlatformClientOptions } from '#platform/client/client.ts'
import { PlatformError } from '#platform/client/errors.ts'
import type { ProfileName } from '#platform/wire/profile.ts'
import { startPlatformDouble, type PlatformDoubleOptions } from '#test/doubles/platform/double.ts'

/** Short enough for a test to see them strike, long enough for a loaded machine to answer within them. */
export const shortLimits = { firstByteMs: 1000, betweenBytesMs: 1000, answerMs: 1000, indexMs: 1000 }

/** A double and a client of it, both gone when the test is over. */
export async function setUp(
  profile: ProfileName = 'collection',
  options: Partial<PlatformClientOptions> = {},
  doubleOptions: Partial<PlatformDoubleOptions> = {},
) {
  const double = await startPlatformDouble({ profile, ...doubleOptions })
  const client = createPlatformClient({ profile, baseUrl: double.baseUrl, apiKey: double.key, ...options })
  onTestFinished(async () => {
    await client.close()
    await double.close()
  })
  return { double, client }
}

/** The error that a call fails with. */
export async function failureOf(call: Promise<unknown>): Promise<PlatformError> {
  const error: unknown = await call.then(
    () => undefined,
    (reason: unknown) => reason,
  )
  if (error instanceof PlatformError) return error
  throw new Error('The call did not fail with a PlatformError.', { cause: error })
}

export async function all<T>(items: AsyncIterable<T>): Promise<T[]> {
  const found: T[] = []
  for await (const item of items) found.push(item)
  return found
}

export const textFile = (name: string, text: string, mimeType = 'text/markdown') => ({
  name,
  mimeType,
  bytes: new Blob([text], { type: mimeType }),
})

export const ask = (content: string, collection?: string) => ({
  model: 'double-model',
  messages: [{ role: 'user' as const, content }],
  ...(collection === undefined ? {} : { collection }),
})
