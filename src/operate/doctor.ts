import { randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { firstModel } from '#bridge/channels/models.ts'
import type { Config } from '#src/config.ts'
import { askCase } from '#eval/ask-case.ts'
import type { GoldenCase } from '#eval/golden.ts'
import { openExamined } from '#eval/run.ts'
import { createPlatformClient } from '#platform/client/client.ts'
import { makePrivate } from '#sql/folder.ts'
import { endingModels, nameEndings } from './ending-models.ts'

export interface Finding {
  readonly ok: boolean
  readonly text: string
  /** Nothing was checked: it is not set. */
  readonly isUnset?: true
}

type Opened = Awaited<ReturnType<typeof openExamined>>

/**
 * Checks the requirements of a start, and asks a question about a file of its own. Changes nothing that stays, but
 * creates the data folder.
 *
 * @param lookAgainMs wait before Slack's connections are counted again, milliseconds. Default 3 s
 */
export async function diagnose(config: Config, lookAgainMs?: number): Promise<readonly Finding[]> {
  const warnings = await askRunning(config)
  return [
    { ok: true, text: 'the settings can be read' },
    checkFolder(config.DATA_DIR),
    ...(config.PLATFORM_BASE_URL === undefined
      ? [
          { ok: true, text: 'the platform is the embedded one' },
          ...(await checkDatabase(config.DATABASE_URL)),
          ...(await checkUpstream(config)),
          await checkMeaning(config),
        ]
      : await checkPlatform(config, config.PLATFORM_BASE_URL)),
    ...(await askQuestion(config)),
    ...(await checkSlackTokens(config, warnings === undefined, lookAgainMs)),
    ...(await checkDiscord(config)),
    ...(warnings ?? []).map((text) => ({ ok: false, text: `the running Footbridge says: ${text}` })),
  ]
}

const READY_MS = 3_000

/** Warnings of a running Footbridge with these settings, from `/readyz`; undefined: none runs here. */
async function askRunning({ HOST: host, PORT: port }: Config): Promise<readonly string[] | undefined> {
  const address = /^(0\.0\.0\.0|::)$/.test(host) ? '127.0.0.1' : host
  try {
    const url = `http://${address.includes(':') ? `[${address}]` : address}:${port}/readyz`
    const body: unknown = await (await fetch(url, { signal: AbortSignal.timeout(READY_MS) })).json()
    if (typeof body !== 'object' || body === null || !('connections' in body)) return undefined
    const warnings: unknown = 'warnings' in body ? body.warnings : []
    return Array.isArray(warnings) ? warnings.map(String) : []
  } catch {
    return undefined
  }
}

function checkFolder(folder: string): Finding {
  try {
    makePrivate(folder)
    return { ok: true, text: `the data folder ${resolve(folder)} can be written` }
  } catch (error) {
    return { ok: false, text: error instanceof Error ? error.message : String(error) }
  }
}

/** A process that shares the database, or uses the folder on another port, has connections of its own. */
async function checkSlackTokens(
  config: Config,
  isSilent: boolean,
  lookAgainMs: number | undefined,
): Promise<readonly Finding[]> {
  const { SLACK_BOT_TOKEN: botToken, SLACK_APP_TOKEN: appToken, SLACK_SIGNING_SECRET: signingSecret } = config
  const { isInUse } = await import('#store/store.ts')
  const isAlone = isSilent && config.DATABASE_URL === undefined && !isInUse(config.DATA_DIR)
  if (config.SLACK_CLIENT_ID !== undefined)
    return checkSlackWorkspaces(config, config.SLACK_CLIENT_ID, { isAlone, lookAgainMs })
  if (botToken === undefined) return [{ ok: true, text: 'Slack: not set', isUnset: true }]
  const { checkSlack } = await import('#adapters/slack/check.ts')
  const { SLACK_API_URL: apiUrl, FILE_HOSTS: fileHosts } = config
  return checkSlack({ botToken, appToken, signingSecret, isAlone, lookAgainMs, apiUrl, fileHosts })
}

/** Reads the installations. Footbridge may be running, and only it renews their tokens. */
async function checkSlackWorkspaces(
  config: Config,
  clientId: string,
  looking: { readonly isAlone: boolean; readonly lookAgainMs: number | undefined },
): Promise<readonly Finding[]> {
  const { checkWorkspaces } = await import('#adapters/slack/workspaces/check-workspaces.ts')
  const { openStateToRead } = await import('#store/store.ts')
  const { DATA_DIR: dataDir, DATABASE_URL: databaseUrl, SECRET_KEY: secrets = [] } = config
  let open: Awaited<ReturnType<typeof openStateToRead>>
  try {
    open = await openStateToRead({ dataDir, databaseUrl }, 'slack-installation', secrets)
    return await checkWorkspaces({
      clientId,
      clientSecret: config.SLACK_CLIENT_SECRET ?? '',
      publicUrl: config.PUBLIC_URL ?? '',
      appToken: config.SLACK_APP_TOKEN,
      signingSecret: config.SLACK_SIGNING_SECRET,
      ...looking,
      apiUrl: config.SLACK_API_URL,
      installations: open?.state,
    })
  } catch (error) {
    return [{ ok: false, text: `Slack: ${error instanceof Error ? error.message : String(error)}` }]
  } finally {
    await open?.close()
  }
}

/** Checks Discord by REST alone: a running Footbridge keeps its connection. */
async function checkDiscord(config: Config): Promise<readonly Finding[]> {
  const { DISCORD_TOKEN: token, DISCORD_API_URL: apiUrl, DISCORD_MESSAGE_CONTENT: content } = config
  if (token === undefined) return [{ ok: true, text: 'Discord: not set', isUnset: true }]
  const { examineDiscord } = await import('#adapters/discord/set-up.ts')
  return examineDiscord({ token, apiUrl, messageContent: content === 'on' })
}

async function checkDatabase(url: string | undefined): Promise<readonly Finding[]> {
  if (url === undefined) return [{ ok: true, text: 'its collections are in the data folder' }]
  const { checkConnection } = await import('#sql/postgres/pool.ts')
  return [await check('its collections are in PostgreSQL (DATABASE_URL)', () => checkConnection(url))]
}

async function checkUpstream(config: Config): Promise<readonly Finding[]> {
  const baseUrl = config.UPSTREAM_BASE_URL
  if (baseUrl === undefined)
    return [{ ok: true, text: 'language model: not set; answers quote the files', isUnset: true }]
  const { examineUpstream } = await import('#platform/engine/upstream/examine.ts')
  return examineUpstream({
    baseUrl,
    apiKey: config.UPSTREAM_API_KEY,
    chatModel: config.UPSTREAM_CHAT_MODEL,
    contextTokens: config.UPSTREAM_CONTEXT_TOKENS,
  })
}

async function checkMeaning(config: Config): Promise<Finding> {
  const { UPSTREAM_BASE_URL: server, UPSTREAM_EMBEDDING_MODEL: served, EMBEDDING_MODEL: model } = config
  if (server !== undefined && served !== undefined) {
    return { ok: true, text: `files are searched by meaning, too (${served} of the model server)` }
  }
  if (model === undefined) {
    // Processes that share a database follow the setting alone.
    const ways = config.DATABASE_URL === undefined ? 'EMBEDDING_MODEL, or the settings of the page' : 'EMBEDDING_MODEL'
    return { ok: true, text: `search by meaning: not set (${ways})`, isUnset: true }
  }
  const { examineLocalModel } = await import('#platform/engine/embedding/local-model.ts')
  const folder = join(config.DATA_DIR, 'platform', 'models')
  return check(`files are searched by meaning, too (EMBEDDING_MODEL=${model})`, () => examineLocalModel(model, folder))
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

const FILE = 'footbridge-doctor.md'
const PASSAGE = 'The lighthouse of Port Ellery was built in 1841, and its lamp is lit at dusk.'
const GOLDEN: GoldenCase = {
  id: 'doctor',
  question: 'When was the lighthouse of Port Ellery built?',
  want: 'answer',
  expected: [{ file: FILE, passage: PASSAGE }],
  rejected: [],
  votes: { up: 0, down: 0 },
  reasons: [],
  models: [],
}
const ASKING_MS = 180_000
const LOOK_MS = 500

/**
 * One question through the platform as the bridge asks it: upload, index pass, retrieval, model, references. And the
 * models that are shut down soon.
 */
async function askQuestion(config: Config): Promise<readonly Finding[]> {
  // The embedded platform gets a folder of its own: that of the settings may be in use by a running process.
  const folder = await mkdtemp(join(tmpdir(), 'footbridge-doctor-'))
  const own = { DATA_DIR: folder, DATABASE_URL: undefined, EMBEDDING_MODEL: undefined, LOG_LEVEL: 'silent' as const }
  const what = 'a question about a small file is answered with the passage'
  const startedAt = performance.now()
  try {
    const examined = await openExamined(config.PLATFORM_BASE_URL === undefined ? { ...config, ...own } : config)
    try {
      const model = await askAbout(examined, `footbridge-doctor-${randomBytes(6).toString('hex')}`)
      const seconds = ((performance.now() - startedAt) / 1000).toFixed(1)
      const answered = { ok: true, text: `${what} (model ${model}, ${seconds} s in all)` }
      return [answered, ...(await examineEndings(config, examined, model))]
    } finally {
      await examined.close()
    }
  } catch (error) {
    return [{ ok: false, text: `${what}: ${error instanceof Error ? error.message : String(error)}` }]
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/** A model of the settings that is shut down soon is a fault; of the others somebody may have chosen one. */
async function examineEndings(config: Config, { platform }: Opened, answering: string): Promise<readonly Finding[]> {
  const { UPSTREAM_EMBEDDING_MODEL: embedding, UPSTREAM_TRANSCRIPTION_MODEL: transcription } = config
  const endings = endingModels(await platform.models.list().catch(() => []), Date.now())
  const isUsed = ({ id }: { readonly id: string }) => [answering, embedding, transcription].includes(id)
  const used = endings.filter(isUsed)
  const others = endings.filter((one) => !isUsed(one))
  return [
    ...(used.length === 0
      ? []
      : [{ ok: false, text: `the model server shuts down ${nameEndings(used)}: set another model before that day` }]),
    ...(others.length === 0
      ? []
      : [{ ok: true, text: `the model server shuts down models that people may have chosen: ${nameEndings(others)}` }]),
  ]
}

async function askAbout({ platform, model: configured }: Opened, collection: string): Promise<string> {
  const signal = AbortSignal.timeout(ASKING_MS)
  const model = configured ?? firstModel(await platform.models.list({ signal }))
  if (model === undefined) throw new Error('the platform lists no model: set PLATFORM_MODEL')
  const { id } = await platform.collections.create(collection, { signal })
  try {
    await platform.files.upload(
      collection,
      { name: FILE, mimeType: 'text/markdown', bytes: new Blob([PASSAGE]) },
      { signal },
    )
    await platform.collections.generateIndex(collection, { signal })
    for (;;) {
      const [file] = await platform.files.list(collection, { signal })
      if (file?.index?.status === 'INDEXED') break
      if (file?.index?.status === 'ERROR') throw new Error(file.index.error ?? 'the platform could not index the file')
      await setTimeout(LOOK_MS, undefined, { signal })
    }
    const { outcome, pass, said } = await askCase(platform, GOLDEN, { model, collection: id, signal })
    if (outcome === 'failed') throw new Error(`${model}: ${said}`)
    if (!pass) throw new Error(`${model} answered without it (${outcome}${said === '' ? '' : `, from ${said}`})`)
    return model
  } finally {
    await platform.collections.delete(collection).catch(() => undefined)
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
