import { access, constants, mkdir } from 'node:fs/promises'
import { resolve } from 'node:path'
import type { Config } from './config.ts'
import { createPlatformClient } from './platform/client/client.ts'

export interface Finding {
  readonly ok: boolean
  readonly text: string
}

/** Looks at what a start would need; changes nothing but the data folder, which it makes. */
export async function diagnose(config: Config): Promise<readonly Finding[]> {
  return [
    { ok: true, text: 'the settings can be read' },
    await check(`the data folder ${resolve(config.DATA_DIR)} can be written`, async () => {
      await mkdir(config.DATA_DIR, { recursive: true })
      await access(config.DATA_DIR, constants.W_OK)
    }),
    ...(config.PLATFORM_BASE_URL === undefined
      ? [{ ok: true, text: 'the platform is the embedded one' }]
      : await checkPlatform(config, config.PLATFORM_BASE_URL)),
    ...(config.SLACK_BOT_TOKEN === undefined ? [{ ok: true, text: 'Slack is not set' }] : []),
    ...(config.DISCORD_TOKEN === undefined ? [{ ok: true, text: 'Discord is not set' }] : []),
  ]
}

async function checkPlatform(config: Config, baseUrl: string): Promise<readonly Finding[]> {
  const client = createPlatformClient({
    baseUrl,
    apiKey: config.PLATFORM_API_KEY ?? '',
    profile: config.PLATFORM_PROFILE,
  })
  try {
    return [
      await check(`${baseUrl} is alive`, () => client.heartbeat()),
      await check('the key is good for models', () => client.models.list()),
      await check('the key is good for collections', () => client.collections.list()),
    ]
  } finally {
    await client.close()
  }
}

async function check(text: string, probe: () => Promise<unknown>): Promise<Finding> {
  try {
    await probe()
    return { ok: true, text }
  } catch (error) {
    return { ok: false, text: `${text}: ${error instanceof Error ? error.message : String(error)}` }
  }
}
