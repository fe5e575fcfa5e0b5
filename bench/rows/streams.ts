import { once } from 'node:events'
import { Agent, request, type IncomingMessage } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { startUpstreamDouble } from '#test/doubles/upstream/double.ts'
import { startPlatform, type Platform } from '../platform.ts'
import { residentOf } from '../process.ts'
import type { Row } from '../row.ts'

const wanted = 1_000
const count = 1_200
const deltas = 40
const betweenMs = 500

const failed = (error: unknown) => `failed: ${String(error)}`

/** How a stream ended: whole, or what is missing. */
async function openStream(platform: Platform, agent: Agent, id: number): Promise<string> {
  const sent = request(`${platform.baseUrl}/chat/completions`, {
    agent,
    method: 'POST',
    headers: { authorization: `Bearer ${platform.key}`, 'content-type': 'application/json' },
  })
  sent.end(
    JSON.stringify({ model: 'double-chat', stream: true, messages: [{ role: 'user', content: `stream ${id}` }] }),
  )
  const [response] = (await once(sent, 'response')) as [IncomingMessage]
  let text = ''
  response.setEncoding('utf8')
  for await (const part of response) text += String(part)
  if (response.statusCode !== 200) return `status ${response.statusCode}`
  const words = text.match(/word\d+ /g)?.length ?? 0
  return words === deltas && text.includes('data: [DONE]') ? 'whole' : `${words} of ${deltas} words`
}

/** Streams open at once, each with a word every half second. */
export const streamsRow: Row = {
  name: 'streams',
  limitMs: 120_000,
  async run(scope) {
    const words = Array.from({ length: deltas }, (_, at) => `word${at} `)
    const answerBy = () => ({ kind: 'chat' as const, deltas: words, delayMs: betweenMs })
    const upstream = await startUpstreamDouble({ answerBy })
    scope.defer(() => upstream.close())
    const platform = await startPlatform(scope, { UPSTREAM_BASE_URL: upstream.baseUrl })
    const agent = new Agent({ keepAlive: true })
    scope.defer(() => agent.destroy())
    const memory = () => residentOf(platform.pid)[0]?.megabytes ?? Number.NaN
    await openStream(platform, agent, 0)
    const before = memory()
    const outcomes: string[] = []
    const running = Array.from({ length: count }, async (_, id) => {
      outcomes.push(await openStream(platform, agent, id + 1).catch(failed))
    })
    const isOpen = () => upstream.requests.filter(({ deltasWritten: at }) => at > 0 && at < deltas).length
    let most = 0
    let during = before
    while (outcomes.length < count) {
      const now = isOpen()
      if (now >= most) {
        most = now
        during = Math.max(during, memory())
      }
      await sleep(100)
    }
    await Promise.all(running)
    const whole = outcomes.filter((outcome) => outcome === 'whole').length
    const other = outcomes.find((outcome) => outcome !== 'whole')
    return [
      {
        name: 'streams held at once',
        value: most,
        unit: 'streams',
        least: wanted,
        detail: `of ${count}, a word every ${betweenMs} ms each`,
      },
      {
        name: 'streams that ended whole',
        value: whole,
        unit: 'streams',
        least: count,
        detail: other === undefined ? `${deltas} words each` : `another one: ${other}`,
      },
      {
        name: 'streams, memory of one',
        value: ((during - before) * 1000) / Math.max(1, most),
        unit: 'kB',
        detail: `${before.toFixed(0)} MB before, ${during.toFixed(0)} MB with ${most} of them`,
      },
    ]
  },
}
