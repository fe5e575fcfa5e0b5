import { startUpstreamDouble } from '#test/doubles/upstream/double.ts'
import { fillCollection, startPlatform } from '../platform.ts'
import type { Figure, Row } from '../row.ts'
import { quantile } from '../statistics.ts'
import { createProse, sectionsOf } from '../words.ts'

const rounds = 400
const warmUps = 40
const goalsMs = [2, 10] as const
const sections = 250

const answerBy = () => ({ kind: 'chat' as const, text: 'It leaves at nine from the pier.' })

interface Target {
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly more?: object
}

/** Milliseconds from the call to the first byte of the answer's body; the rest of it is read, too. */
async function firstByte({ url, headers, more }: Target, content: string): Promise<number> {
  const at = performance.now()
  const response = await fetch(`${url}/chat/completions`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify({ model: 'double-chat', stream: true, messages: [{ role: 'user', content }], ...more }),
  })
  const reader = response.body?.getReader()
  if (!response.ok || reader === undefined) throw new Error(`The answer came with status ${response.status}.`)
  await reader.read()
  const ms = performance.now() - at
  while (!(await reader.read()).done);
  return ms
}

/** The delay that the platform adds between a model server and its caller. */
export const firstByteRow: Row = {
  name: 'first-byte',
  async run(scope) {
    const upstream = await startUpstreamDouble({ answerBy })
    scope.defer(() => upstream.close())
    const platform = await startPlatform(scope, { UPSTREAM_BASE_URL: upstream.baseUrl })
    const prose = createProse(1)
    const sentences = Array.from({ length: sections * 16 }, () => prose.sentence())
    const id = await fillCollection(platform, sectionsOf(sentences))
    const authorization = `Bearer ${platform.key}`
    const through: Target = { url: platform.baseUrl, headers: { authorization } }
    const targets: readonly Target[] = [
      { url: upstream.baseUrl, headers: {} },
      through,
      {
        ...through,
        headers: { authorization: platform.key, 'inference-service': 'saia-openai-gateway' },
        more: { collection: { id }, 'enable-tools': true },
      },
    ]
    const samples: number[][] = targets.map(() => [])
    for (let round = -warmUps; round < rounds; round += 1) {
      const question = prose.questionFor(sentences[(round + warmUps) * 7] ?? '')
      for (const [at, target] of targets.entries()) {
        const ms = await firstByte(target, question)
        if (round >= 0) samples[at]?.push(ms)
      }
    }
    const [direct = [], plain = [], retrieved = []] = samples
    const figures = (name: string, ours: readonly number[]): Figure[] =>
      [0.5, 0.95].map((part, index) => {
        const [its, base] = [quantile(ours, part), quantile(direct, part)]
        const goal = goalsMs[index]
        return {
          name: `first byte of a stream, added by the server, ${name}, p${part * 100}`,
          value: its - base,
          unit: 'ms',
          goal,
          detail: `${its.toFixed(2)} ms through it, ${base.toFixed(2)} ms without it, ${rounds} each`,
        }
      })
    return [...figures('passed through', plain), ...figures(`with retrieval from ${sections} chunks`, retrieved)]
  },
}
