import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))

/** `short`: `npm test`. `long`: the tests that it leaves out. `all`: both. */
export type Form = 'short' | 'long' | 'all'

/** Suites that take minutes, each with a test of the short form that holds the same promise on fewer inputs. */
export const LONG: Readonly<Record<string, string>> = {
  'test/crash/{slack,discord}.test.ts': 'test/crash/two-kills.test.ts',
  'test/docker.test.ts': 'test/start.test.ts, test/publish/package.test.ts',
  'test/compose-scale.test.ts': 'test/store/postgres/sharing.test.ts',
  'test/eval/cli.test.ts': 'test/eval/run.test.ts',
  'test/e2e/page-look.test.ts': 'test/e2e/page.test.ts',
  'test/e2e/product.test.ts': 'test/e2e/page-files.test.ts',
  'test/leak/{leak,mcp}.test.ts': 'test/bridge/channels/search-scope.test.ts, test/mcp/tools.test.ts',
  'test/mcp/three-processes.test.ts': 'test/mcp/handler.test.ts',
  'test/conformance/our-server-on-postgres.test.ts': 'test/conformance/our-server.test.ts',
  'test/operate/{full-disk,several-processes,backups,trace-over-processes}.test.ts': 'test/sql/full-disk.test.ts',
  'test/platform/engine/storage/catalog/postgres.test.ts': 'test/platform/engine/storage/catalog/sqlite.test.ts',
  'test/platform/engine/storage/postgres/**/{blobs,extensions,hybrid,outage,parity,together,two-engines,two-processes}.test.ts':
    'test/platform/engine/storage/postgres/index/store.test.ts',
  'test/store/postgres/{full,outage}.test.ts': 'test/sql/full-disk.test.ts, test/store/postgres/sharing.test.ts',
  'test/platform/engine/voice/local/hear.speech.test.ts': 'test/platform/engine/local-models/model-process.test.ts',
  'test/platform/engine/convert/endless.test.ts': 'test/platform/engine/convert/growth.test.ts',
  'test/platform/engine/convert/office/large.test.ts': 'test/platform/engine/convert/converter.test.ts',
  'test/adapters/discord/{shards,roles}.test.ts': 'test/adapters/discord/gateway.test.ts',
  'test/adapters/*/outages.test.ts': 'test/adapters/discord/gateway.test.ts',
  'test/adapters/slack/workspaces/whole.test.ts': 'test/adapters/slack/contract.test.ts',
  'test/{lib/linear,bridge/delivery/linear-time}.test.ts': 'test/platform/engine/convert/growth.test.ts',
  'test/scenarios/{commands,formats,quality,scope,services,transcripts}.test.ts': 'test/scenarios/talk.test.ts',
  'test/scenarios/{cards,closings,conversation,direct,failures,home,limits,people,receipts}.test.ts':
    'test/scenarios/files.test.ts, test/scenarios/talk.test.ts',
  'test/scenarios/{long-answer,second-look,spreadsheets}.test.ts': 'test/scenarios/references.test.ts',
  'test/scenarios/programs.test.ts': 'test/bridge/jobs/programs.test.ts',
  'test/scenarios/models.test.ts': 'test/operate/ending-models.test.ts',
  'test/scenarios/slack/changes.test.ts':
    'test/adapters/slack/outbound/tables.test.ts, test/adapters/slack/inbound/shared-token.test.ts, test/adapters/slack/inbound/slow-reads.test.ts',
  'test/scenarios/discord/**/*.test.ts': 'test/scenarios/files.test.ts',
  'test/torture/*.test.ts': 'test/platform/hostile/hostile.test.ts',
}
const findLong = (): readonly string[] => Object.keys(LONG).flatMap((pattern) => globSync(pattern, { cwd: ROOT }))

/** Files of both forms, without those above: `inLong` divides their tests, in the scenarios and the contract suite too. */
const findDivided = (): readonly string[] => {
  const long = new Set(findLong())
  return globSync('test/**/*.test.ts', { cwd: ROOT }).filter((path) => !long.has(path) && isDivided(path))
}

const isDivided = (path: string): boolean =>
  path.startsWith('test/scenarios/') || /\binLong\b|describeConformance\(/.test(readFileSync(join(ROOT, path), 'utf8'))

/**
 * Tags of the tests to run, by path in the repository; a file that is not in it runs all that vitest's settings allow.
 * The long form runs only the tests with `inLong` of a divided file: the short form runs all others.
 */
export const findTags = (form: string | undefined): ReadonlyMap<string, string[]> =>
  new Map(form === 'long' ? findDivided().map((path) => [path, [inLong.tags]]) : [])

/** Vitest's mode as the form. Files that the command line names run whole. */
export function formOf(mode: string, words: readonly string[]): Form {
  if (mode === 'long' || mode === 'all') return mode
  return words.some((word) => word.startsWith('test/')) ? 'all' : 'short'
}

export const filesOf = (form: Form): { readonly include: string[]; readonly exclude: readonly string[] } => ({
  include: form === 'long' ? [...Object.keys(LONG), ...findDivided()] : ['test/**/*.test.ts'],
  exclude: form === 'short' ? Object.keys(LONG) : [],
})

/** Options of a test that the short form leaves out: another test of its file holds the promise. */
export const inLong = { tags: 'long' } as const
