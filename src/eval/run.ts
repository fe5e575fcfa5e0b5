import { readFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { firstModel } from '#bridge/channels/models.ts'
import type { ListedModel, Platform } from '#bridge/port/platform.ts'
import { askCase, type CaseResult } from './ask-case.ts'
import { readBaseline, writeBaseline, type Baseline, compare } from './report.ts'
import { readGolden, type GoldenCase } from './golden.ts'
import type { Config } from '#src/config.ts'
import { openEmbeddedPlatform } from '#src/embedded.ts'
import { createLog } from '#start/log.ts'
import { createPlatformClient } from '#platform/client/client.ts'
import { listen } from '#platform/server/listen.ts'

/** `eval --help` prints it. */
export const USAGE = `Usage: footbridge eval golden.jsonl [--collection <name>] [--baseline <file>] [--save] [--worse <number>]
  --collection   the collection to ask, if the set names none
  --baseline     the earlier results; default: golden.baseline.json beside the set, made by the first run
  --save         make this run the new baseline
  --worse        the exit code is 1 if more questions than this got worse; default 0
In a checkout: npm run eval -- golden.jsonl …
`

/** A platform under evaluation. */
export interface Examined {
  readonly platform: Pick<Platform, 'chat' | 'collections'> & {
    readonly models: { list(): Promise<readonly ListedModel[]> }
  }
  /** `PLATFORM_MODEL`; undefined: the first that the platform lists. */
  readonly model: string | undefined
}

export interface Evaluation {
  /** Text to print. */
  readonly text: string
  /** True when more cases got worse than allowed. */
  readonly failed: boolean
}

/**
 * Asks a platform the questions of a golden set and compares with the baseline.
 *
 * @throws {Error} with a sentence for the person at the terminal
 */
export async function runEval(
  words: readonly string[],
  open: () => Promise<Examined & { close(): Promise<void> }>,
  clock: () => number = Date.now,
): Promise<Evaluation> {
  const { path, baselinePath, collection, save, worse } = parse(words)
  const cases = readGolden(readFileSync(path, 'utf8'), path)
  if (cases.length === 0) throw new Error(`${path} holds no question: judge some answers with 👍 or 👎 first.`)
  const unnamed = cases.find(({ collections = [] }) => collections.length === 0)
  if (unnamed !== undefined && collection === undefined) {
    throw new Error(
      `“${unnamed.question}” names no collection: give one with --collection, or export with --collections.`,
    )
  }
  const before = readBaseline(baselinePath)
  const examined = await open()
  try {
    const now = await examine(examined, cases, collection, clock)
    const compared = compare(cases, now, before)
    const isSaved = save || before === undefined
    if (isSaved) writeBaseline(baselinePath, now)
    const kept = isSaved ? [`\nKept as baseline: ${baselinePath}`] : []
    return { text: [compared.text, ...kept].join('\n'), failed: compared.worse > worse }
  } finally {
    await examined.close()
  }
}

async function examine(
  { platform, model: configured }: Examined,
  cases: readonly GoldenCase[],
  collection: string | undefined,
  clock: () => number,
): Promise<Baseline> {
  const model = configured ?? firstModel(await platform.models.list())
  if (model === undefined) throw new Error('The platform lists no model: set PLATFORM_MODEL.')
  const ids = new Map<string, string>()
  const { signal } = new AbortController()
  const results: Record<string, CaseResult> = {}
  for (const one of cases) {
    // One question at a time: the quota of a key is counted by the minute.
    const name = collection ?? one.collections?.[0] ?? ''
    const id = ids.get(name) ?? (await platform.collections.get(name)).id
    ids.set(name, id)
    results[one.id] = await askCase(platform, one, { model, collection: id, signal })
  }
  return { at: new Date(clock()).toISOString(), model, results }
}

function parse(words: readonly string[]) {
  const { positionals, values } = split(words)
  const [path] = positionals
  if (path === undefined || positionals.length > 1) throw new Error(USAGE.trimEnd())
  const worse = Number(values.worse)
  if (!Number.isInteger(worse) || worse < 0) throw new Error(`--worse takes a whole number.\n${USAGE.trimEnd()}`)
  return {
    path,
    baselinePath: values.baseline ?? `${path.replace(/\.jsonl$/, '')}.baseline.json`,
    collection: values.collection,
    save: values.save,
    worse,
  }
}

function split(words: readonly string[]) {
  try {
    return parseArgs({
      args: [...words],
      allowPositionals: true,
      options: {
        collection: { type: 'string' },
        baseline: { type: 'string' },
        save: { type: 'boolean', default: false },
        worse: { type: 'string', default: '0' },
      },
    })
  } catch (error) {
    const why = error instanceof Error ? error.message.split('. ')[0] : String(error)
    throw new Error(`${why}.\n${USAGE.trimEnd()}`, { cause: error })
  }
}

type Opened = Examined & { readonly platform: ReturnType<typeof createPlatformClient>; close(): Promise<void> }

/** The platform of the settings: the hosted one, or the embedded one on `DATA_DIR`, until it is closed. */
export async function openExamined(config: Config): Promise<Opened> {
  const model = config.PLATFORM_MODEL
  if (config.PLATFORM_BASE_URL !== undefined) {
    const client = createPlatformClient({
      baseUrl: config.PLATFORM_BASE_URL,
      apiKey: config.PLATFORM_API_KEY ?? '',
      profile: config.PLATFORM_PROFILE,
      maxRateWaitMs: RATE_WAIT_MS,
      chatCredential: config.PLATFORM_CHAT_CREDENTIAL,
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

/** Longest wait for the rate limit: until the next minute. */
const RATE_WAIT_MS = 65_000
