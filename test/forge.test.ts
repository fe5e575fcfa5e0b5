/** Files that the forge reads in `.github`: they never ran there, so their form is checked here. */
import { globSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { z } from 'zod'

const REPOSITORY = fileURLToPath(new URL('..', import.meta.url))
const read = (path: string) => readFileSync(join(REPOSITORY, path), 'utf8')
const load = (path: string): unknown => parse(read(path))
const text = z.string().min(1)
const { scripts, version: packageVersion } = z
  .object({ scripts: z.record(z.string(), z.string()), version: text })
  .parse(JSON.parse(read('package.json')))

// The keys are those of https://docs.github.com/actions/reference/workflows-and-actions/workflow-syntax
const step = z
  .strictObject({
    name: text.optional(),
    id: text.optional(),
    uses: z
      .string()
      .regex(/^[\w.-]+\/[\w.-]+@v\d+$/)
      .optional(),
    run: text.optional(),
    with: z.record(z.string(), z.union([z.string(), z.number(), z.boolean()])).optional(),
    env: z.record(z.string(), z.string()).optional(),
  })
  .refine(({ uses, run }) => (uses === undefined) !== (run === undefined))
const permissions = z.partialRecord(
  z.enum(['contents', 'packages', 'id-token', 'attestations']),
  z.enum(['read', 'write']),
)
const workflow = z.strictObject({
  name: text,
  on: z.strictObject({
    push: z.strictObject({ branches: z.array(text).optional(), tags: z.array(text).optional() }),
    pull_request: z.null().optional(),
  }),
  // Each job says what more it needs.
  permissions: z.strictObject({ contents: z.literal('read') }),
  concurrency: z.strictObject({ group: text, 'cancel-in-progress': z.boolean() }).optional(),
  jobs: z.record(
    z.string().regex(/^[a-z]+$/),
    z.strictObject({
      needs: text.optional(),
      'runs-on': z.literal('ubuntu-latest'),
      'timeout-minutes': z.int().max(120),
      strategy: z.strictObject({ matrix: z.record(z.string(), z.array(z.int())) }).optional(),
      permissions: permissions.optional(),
      steps: z.array(step).min(1),
    }),
  ),
})

const stepsOf = (path: string) => Object.values(workflow.parse(load(path)).jobs).flatMap(({ steps }) => steps)
const runsOf = (path: string) => stepsOf(path).flatMap(({ run }) => run ?? [])
const usesOf = (path: string) => stepsOf(path).flatMap(({ uses }) => uses?.replace(/@.*/, '') ?? [])

describe('the workflows', () => {
  it.each(globSync('.github/workflows/*.yml', { cwd: REPOSITORY }))('%s has the form of the forge', (path) => {
    expect(workflow.safeParse(load(path)).error?.issues ?? []).toEqual([])
    const named = runsOf(path).flatMap((line) =>
      [...line.matchAll(/npm run (?:--silent )?([\w:-]+)/g)].map(([, name = '']) => name),
    )
    expect(named.filter((name) => scripts[name] === undefined)).toEqual([])
    expect(read(path)).toContain('Never run')
  })

  it('would not have a misspelt key, a step of two kinds, or a job without an end', () => {
    const job = { 'runs-on': 'ubuntu-latest', 'timeout-minutes': 5, steps: [{ run: 'true' }] }
    const good = { name: 'x', on: { push: {} }, permissions: { contents: 'read' }, jobs: { one: job } }
    expect(workflow.safeParse(good).success).toBe(true)
    const { 'timeout-minutes': _, ...endless } = job
    for (const bad of [
      { ...job, step: [] },
      { ...job, steps: [{ run: 'true', uses: 'actions/checkout@v5' }] },
      { ...job, steps: [{ uses: 'actions/checkout@main' }] },
      endless,
    ])
      expect(workflow.safeParse({ ...good, jobs: { one: bad } }).success).toBe(false)
  })

  it('call .ci/run, and start on each Node that the README names', () => {
    expect(runsOf('.github/workflows/ci.yml').join('\n')).toContain('.ci/run')
    expect(workflow.parse(load('.github/workflows/ci.yml')).jobs['start']?.strategy?.matrix).toEqual({
      node: [20, 22, 24, 26],
    })
  })

  it('attach where package and image were built, and a bill of materials', () => {
    const path = '.github/workflows/release.yml'
    expect(usesOf(path).filter((name) => name === 'actions/attest-build-provenance')).toHaveLength(2)
    expect(usesOf(path)).toContain('actions/attest-sbom')
    expect(runsOf(path).join('\n')).toContain('--provenance')
  })
})

it('a release is made after the package is on npm, and no image without the check of the tag', () => {
  const path = '.github/workflows/release.yml'
  const { image } = workflow.parse(load(path)).jobs
  const begins = ['test "v$(node -p', 'npm publish ', 'gh release create ']
  const order = begins.map((begin) => runsOf(path).findIndex((line) => line.startsWith(begin)))
  expect(order).not.toContain(-1)
  expect(order).toEqual(order.toSorted((one, other) => one - other))
  expect(image?.needs).toBe('package')
})

const field = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('markdown'), attributes: z.strictObject({ value: text }) }),
  z.strictObject({
    type: z.enum(['textarea', 'input', 'dropdown']),
    id: z.string().regex(/^[\w-]+$/),
    attributes: z.strictObject({
      label: text,
      description: text.optional(),
      placeholder: text.optional(),
      render: text.optional(),
      multiple: z.boolean().optional(),
      options: z.array(text).min(2).optional(),
    }),
    validations: z.strictObject({ required: z.boolean() }).optional(),
  }),
])
const form = z.strictObject({ name: text, description: text, labels: z.array(text), body: z.array(field).min(1) })

describe('the issue forms', () => {
  const forms = globSync('.github/ISSUE_TEMPLATE/*.yml', { cwd: REPOSITORY }).filter(
    (path) => basename(path) !== 'config.yml',
  )

  it.each(forms)('%s has the form of the forge, and each field a name of its own', (path) => {
    const parsed = form.safeParse(load(path))
    expect(parsed.error?.issues ?? []).toEqual([])
    const ids = parsed.data?.body.flatMap((one) => ('id' in one ? [one.id] : [])) ?? []
    expect(new Set(ids).size).toBe(ids.length)
  })
})

it('server.json tells the MCP registry the version of the package', () => {
  const server = z.looseObject({ version: text, packages: z.array(z.looseObject({ version: text })).length(1) })
  const { version, packages } = server.parse(JSON.parse(read('server.json')))
  expect([version, packages[0]?.version]).toEqual([packageVersion, packageVersion])
})

it('dependencies are looked at weekly, and none is taken on its first day', () => {
  const update = z.looseObject({ 'package-ecosystem': text, directory: text, schedule: z.object({ interval: text }) })
  const { updates } = z
    .object({ version: z.literal(2), updates: z.array(update) })
    .parse(load('.github/dependabot.yml'))
  expect(updates.map((one) => one['package-ecosystem']).toSorted()).toEqual(['docker', 'github-actions', 'npm'])
  expect(updates[0]).toHaveProperty('cooldown')
})
