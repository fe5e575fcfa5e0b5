import { describe, expect, test } from 'vitest'
import { PROFILE_NAMES } from '#platform/wire/profile.ts'
import { gatewayTimeout, type Fault } from '#test/doubles/platform/faults.ts'
import { failureOf, setUp, shortLimits, textFile } from './setup.ts'

async function withFile(profile: (typeof PROFILE_NAMES)[number] = 'collection') {
  const found = await setUp(profile, { timeLimits: shortLimits })
  await found.client.collections.create('c')
  await found.client.files.upload('c', textFile('a.md', 'text'))
  return found
}

const html502 = '<html><head><title>502 Bad Gateway</title></head></html>'

describe.each(PROFILE_NAMES)('in the profile %s', (profile) => {
  test.each<[string, Fault]>([
    ['is answered 504 by the gateway', gatewayTimeout()],
    ['is answered 502 by the gateway', { kind: 'status', status: 502, body: html502, carryOut: true }],
    ['loses its connection', { kind: 'drop', carryOut: true }],
    ['stays silent', { kind: 'hang', carryOut: true }],
  ])('a trigger that %s counts as accepted, is sent once, and the pass goes on', async (_, fault) => {
    const { client, double } = await withFile(profile)
    double.script('generate-index', fault)
    expect(await client.collections.generateIndex('c')).toBe('accepted')
    expect(await client.collections.generateIndex('c')).toBe('running')
    const states: (string | undefined)[] = []
    for (let polls = 0; polls < 9 && states.at(-1) !== 'INDEXED'; polls++) {
      states.push((await client.collections.get('c')).index?.status)
    }
    expect(states).toEqual(['PROCESSING', 'PROCESSING', 'INDEXED'])
    expect(double.collections.get('c')?.passes).toBe(1)
    expect(double.requests.filter(({ op }) => op === 'generate-index')).toHaveLength(2)
  })

  test('the file list keeps its old state while a pass is under way, then shows the new one', async () => {
    const { client, double } = await withFile(profile)
    double.script('generate-index', { kind: 'polls', polls: 2 })
    expect(await client.collections.generateIndex('c')).toBe('done')
    const state = async () => (await client.files.list('c'))[0]?.index?.status ?? null
    expect([await state(), await state(), await state()]).toEqual([null, null, 'INDEXED'])
  })

  test('an indexed file that is replaced is not indexed until the next pass', async () => {
    const { client } = await withFile(profile)
    await client.collections.generateIndex('c')
    await client.files.replace('c', textFile('a.md', 'new'))
    expect(await client.files.list('c')).toMatchObject([{ index: { status: 'NOT_INDEXED' } }])
    await client.collections.generateIndex('c')
    expect(await client.files.list('c')).toMatchObject([{ index: { status: 'INDEXED', chunks: 1 } }])
  })
})

test('202 is accepted, 423 is running', async () => {
  const { client, double } = await withFile()
  double.script('generate-index', { kind: 'status', status: 202 })
  double.script('generate-index', { kind: 'status', status: 423, body: '{"detail":"locked"}' })
  expect(await client.collections.generateIndex('c')).toBe('accepted')
  expect(await client.collections.generateIndex('c')).toBe('running')
})

test.each([401, 404, 500, 503])('a trigger that is refused with %i fails and is sent once', async (status) => {
  const { client, double } = await withFile()
  double.script('generate-index', { kind: 'status', status, body: '{"detail":"no"}' })
  expect((await failureOf(client.collections.generateIndex('c'))).status).toBe(status)
  expect(double.requests.filter(({ op }) => op === 'generate-index')).toHaveLength(1)
})

test('a trigger that we stop is aborted, not accepted', async () => {
  const { client, double } = await setUp()
  await client.collections.create('c')
  double.script('generate-index', { kind: 'hang' })
  const controller = new AbortController()
  const call = failureOf(client.collections.generateIndex('c', { signal: controller.signal }))
  const request = await double.seen('generate-index')
  controller.abort()
  expect((await call).code).toBe('aborted')
  await request.closedEarly
})

test('a trigger that nobody listens to is unreachable, not accepted', async () => {
  const { client, double } = await setUp()
  await double.close()
  expect(await failureOf(client.collections.generateIndex('c'))).toMatchObject({
    code: 'unreachable',
    maybeDone: false,
  })
})

test('a state that nobody has heard of is taken for one on its way', async () => {
  const { client, double } = await withFile()
  const body = JSON.stringify([{ name: 'a.md', index_info: { index_status: 'QUEUED' } }])
  double.script('files', { kind: 'status', status: 200, body })
  expect(await client.files.list('c')).toEqual([
    { name: 'a.md', sizeBytes: 0, updatedAt: '', index: { status: 'PENDING', chunks: 0 } },
  ])
})

test('derived files are grouped under their own', async () => {
  const { client, double } = await withFile()
  const file = { size: 1, owner_user_name: 'alice', updated_at: '2026-01-01T00:00:00Z', index_info: null }
  const body = JSON.stringify([
    { ...file, name: 'a.pdf', related_files: [{ ...file, name: 'a.md', related_files: null }] },
  ])
  double.script('files', { kind: 'status', status: 200, body })
  expect(await client.files.list('c')).toMatchObject([{ name: 'a.pdf', related: [{ name: 'a.md' }] }])
})
