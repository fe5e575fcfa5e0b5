import { Pool } from 'undici'
import { fillCollection, startPlatform } from '../platform.ts'
import { cpuMsOf } from '../process.ts'
import type { Row } from '../row.ts'
import { quantile } from '../statistics.ts'
import { createProse, sectionsOf } from '../words.ts'

const AT_ONCE = 50
const CALLS = 200
const WARM_UPS = 150
const ROUNDS = 2
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
    const ways = [byStore, byMcp].map((ask) => ({ ask, samples: [] as number[], cpuMs: 0 }))
    for (const { ask } of ways) await askAll(ask, WARM_UPS)
    for (let round = 0; round < ROUNDS; round += 1)
      for (const way of ways) {
        const { samples, cpuMs } = await askAll(way.ask, CALLS)
        way.samples.push(...samples)
        way.cpuMs += cpuMs
      }
    const [engine = 0, mcp = 0] = ways.map(({ cpuMs }) => cpuMs / (CALLS * ROUNDS))
    const [p95Engine = 0, p95Mcp = 0] = ways.map(({ samples }) => quantile(samples, 0.95))
    const where = `${CHUNKS} chunks, ${AT_ONCE} at once`
    return [
      {
        name: `search over MCP, ${where}, more than the engine over HTTP, by processor time`,
        value: mcp - engine,
        unit: 'ms',
        goal: 3,
        detail: `${mcp.toFixed(2)} ms against ${engine.toFixed(2)} ms a call`,
      },
      {
        name: `search over MCP, ${where}, p95`,
        value: p95Mcp,
        unit: 'ms',
        detail: `the engine over HTTP ${p95Engine.toFixed(0)} ms`,
      },
    ]
  },
}
