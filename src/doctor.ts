import { access, constants, mkdir } from 'node:fs/promises'
import { resolve } from 'node:path'
import type { Config } from './config.ts'
import { createPlatformClient } from './platform/client/client.ts'

export interface Finding {
  readonly ok: boolean
  readonly text: string
}

/** Checks the requirements of a start; changes nothing, but creates the data folder. */
export async function diagnose(config: Config): Promise<readonly Finding[]> {
  return [
    { ok: true, text: 'the settings can be read' },
    await check(`the data folder ${resolve(config.DATA_DIR)} can be written`, async () => {
      await mkdir(config.DATA_DIR, { recursive: true })
      await access(config.DATA_DIR, constants.W_OK)
    }),
    ...(config.PLATFORM_BASE_URL === undefined
      ? [
          { ok: true, text: 'the platform is the embedded one' },
          ...(await checkDatabase(config.DATABASE_URL)),
          ...(await checkUpstream(config)),
        ]
      : await checkPlatform(config, config.PLATFORM_BASE_URL)),
    tokenFinding('Slack', config.SLACK_BOT_TOKEN),
    tokenFinding('Discord', config.DISCORD_TOKEN),
  ]
}

function tokenFinding(service: string, token: string | undefined): Finding {
  // Tokens are not tried: a second connection would take events away from a running Footbridge.
  const text = token === undefined ? 'is not set' : 'has a token; whether it is good shows at the start'
  return { ok: true, text: `${service} ${text}` }
}

async function checkDatabase(url: string | undefined): Promise<readonly Finding[]> {
  if (url === undefined) return [{ ok: true, text: 'its collections are in the data folder' }]
  const { checkConnection } = await import('./platform/engine/storage/postgres/pool.ts')
  return [await check('its collections are in PostgreSQL (DATABASE_URL)', () => checkConnection(url))]
}

async function checkUpstream(config: Config): Promise<readonly Finding[]> {
  const baseUrl = config.UPSTREAM_BASE_URL
  if (baseUrl === undefined) return [{ ok: true, text: 'no model server is set: answers quote the files' }]
  return [
    await check(`the model server ${baseUrl} lists its models`, async () => {
      const key = config.UPSTREAM_API_KEY
      const headers = key ? { authorization: `Bearer ${key}` } : undefined
      const response = await fetch(`${baseUrl}/models`, { headers, signal: AbortSignal.timeout(10_000) })
      if (!response.ok) throw new Error(`it answered ${response.status}; see UPSTREAM_BASE_URL and UPSTREAM_API_KEY`)
    }),
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
