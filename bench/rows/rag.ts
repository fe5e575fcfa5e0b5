import { Pool } from 'undici'
import { fillCollection, startPlatform } from '../platform.ts'
import { cpuMsOf } from '../process.ts'
import type { Row } from '../row.ts'
import { quantile } from '../statistics.ts'
import { createProse, sectionsOf } from '../words.ts'

const AT_ONCE = 100
const ANSWERS = 2000
const WARM_UPS = 500
const CHUNKS = 1000

/** Whole answers of the embedded platform over HTTP (question, retrieval, extractive model), a hundred at once. */
export const ragRow: Row = {
  name: 'rag',
  limitMs: 120_000,
  async run(scope) {
    const platform = await startPlatform(scope)
    const prose = createProse(7)
    const sentences = Array.from({ length: CHUNKS * 16 }, () => prose.sentence())
    const id = await fillCollection(platform, sectionsOf(sentences))
    const pool = new Pool(new URL(platform.baseUrl).origin, { connections: AT_ONCE })
    scope.defer(() => pool.close())
    const headers = {
      authorization: platform.key,
      'content-type': 'application/json',
      'inference-service': 'saia-openai-gateway',
    }
    const ask = async (number: number) => {
      const content = prose.questionFor(sentences[(number * 37) % sentences.length] ?? '')
      const messages = [{ role: 'user', content }]
      const body = JSON.stringify({ model: 'extractive', messages, 'enable-tools': true, collection: { id } })
      const at = performance.now()
      const answer = await pool.request({ method: 'POST', path: '/v1/chat/completions', headers, body })
      const text = await answer.body.text()
      if (answer.statusCode !== 200) throw new Error(`The platform answered ${answer.statusCode}: ${text}`)
      return performance.now() - at
    }
    const askAll = async (count: number) => {
      const samples: number[] = []
      let next = 0
      const one = async () => {
        while (next < count) samples.push(await ask((next += 1)))
      }
      await Promise.all(Array.from({ length: AT_ONCE }, one))
      return samples
    }
    await askAll(WARM_UPS)
    const [cpu, at] = [cpuMsOf(platform.pid), performance.now()]
    const samples = await askAll(ANSWERS)
    const [cpuMs, ms] = [cpuMsOf(platform.pid) - cpu, performance.now() - at]
    const where = `${CHUNKS} chunks, ${AT_ONCE} at once`
    return [
      {
        name: `answers from files over HTTP, ${where}, on one core`,
        value: (ANSWERS / cpuMs) * 1000,
        unit: 'answers/s',
        least: 300,
        detail: `by processor time: ${(cpuMs / ANSWERS).toFixed(2)} ms an answer; ${((ANSWERS / ms) * 1000).toFixed(0)} a second by the clock`,
      },
      {
        name: `answers from files over HTTP, ${where}, p95`,
        value: quantile(samples, 0.95),
        unit: 'ms',
        goal: 400,
        detail: `p50 ${quantile(samples, 0.5).toFixed(0)} ms`,
      },
    ]
  },
}
