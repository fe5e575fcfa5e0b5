import { join } from 'node:path'
import { createSlackbot } from '#adapters/slack/inbound/slackbot.ts'
import type { WebAdapterOptions } from '#adapters/web/adapter.ts'
import type { State } from './bridge/port/state.ts'
import type { Config } from './config.ts'
import { createPageKeys } from './keys/page-keys.ts'
import type { People } from './mcp/askers/find-asker.ts'
import { createTokens } from './mcp/askers/tokens.ts'
import { createMcp, MCP_PATH, type Mcp } from './mcp/handler.ts'
import { createClientDocuments } from './mcp/oauth/client-documents.ts'
import { createOauth } from './mcp/oauth/oauth.ts'
import type { Logger } from './start/log.ts'
import { CONVERT_LIMITS } from './platform/engine/convert/converter.ts'
import { createEngine, type Engine } from './platform/engine/engine.ts'
import { isChatModel, OWN_MODELS, UNLISTED } from './platform/engine/api/models.ts'
import type { Trace } from './platform/engine/trace.ts'
import type { SearchState } from './platform/engine/indexing/backfill.ts'
import { createPlatformApp } from './platform/server/app.ts'
import type { Model } from './platform/wire/models.ts'
import { endingModels, nameEndings } from './operate/ending-models.ts'
import { VERSION } from './start/terminal.ts'

/** The platform inside this process: its engine on `DATA_DIR`, and the HTTP application over it. */
export interface EmbeddedPlatform {
  readonly engine: Engine
  fetch(request: Request): Promise<Response>
  /** The same collections for agents. */
  readonly mcp: Mcp
  /** Functions of the engine that the page calls itself. */
  readonly forPage: Required<Pick<WebAdapterOptions, 'search' | 'chooseMeaning' | 'drawPage'>> &
    Pick<WebAdapterOptions, 'keys'>
  /** For people: who answers, how files are searched, where the first key is. */
  readonly about: { readonly answers: string; readonly search: string; readonly key: string }
  close(): Promise<void>
}

interface MoreParts {
  /** In the text format of Prometheus, for `/metrics`. */
  readonly moreFigures?: () => Promise<string>
  /** Where traces go. */
  readonly trace?: Trace
  /** People whose tokens are taken. */
  readonly people?: People
}

/**
 * @throws {Error} a sentence with the list, when the model server does not list a model of the settings.
 * @param caller `bridge`: refusals are logged by the bridge, so the platform logs them at `debug`. `anybody`: each
 * refusal is a log line.
 */
export async function openEmbeddedPlatform(
  config: Config,
  log: Logger,
  caller: 'bridge' | 'anybody',
  more: MoreParts = {},
): Promise<EmbeddedPlatform> {
  const isQuiet = caller === 'bridge' && config.LOG_LEVEL === 'info'
  const part = log.child({ part: 'platform' }, { level: isQuiet ? 'warn' : config.LOG_LEVEL })
  const engine = await createEngine({
    dataDir: config.DATA_DIR,
    databaseUrl: config.DATABASE_URL,
    log: part,
    trace: more.trace,
    upstream: upstreamOf(config),
    embeddingModel: config.EMBEDDING_MODEL,
    dictionaries: config.DICTIONARIES,
    speech: config.TRANSCRIPTION_MODEL_FILE
      ? { modelFile: config.TRANSCRIPTION_MODEL_FILE, searchPath: config.searchPath }
      : undefined,
    firstKey: config.PLATFORM_API_KEY,
    convert: recognitionOf(config),
  })
  let models: readonly Model[]
  try {
    models = await engine.models()
    refuseUnlisted(config, models)
  } catch (error) {
    await engine.close()
    throw error
  }
  const { mcp, app } = createFaces(config, engine, { log, part, ...more })
  const keys = createPageKeys(engine)
  if (config.WEB_KEYS === 'off') await keys.revokeAll()
  return {
    engine,
    fetch: (request) => app.fetch(request),
    mcp,
    forPage: {
      search: () => engine.search(),
      chooseMeaning: (on) => engine.chooseMeaning(on),
      keys: config.WEB_KEYS === 'on' ? keys : undefined,
      drawPage: async (pdf, page, signal) =>
        new Uint8Array(await engine.documents.drawPage(pdf.stream(), page, signal, 'the page')),
    },
    about: {
      answers: describeAnswers(config, models),
      search: describeSearch(engine.search()),
      key: describeKey(config, engine.firstKey),
    },
    async close() {
      await mcp.close()
      await engine.close()
    },
  }
}

/** As in the lines of the start: programs compare it with the address that a person typed. */
const mcpAddress = ({ PUBLIC_URL: url, HOST: host, PORT: port, loopback }: Config) =>
  new URL(MCP_PATH, url ?? `http://${loopback && !host.includes(':') ? host : 'localhost'}:${port}`).href

/** Programs that act for people: by a token, after a sign-in, or by the signature of Slack. */
export function createPrograms(config: Config, store: { state(namespace: string): State }, access: People['access']) {
  const state = store.state('mcp-token')
  const address = mcpAddress(config)
  const { SLACK_SIGNING_SECRET: secret } = config
  // Without PUBLIC_URL, the address is good on this machine only.
  const isKnown = config.PUBLIC_URL !== undefined || config.loopback
  const documents = config.MCP_CLIENT_DOCUMENTS === 'on' ? createClientDocuments(Date.now) : undefined
  return {
    tokens: createTokens(state, address),
    oauth: isKnown ? createOauth(state, address, { documents }) : undefined,
    readSigned: secret === undefined ? undefined : createSlackbot(secret),
    access,
  }
}

/** The interface of the platform, and the one for agents. */
function createFaces(
  config: Config,
  engine: Engine,
  parts: MoreParts & { readonly log: Logger; readonly part: Logger },
) {
  const { PLATFORM_CORS_ORIGINS: corsOrigins, PLATFORM_MODEL: model } = config
  const { log, part, trace, moreFigures, people } = parts
  const mcp = createMcp({
    engine,
    log: log.child({ part: 'mcp' }),
    version: VERSION,
    trace,
    people,
    corsOrigins,
    model,
  })
  const app = createPlatformApp({
    engine,
    log: part,
    corsOrigins,
    collectionsAsModels: config.PLATFORM_COLLECTIONS_AS_MODELS === 'on',
    trace,
    tellsProcess: moreFigures === undefined,
    moreFigures: async () => `${await mcp.print()}${(await moreFigures?.()) ?? ''}`,
  })
  return { mcp, app }
}

const UPSTREAM_MODELS = ['UPSTREAM_CHAT_MODEL', 'UPSTREAM_EMBEDDING_MODEL', 'UPSTREAM_TRANSCRIPTION_MODEL'] as const

function refuseUnlisted(config: Config, models: readonly Model[]): void {
  const listed = models.filter(({ status, owned_by: owner }) => status !== UNLISTED && owner !== OWN_MODELS)
  const wrong = models.filter(({ status }) => status === UNLISTED).map(({ id }) => id)
  const faults = UPSTREAM_MODELS.filter((name) => wrong.includes(config[name] ?? ''))
  if (faults.length === 0) return
  const named = faults.map((name) => `${name}=${config[name]}`).join(', ')
  throw new Error(
    modelNotListed(
      named,
      String(config.UPSTREAM_BASE_URL),
      listed.map(({ id }) => id),
    ),
  )
}

const MAX_LISTED = 30

/** The sentence about a model that a server does not list. */
export function modelNotListed(setting: string, server: string, ids: readonly string[]): string {
  const shown = ids.slice(0, MAX_LISTED).map((id) => `  - ${id}`)
  const rest = ids.length > shown.length ? [`  - … and ${ids.length - shown.length} more`] : []
  return [`${setting}: ${server} does not list this model. Set one of these:`, ...shown, ...rest].join('\n')
}

function recognitionOf({ OCR_LANGUAGES: languages }: Config) {
  if (languages === undefined) return undefined
  return { recognition: { ...CONVERT_LIMITS.recognition, languages: languages.filter((name) => name !== 'off') } }
}

function upstreamOf(config: Config) {
  if (config.UPSTREAM_BASE_URL === undefined) return undefined
  return {
    baseUrl: config.UPSTREAM_BASE_URL,
    apiKey: config.UPSTREAM_API_KEY,
    contextTokens: config.UPSTREAM_CONTEXT_TOKENS,
    chatModel: config.UPSTREAM_CHAT_MODEL,
    embeddingModel: config.UPSTREAM_EMBEDDING_MODEL,
    embeddingPrefixes: {
      question: config.UPSTREAM_EMBEDDING_QUESTION_PREFIX,
      passage: config.UPSTREAM_EMBEDDING_PASSAGE_PREFIX,
    },
    transcriptionModel: config.UPSTREAM_TRANSCRIPTION_MODEL,
  }
}

/** The ends of the model that answers and of the others in the settings. */
function describeEndings(config: Config, answering: Model, models: readonly Model[]): string {
  const set = new Set<unknown>([answering.id, ...UPSTREAM_MODELS.map((name) => config[name])])
  const used = models
    .filter(({ id }) => set.has(id))
    .map(({ id, shutdown_date: shutdownDate }) => ({ id, shutdownDate }))
  const endings = endingModels(used, Date.now())
  return endings.length === 0
    ? ''
    : `; the server shuts down ${nameEndings(endings)}: set another model before that day`
}

/** The model that answers, and where it is. */
function describeAnswers(config: Config, models: readonly Model[]): string {
  const { UPSTREAM_BASE_URL: server, PLATFORM_MODEL: chosen } = config
  if (server === undefined) return 'quotes from the files; no language model is set'
  const chats = models.filter((model) => isChatModel(model) && model.owned_by !== OWN_MODELS)
  const model = chats.find(({ id }) => id === chosen) ?? chats[0]
  if (model === undefined) return `quotes from the files; ${server} lists no language model (the log says why)`
  if (model.status === 'offline') return `${model.id} of ${server}, which does not list its models (the log says why)`
  const isFirst = chosen === undefined && config.UPSTREAM_CHAT_MODEL === undefined && chats.length > 1
  const first = isFirst ? ` (first of ${chats.length} models)` : ''
  return `${model.id}${first} of ${server}${describeEndings(config, model, models)}`
}

/** Says where the first key is kept; the key itself where it was made just now. */
function describeKey({ DATA_DIR: folder }: Config, { key, created }: Engine['firstKey']): string {
  const path = join(folder, 'platform-key')
  // Standard output that is not a terminal is usually a log, with more readers.
  return created && process.stdout.isTTY ? `${key} (shown once, kept in ${path})` : path
}

/** How files are searched. */
function describeSearch(search: SearchState): string {
  if (search.by === 'words') return 'by words'
  const { model, state, percent } = search
  if (state === 'unusable') return `by words; ${model} can't be used (the log says why)`
  return `by words and meaning (${model}${state === 'ready' ? '' : `, being prepared: ${percent} %`})`
}
