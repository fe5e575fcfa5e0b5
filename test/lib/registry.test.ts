import { describe, expect, it } from 'vitest'
import { createRegistry } from '#lib/registry.ts'

describe('a registry', () => {
  it('prints a counter by its labels, from its first count on', async () => {
    const registry = createRegistry()
    const sends = registry.counter('sends_total', 'Sends.')
    expect(await registry.print()).toBe('# HELP sends_total Sends.\n# TYPE sends_total counter\n')
    sends.inc({ act: 'post', outcome: 'ok' })
    sends.inc({ act: 'post', outcome: 'ok' }, 2.5)
    sends.inc({ act: 'edit', outcome: 'ok' }, 0)
    sends.inc()
    const lines = (await registry.print()).trim().split('\n').slice(2)
    expect(lines).toEqual([
      'sends_total{act="post",outcome="ok"} 3.5',
      'sends_total{act="edit",outcome="ok"} 0',
      'sends_total 1',
    ])
  })

  it('prints a distribution as buckets that hold all below them', async () => {
    const registry = createRegistry()
    const waits = registry.distribution('wait_seconds', 'Waits.', [0.5, 1])
    for (const seconds of [0.5, 0.75, 3]) waits.observe({ kind: 'a' }, seconds)
    const lines = (await registry.print()).trim().split('\n')
    expect(lines).toEqual([
      '# HELP wait_seconds Waits.',
      '# TYPE wait_seconds histogram',
      'wait_seconds_bucket{le="0.5",kind="a"} 1',
      'wait_seconds_bucket{le="1",kind="a"} 2',
      'wait_seconds_bucket{le="+Inf",kind="a"} 3',
      'wait_seconds_sum{kind="a"} 4.25',
      'wait_seconds_count{kind="a"} 3',
    ])
  })

  it('reads a gauge with each look, and leaves out what cannot be told', async () => {
    const registry = createRegistry()
    let depth: number | undefined = 2
    registry.gauge('depth', 'Depth.', async () => depth)
    registry.gauge('connected', 'Connected.', () => [{ labels: { service: 'slack' }, value: 1 }])
    registry.gauge('cpu_seconds_total', 'Time.', () => Infinity, 'counter')
    const text = await registry.print()
    for (const line of ['depth 2', 'connected{service="slack"} 1', '# TYPE cpu_seconds_total counter'])
      expect(text.split('\n')).toContain(line)
    expect(text).toContain('\ncpu_seconds_total +Inf\n')
    depth = undefined
    expect(await registry.print()).not.toMatch(/^depth/m)
  })

  it('escapes a label', async () => {
    const registry = createRegistry()
    registry.counter('a_total', 'A.').inc({ name: 'a "b"\\\n' })
    expect(await registry.print()).toContain(String.raw`a_total{name="a \"b\"\\\n"} 1`)
  })
})
