/** The rules of the house hold, and the checks that hold them can fail. */
import { execFile } from 'node:child_process'
import { cpSync, globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Graph, readGraph } from './support/imports/graph.ts'
import { RULES } from './support/imports/rules.ts'
import { findViolations, type Violation } from './support/imports/violations.ts'

const run = promisify(execFile)
const REPOSITORY = fileURLToPath(new URL('..', import.meta.url))
const sources = globSync('{src,adapters}/**/*.{ts,tsx}', { cwd: REPOSITORY })
const tests = globSync('test/**/*.ts', { cwd: REPOSITORY })
const read = (path: string) => readFileSync(join(REPOSITORY, path), 'utf8')

const offenders = (paths: readonly string[], pattern: RegExp) => paths.filter((path) => pattern.test(read(path)))

// One planted file for each rule, and a second one where a rule could be half blind.
const PLANTS: readonly (readonly [rule: string, path: string, text: string])[] = [
  ['bridge-order-port', 'src/bridge/port/plant.ts', "import '../texts/texts.ts'"],
  ['bridge-order-texts', 'src/bridge/texts/plant.ts', "import '../delivery/split.ts'"],
  ['bridge-order-delivery', 'src/bridge/delivery/plant.ts', "import '../channels/models.ts'"],
  ['bridge-order-channels', 'src/bridge/channels/plant.ts', "import '../files/versions.ts'"],
  ['bridge-order-files', 'src/bridge/files/plant.ts', "import '../references/splitter.ts'"],
  ['bridge-order-references', 'src/bridge/references/plant.ts', "import '../answers/answer.ts'"],
  ['bridge-order-answers', 'src/bridge/answers/plant.ts', "import '../voice/transcript.ts'"],
  ['bridge-order-voice', 'src/bridge/voice/plant.ts', "import '../features/answers/vote.ts'"],
  ['bridge-order-features', 'src/bridge/features/plant.ts', "import '../jobs/worker.ts'"],
  ['bridge-order-jobs', 'src/bridge/jobs/plant.ts', "import '../bridge.ts'"],
  ['lib-is-pure', 'src/lib/plant-package.ts', "import 'yaml'"],
  ['lib-is-pure', 'src/lib/plant-bridge.ts', "import type {} from '../bridge/port/message.ts'"],
  ['lexicon-knows-nobody', 'src/lexicon/plant-package.ts', "import 'yaml'"],
  ['lexicon-knows-nobody', 'src/lexicon/plant-bridge.ts', "import type {} from '../bridge/port/message.ts'"],
  ['encodings-live-in-lib', 'src/store/plant-encoding.ts', "import 'iconv-lite'"],
  ['bridge-is-pure', 'src/bridge/plant-package.ts', "import 'yaml'"],
  ['bridge-is-pure', 'src/bridge/plant-platform.ts', "import type {} from '../platform/client/client.ts'"],
  ['adapter-sees-only-the-port', 'adapters/slack/plant-bridge.ts', "import '#bridge/answers/answer.ts'"],
  ['adapter-sees-only-the-port', 'adapters/slack/plant-twin.ts', "import type {} from '../discord/config.ts'"],
  ['adapter-sees-only-the-port', 'adapters/web/plant-config.ts', "import '#src/config.ts'"],
  ['mcp-sees-ports-and-engine', 'src/mcp/plant-bridge.ts', "import '#bridge/channels/authorize.ts'"],
  ['mcp-sees-ports-and-engine', 'src/mcp/plant-server.ts', "import '#platform/server/app.ts'"],
  ['mcp-is-composed-only', 'src/bridge/plant-mcp.ts', "import '../mcp/handler.ts'"],
  ['mcp-sdk', 'src/mcp/plant-sdk.ts', "import '@modelcontextprotocol/server'"],
  ['outbound-knows-no-inbound', 'adapters/slack/outbound/plant.ts', "import '../inbound/message.ts'"],
  ['shared-knows-no-service', 'adapters/shared/plant-adapter.ts', "import '../slack/config.ts'"],
  ['shared-knows-no-service', 'adapters/shared/plant-package.ts', "import type {} from 'hono'"],
  ['shared-knows-no-service', 'adapters/shared/plant-bridge.ts', "import '#bridge/delivery/split.ts'"],
  ['platform-knows-no-bridge', 'src/platform/server/plant-bridge.ts', "import type {} from '#bridge/port/message.ts'"],
  ['wire-knows-nobody', 'src/platform/wire/plant.ts', "import '../client/errors.ts'"],
  ['client-sees-only-wire', 'src/platform/client/plant.ts', "import '../engine/errors.ts'"],
  ['engine-sees-only-wire', 'src/platform/engine/plant.ts', "import '../client/errors.ts'"],
  ['engine-sees-only-wire', 'src/platform/engine/plant-type.ts', "import type {} from '../client/client.ts'"],
  ['server-sees-wire-and-engine', 'src/platform/server/plant-client.ts', "import '../client/errors.ts'"],
  ['sql-knows-nobody', 'src/sql/plant.ts', "import '../store/store.ts'"],
  ['sql-in-stores', 'adapters/web/server/plant-sql.ts', "import '#sql/sqlite/file.ts'"],
  ['store-sees-its-port', 'src/store/plant.ts', "import '../bridge/answers/answer.ts'"],
  ['only-main-composes', 'src/plant-main.ts', "import './main.ts'"],
  ['slack-sdk', 'adapters/discord/plant-slack.ts', "import '@slack/web-api'"],
  ['discord-sdk', 'adapters/web/plant-discord.ts', "import 'discord.js'"],
  ['undici', 'adapters/web/plant-undici.ts', "import 'undici'"],
  ['sse', 'src/platform/server/plant-sse.ts', "import 'eventsource-parser'"],
  ['pino', 'src/store/plant-pino.ts', "import type {} from 'pino'"],
  ['pg', 'src/platform/engine/plant-pg.ts', "import type {} from 'pg'"],
  ['pg', 'src/store/plant-pg.ts', "import 'pg'"],
  ['http-only-in-server', 'adapters/slack/plant-http.ts', "import 'node:http'"],
  ['no-test-in-product', 'src/plant-test.ts', "import '../test/plant.ts'"],
  ['no-circular', 'src/plant-circle-a.ts', "import './plant-circle-b.ts'"],
  ['no-unresolvable', 'src/plant-nowhere.ts', "import './nowhere.ts'"],
  ['no-unresolvable', 'src/plant-prefix.ts', "import '#nobody/config.ts'"],
  ['no-unresolvable', 'src/plant-folder.ts', "import './lib'"],
  ['no-orphans', 'src/plant-orphan.ts', 'export const alone = 1'],
  ['no-dev-dep', 'src/plant-dev.ts', "import 'vitest'"],
  // Each way to write an import is seen.
  ['only-main-composes', 'src/plant-export.ts', "export {} from './main.ts'"],
  ['only-main-composes', 'src/plant-export-all.ts', "export * from './main.ts'"],
  ['only-main-composes', 'src/plant-call.ts', 'await import("./main.ts")'],
  ['only-main-composes', 'src/plant-template.ts', 'await import(`./main.ts`)'],
  ['only-main-composes', 'src/plant-type.ts', 'export type Planted = import("./main.ts").Planted'],
]

const HELPERS: typeof PLANTS = [
  ['', 'test/plant.ts', 'export {}'],
  // A circle is reported once, from the file that comes first.
  ['', 'src/plant-circle-b.ts', "import type {} from './plant-circle-a.ts'"],
]

describe('each rule of the boundary check', () => {
  const copy = mkdtempSync(join(tmpdir(), 'footbridge-rules-'))
  let graph: Graph
  let violations: readonly Violation[]

  beforeAll(() => {
    for (const path of ['src', 'adapters', 'package.json']) {
      cpSync(join(REPOSITORY, path), join(copy, path), { recursive: true })
    }
    symlinkSync(join(REPOSITORY, 'node_modules'), join(copy, 'node_modules'))
    for (const [, path, text] of [...PLANTS, ...HELPERS]) {
      mkdirSync(dirname(join(copy, path)), { recursive: true })
      writeFileSync(join(copy, path), `${text}\n`)
    }
    graph = readGraph(copy)
    violations = findViolations(graph)
  })

  afterAll(() => rmSync(copy, { recursive: true }))

  it('holds in every module of src and adapters', () => {
    const planted = new Set([...PLANTS, ...HELPERS].map(([, path]) => path))
    const own = violations.filter(({ from }) => !planted.has(from))
    expect(own.map(({ rule, from, to }) => `${rule.name}: ${from} → ${to}`)).toEqual([])
    const seen = new Set(graph.files)
    expect(sources.filter((path) => !seen.has(path))).toEqual([])
    expect(sources.length).toBeGreaterThan(60)
    expect(graph.imports.length).toBeGreaterThan(4000)
  })

  it.each(PLANTS)('%s catches %s', (rule, path) => {
    expect(violations.filter(({ from }) => from === path).map((violation) => violation.rule.name)).toContain(rule)
  })

  it('is tried', () => {
    const names = RULES.map(({ name }) => name)
    expect([...new Set(PLANTS.map(([rule]) => rule))].toSorted()).toEqual(names.toSorted())
  })
})

describe('the house', () => {
  it('has no file of more than 300 lines', () => {
    const long = sources.filter((path) => read(path).split('\n').length - 1 > 300)
    expect(long).toEqual([])
  })

  it('has no function of more than 60 lines: the linter says so', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'footbridge-lint-'))
    const path = join(folder, 'planted.ts')
    writeFileSync(path, `export function planted(): void {\n${'  console.log()\n'.repeat(60)}}\n`)
    const words = ['-c', join(REPOSITORY, '.oxlintrc.json'), path]
    const found = await run(join(REPOSITORY, 'node_modules/.bin/oxlint'), words).catch((error: unknown) => error)
    rmSync(folder, { recursive: true })
    expect(found).toMatchObject({ stdout: expect.stringContaining('max-lines-per-function') })
  })

  it('reads the environment in one place', () => {
    expect(offenders(sources, /\bprocess\.env\b|from 'node:process'/)).toEqual(['src/config.ts'])
  })

  it('holds every adapter to the contract', () => {
    const folders = sources.flatMap((path) => /^adapters\/([^/]+)\//.exec(path)?.[1] ?? [])
    const adapters = new Set(folders.filter((name) => name !== 'shared'))
    const held = [...adapters].filter((name) =>
      /\badapterContract\(/.test(read(`test/adapters/${name}/contract.test.ts`)),
    )
    expect(adapters.size).toBeGreaterThanOrEqual(3)
    expect(held).toEqual([...adapters])
  })

  it('mocks no module', () => {
    expect(offenders(tests, new RegExp(String.raw`\bvi\.(do)?` + 'mock'))).toEqual([])
  })

  it('leaves no test out', () => {
    expect(offenders(tests, /\b(it|test|describe)\.(only|skip|todo|skipIf|runIf)\b/)).toEqual([])
  })

  it('leaves nothing for later in the product', () => {
    expect(offenders(sources, /\b(TODO|FIXME|XXX)\b/)).toEqual([])
  })

  it('names no folder of a developer’s machine and no package registry', async () => {
    const { stdout } = await run('git', ['ls-files', '-z'], { cwd: REPOSITORY })
    const texts = stdout.split('\0').filter((path) => /\.(ts|tsx|mjs|json|md|ya?ml|css|html)$|run$|file$/.test(path))
    expect(texts.length).toBeGreaterThan(100)
    // Folders under which people keep checkouts; a path inside a sentence or a test may begin with another.
    expect(offenders(texts, /(?<![\w.:/])\/(home|Users|work|workspaces?)\/[\w-]+/)).toEqual([])
    expect(offenders(['package-lock.json'], /"resolved": "http/)).toEqual([])
  })
})
