import { setTimeout as sleep } from 'node:timers/promises'
import { Pool } from 'undici'
import { fillCollection, startPlatform } from '../platform.ts'
import { cpuMsOf } from '../process.ts'
import type { Row } from '../row.ts'
import { median, quantile } from '../statistics.ts'
import { createProse, sectionsOf } from '../words.ts'

const AT_ONCE = 50
/** All calls of the row together stay within the 6,000 a minute of the first key. */
const CALLS = 300
/** The engine under load is warm after some hundreds of calls, the SDK later. */
const WARM_UPS = 600
const ROUNDS = 3
/** A call of each of the fifty within this time: less than a core has to do. */
const PACE_MS = 1000
const PACED_CALLS = 10
const CHUNKS = 1000
const FOUND = 10

type Ask = (query: string) => readonly [path: string, body: object]

const byStore: Ask = (query) => ['/v1/vector_stores/bench/search', { query, max_num_results: FOUND }]
const byMcp: Ask = (query) => [
  '/mcp',
  { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'search', arguments: { query, limit: FOUND } } },
]

/** `search` over MCP next to the same search of the engine over HTTP, in turn, fifty at once. */
export const mcpRow: Row = {
  name: 'mcp',
  limitMs: 180_000,
  async run(scope) {
    const platform = await startPlatform(scope)
    const prose = createProse(7)
    const sentences = Array.from({ length: CHUNKS * 16 }, () => prose.sentence())
    await fillCollection(platform, sectionsOf(sentences))
    const pool = new Pool(new URL(platform.baseUrl).origin, { connections: AT_ONCE })
    scope.defer(() => pool.close())
    const headers = {
      authorization: `Bearer ${platform.key}`,
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
    }
    let number = 0
    async function askOne(ask: Ask): Promise<number> {
      const [path, body] = ask(prose.questionFor(sentences[((number += 1) * 37) % sentences.length] ?? ''))
      const at = performance.now()
      const answer = await pool.request({ method: 'POST', path, headers, body: JSON.stringify(body) })
      const text = await answer.body.text()
      if (answer.statusCode !== 200 || text.includes('"isError":true'))
        throw new Error(`${path} was answered with ${answer.statusCode}: ${text.slice(0, 500)}`)
      return performance.now() - at
    }
    /** Fifty in flight: the process has always more to do. */
    async function askAll(ask: Ask, count: number) {
      const samples: number[] = []
      let left = count
      const cpu = cpuMsOf(platform.pid)
      const one = async () => {
        while ((left -= 1) >= 0) samples.push(await askOne(ask))
      }
      await Promise.all(Array.from({ length: AT_ONCE }, one))
      return { samples, cpuMs: cpuMsOf(platform.pid) - cpu }
    }
    /** Fifty agents, each with its own pace: what a call takes while the process keeps up. */
    async function askPaced(ask: Ask): Promise<readonly number[]> {
      const samples: number[] = []
      const one = async (_: unknown, at: number) => {
        await sleep((PACE_MS * at) / AT_ONCE)
        for (let call = 0; call < PACED_CALLS; call += 1) {
          const ms = await askOne(ask)
          samples.push(ms)
          await sleep(Math.max(0, PACE_MS - ms))
        }
      }
      await Promise.all(Array.from({ length: AT_ONCE }, one))
      return samples
    }
    const ways = [byStore, byMcp].map((ask) => ({ ask, samples: [] as number[], paced: [] as number[], cpuMs: 0 }))
    for (const { ask } of ways) await askAll(ask, WARM_UPS)
    for (let round = 0; round < ROUNDS; round += 1)
      for (const way of ways) {
        const { samples, cpuMs } = await askAll(way.ask, CALLS)
        way.samples.push(...samples)
        way.paced.push(quantile(await askPaced(way.ask), 0.95))
        way.cpuMs += cpuMs
      }
    const [engine = 0, mcp = 0] = ways.map(({ cpuMs }) => cpuMs / (CALLS * ROUNDS))
    const [p95Engine = 0, p95Mcp = 0] = ways.map(({ samples }) => quantile(samples, 0.95))
    // What else the machine does for a moment must not decide: the middle one of the rounds.
    const [pacedEngine = 0, pacedMcp = 0] = ways.map(({ paced }) => median(paced))
    const where = `${CHUNKS} chunks`
    const than = 'more than the engine over HTTP'
    return [
      {
        name: `search over MCP, ${where}, ${AT_ONCE} at once, ${than}, by processor time`,
        value: mcp - engine,
        unit: 'ms',
        goal: 3,
        detail: `${mcp.toFixed(2)} ms against ${engine.toFixed(2)} ms a call`,
      },
      {
        name: `search over MCP, ${where}, ${AT_ONCE} agents that ask once a second, ${than}, p95`,
        value: pacedMcp - pacedEngine,
        unit: 'ms',
        goal: 3,
        detail: `${pacedMcp.toFixed(1)} ms against ${pacedEngine.toFixed(1)} ms`,
      },
      {
        name: `search over MCP, ${where}, ${AT_ONCE} in flight all the time, p95`,
        value: p95Mcp,
        unit: 'ms',
        detail: `the engine over HTTP ${p95Engine.toFixed(0)} ms: fifty times the processor time of a call`,
      },
    ]
  },
}
