import type { RateLimitDictionary } from '../wire/rate-limit.ts'
import type { CallOptions, Context } from './context.ts'
import { drain } from './reply.ts'

export function createRateLimit({ transport, paths, credentials, limiter }: Context) {
  return {
    /**
     * Asks the platform what the key may still do: GET on the chat path, whose expected answer is 400 with the
     * headers. A used-up quota (429) is an answer too.
     * @throws {PlatformError} `unauthorized` for a wrong key.
     */
    async probe(options: CallOptions = {}): Promise<RateLimitDictionary> {
      const reply = await transport.send({
        doing: 'probing the rate limit',
        method: 'GET',
        path: paths.chat,
        credential: credentials.api,
        retry: 'safe',
        accept: (status) => status === 400 || status === 429 || (status >= 200 && status < 300),
        whenLimited: true,
        signal: options.signal,
      })
      await drain(reply)
      return limiter.dictionary()
    },
    /** What the last response said; each value null until one did. Asks nobody. */
    dictionary: (): RateLimitDictionary => limiter.dictionary(),
  }
}
