import type { Config } from '../config.ts'
import { openEmbeddedPlatform } from '../embedded.ts'
import { createLog } from '../log.ts'
import { createPlatformClient } from '../platform/client/client.ts'
import { listen } from '../platform/server/listen.ts'
import type { Examined } from './run.ts'

/** The platform of the settings: the hosted one, or the embedded one on `DATA_DIR`, for as long as it is needed. */
export async function openExamined(config: Config): Promise<Examined & { close(): Promise<void> }> {
  const model = config.PLATFORM_MODEL
  if (config.PLATFORM_BASE_URL !== undefined) {
    const client = createPlatformClient({
      baseUrl: config.PLATFORM_BASE_URL,
      apiKey: config.PLATFORM_API_KEY ?? '',
      profile: config.PLATFORM_PROFILE,
      maxRateWaitMs: RATE_WAIT_MS,
      ...(config.PLATFORM_CHAT_CREDENTIAL === undefined
        ? {}
        : { chatCredential: config.PLATFORM_CHAT_CREDENTIAL }),
    })
    return { platform: client, model, close: () => client.close() }
  }
  const log = createLog('silent')
  const embedded = await openEmbeddedPlatform(config, log, 'bridge')
  const server = await listen({ host: '127.0.0.1', port: 0, fetch: (request) => embedded.fetch(request) })
  const client = createPlatformClient({
    baseUrl: `${server.url}/v1`,
    apiKey: embedded.engine.firstKey.key,
    profile: 'collection',
    maxRateWaitMs: RATE_WAIT_MS,
  })
  return {
    platform: client,
    model,
    async close() {
      await client.close()
      await server.close()
      await embedded.close()
    },
  }
}

/** A minute's quota that is used up is waited for. */
const RATE_WAIT_MS = 65_000
