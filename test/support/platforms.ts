import type { ProfileName } from '#platform/wire/profile.ts'
import { startPlatformDouble, type PlatformDouble } from '../doubles/platform/double.ts'
import { startUpstreamDouble, type UpstreamDouble, type UpstreamDoubleOptions } from '../doubles/upstream/double.ts'
import type { Environment } from './footbridge.ts'

export interface WithUpstream {
  readonly env: Environment
  readonly secrets: readonly string[]
  readonly upstream: UpstreamDouble
  close(): Promise<void>
}

/** The embedded platform with a model server. */
export async function withUpstream(
  options: Pick<UpstreamDoubleOptions, 'answerBy' | 'seeing' | 'shutdownDates'> = {},
): Promise<WithUpstream> {
  const apiKey = 'upstream-key-0123456789'
  const upstream = await startUpstreamDouble({ apiKey, ...options })
  return {
    env: {
      UPSTREAM_BASE_URL: upstream.baseUrl,
      UPSTREAM_API_KEY: apiKey,
      UPSTREAM_CHAT_MODEL: 'double-chat',
      UPSTREAM_TRANSCRIPTION_MODEL: 'double-whisper',
    },
    secrets: [apiKey],
    upstream,
    close: () => upstream.close(),
  }
}

export interface WithPlatform {
  readonly env: Environment
  readonly secrets: readonly string[]
  readonly platform: PlatformDouble
  close(): Promise<void>
}

/** A hosted platform of this profile. */
export async function withPlatform(profile: ProfileName): Promise<WithPlatform> {
  // A quota that indexing never waits for.
  const platform = await startPlatformDouble({ profile, perMinute: 30_000 })
  return {
    env: { PLATFORM_BASE_URL: platform.baseUrl, PLATFORM_API_KEY: platform.key, PLATFORM_PROFILE: profile },
    secrets: [platform.key],
    platform,
    close: () => platform.close(),
  }
}
