import { receivedUserProfile } from '../wire/service.ts'
import type { CallOptions, Context } from './context.ts'
import { PlatformError } from './errors.ts'
import { readJson, type Reply, drain } from './reply.ts'
import type { RateLimitDictionary } from '../wire/rate-limit.ts'

export interface UserProfile {
  readonly username?: string
  readonly email?: string
  readonly firstName?: string
  readonly surname?: string
  readonly isRegistered?: boolean
  readonly collectionCount?: number
  readonly fileCount?: number
  /** Registration. */
  readonly createdAt?: string
}

export function createUser({ profile, paths, transport, credentials }: Context) {
  /** Prefix and form of the key are not specified, so the likely places are asked in turn. */
  const places = [
    { path: paths.user, credential: credentials.api },
    { path: paths.user, credential: credentials.management },
    { path: `${profile.managementPrefix}${paths.user}`, credential: credentials.management },
  ]

  const ask = async (options: CallOptions): Promise<Reply> => {
    let first: unknown
    for (const place of places) {
      try {
        return await transport.send({
          doing: 'reading the user profile',
          method: 'GET',
          retry: 'safe',
          signal: options.signal,
          ...place,
        })
      } catch (error) {
        first ??= error
        const elsewhere = error instanceof PlatformError && /^(unauthorized|not-found)$/.test(error.code)
        if (!elsewhere) throw error
      }
    }
    throw first
  }

  return {
    /** Owner of the key. @throws {PlatformError} `unauthorized` for a wrong key. */
    async me(options: CallOptions = {}): Promise<UserProfile> {
      const user = await readJson(await ask(options), receivedUserProfile)
      return {
        username: user.username ?? undefined,
        email: user.email ?? undefined,
        firstName: user.first_name ?? undefined,
        surname: user.surname ?? undefined,
        isRegistered: user.is_registered ?? undefined,
        collectionCount: user.collection_count ?? user.arcana_count ?? undefined,
        fileCount: user.file_count ?? undefined,
        createdAt: user.created_at ?? undefined,
      }
    },
  }
}

export function createRateLimit({ transport, paths, credentials, limiter }: Context) {
  return {
    /**
     * Asks the platform for the remaining quota: GET on the chat path, whose expected answer is 400 with the headers.
     * 429 is an answer, too.
     *
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
    /** Quota figures of the last response, without a request; each is null until a response names it. */
    dictionary: (): RateLimitDictionary => limiter.dictionary(),
  }
}
