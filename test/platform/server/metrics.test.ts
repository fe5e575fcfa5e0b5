import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { ferryPages, makePdf } from '#test/fixtures/pdf.ts'
import { addKey } from './people.ts'
import { management, openPlatform, toForm, type TestPlatform } from './platform.ts'

/** Figure of one series; undefined when it is not there. */
const value = (text: string, series: string) => {
  const line = text.split('\n').find((one) => one.startsWith(`${series} `))
  return line === undefined ? undefined : Number(line.slice(series.length + 1))
}

describe('metrics', () => {
  let platform: TestPlatform
  beforeEach(async () => {
    platform = await openPlatform({ over: 'socket', withUpstream: true })
  })
  afterEach(() => platform.close())

  const read = async () => (await platform.call('GET', '/metrics', { bearer: true })).text()
  it('count requests by the pattern of their route, never by names of people’s own', async () => {
    await platform.fill('secret-name', { 'a.md': '# A\n\nText.' })
    await platform.call('GET', `${management}/collection/secret-name`)
    await platform.call('GET', `${management}/collection/gone`)
    const text = await read()
    const route = `method="GET",route="${management}/collection/:name"`
    expect(value(text, `footbridge_requests_total{${route},status="200"}`)).toBe(1)
    expect(value(text, `footbridge_requests_total{${route},status="404"}`)).toBe(1)
    expect(value(text, `footbridge_request_duration_seconds_count{${route}}`)).toBe(2)
    expect(value(text, `footbridge_request_duration_seconds_bucket{le="+Inf",${route}}`)).toBe(2)
    expect(text).not.toMatch(/secret-name|gone/)
  })

  it('have buckets that only grow', async () => {
    await platform.call('GET', '/v1/models', { bearer: true })
    const counts = [...(await read()).matchAll(/le="[^"]+",method="GET",route="\/v1\/models"\} (\d+)/g)].map((one) =>
      Number(one[1]),
    )
    expect(counts.length).toBeGreaterThan(10)
    expect(counts).toEqual(counts.toSorted((one, other) => one - other))
  })

  it('count index passes, their chunks and the files that failed', async () => {
    await platform.fill('notes', { 'a.md': '# A\n\nText.', 'broken.pdf': '%PDF-1.7\nno more than this' })
    await platform.call('POST', `${management}/collection/gone/generate-index`)
    const text = await read()
    expect(value(text, 'footbridge_index_passes_total{outcome="ended"}')).toBe(1)
    expect(value(text, 'footbridge_index_passes_total{outcome="failed"}')).toBe(0)
    expect(value(text, 'footbridge_index_passes_running')).toBe(0)
    expect(value(text, 'footbridge_chunks_indexed_total')).toBe(1)
    expect(value(text, 'footbridge_files_failed_total')).toBe(1)
  })

  it('count passes that began and failed, whatever ended them', async () => {
    await platform.fill('notes', { 'a.md': '# A' })
    const body = toForm('file', 'h.pdf', await makePdf(ferryPages))
    await platform.call('POST', `${management}/collection/notes/files/`, { body })
    const pass = () => platform.call('POST', `${management}/collection/notes/generate-index`)
    const { execPath } = process
    process.execPath = '/nowhere/node'
    const [failed, refused] = await Promise.all([pass(), pass()]).finally(() => (process.execPath = execPath))
    expect([failed.status, refused.status]).toEqual([503, 409])
    expect(value(await read(), 'footbridge_index_passes_total{outcome="failed"}')).toBe(1)
  })

  it('tell the streams that are open, until their reader has left', async () => {
    platform.upstream.script({ kind: 'fault', fault: 'hang', after: ['Half an '] })
    const leave = new AbortController()
    const response = await platform.call('POST', '/v1/chat/completions', {
      json: { model: 'double-chat', messages: [{ role: 'user', content: 'x' }], stream: true },
      bearer: true,
      signal: leave.signal,
    })
    await response.body?.getReader().read()
    expect(value(await read(), 'footbridge_streams_open')).toBe(1)
    const asked = platform.upstream.requests.at(-1)
    leave.abort()
    expect(await asked?.ended).toBe('left')
    await expect.poll(async () => value(await read(), 'footbridge_streams_open')).toBe(0)
  })

  it('are in the form of Prometheus, every series with its help and type', async () => {
    const response = await platform.call('GET', '/metrics', { bearer: true })
    expect(response.headers.get('content-type')).toBe('text/plain; version=0.0.4; charset=utf-8')
    const text = await response.text()
    const typed = [...text.matchAll(/^# TYPE (\w+) (?:counter|gauge|histogram)$/gm)].map((one) => one[1] ?? '')
    const lines = text.split('\n').filter((line) => line !== '')
    const untyped = lines.filter((line) => {
      const name = /^(\w+?)(?:_bucket|_sum|_count)?(?:\{[^}]*\})? [\d.e+-]+$/.exec(line)?.[1]
      return !line.startsWith('# ') && (name === undefined || !typed.includes(name))
    })
    expect(lines.length).toBeGreaterThan(20)
    expect(untyped).toEqual([])
    expect(value(text, 'process_resident_memory_bytes')).toBeGreaterThan(1e6)
  })

  it('are for the operator: keys of the first user, not those of others', async () => {
    const [other, second] = [await addKey(platform, 'ada'), await addKey(platform, 'local')]
    expect((await platform.call('GET', '/metrics', { key: null })).status).toBe(401)
    const refused = await platform.call('GET', '/metrics', { key: other.key })
    expect(refused.status).toBe(403)
    expect(await refused.text()).not.toContain('footbridge_')
    expect((await platform.call('GET', '/metrics', { key: second.key })).status).toBe(200)
  })

  it('use up no quota', async () => {
    const before = await platform.call('GET', '/metrics')
    const after = await platform.call('GET', '/metrics')
    const left = 'x-ratelimit-remaining-month'
    expect(after.headers.get(left)).toBe(before.headers.get(left))
  })

  it('do not confuse a file with a collection', async () => {
    await platform.fill('notes', {})
    await platform.call('POST', `${management}/collection/notes/files/`, { body: toForm('file', 'a.md', '# A') })
    const route = `method="POST",route="${management}/collection/:name/files"`
    expect(value(await read(), `footbridge_requests_total{${route},status="201"}`)).toBe(1)
  })
})
