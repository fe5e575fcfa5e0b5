import { readdirSync, readFileSync } from 'node:fs'
import type { Fault } from '../doubles/platform/faults.ts'
import { createRandom } from '../platform/hostile/random.ts'
import { eventually } from '../support/eventually.ts'
import { startFootbridge, type Footbridge } from '../support/footbridge.ts'
import { openSlack, type SlackWorkspace } from '../support/people/slack.ts'
import type { Channel } from '../support/people/workspace.ts'
import { withPlatform } from '../support/platforms.ts'
import { openJobs } from './fuzz.ts'
import { measure } from './row.ts'

/** Faults of the platform that a question may meet. */
const FAULTS: readonly Fault[] = [
  { kind: 'drop' },
  { kind: 'drop', carryOut: true },
  ...[500, 502, 503, 504].map((status): Fault => ({
    kind: 'status',
    status,
    body: '<html><h1>Bad</h1></html>',
    contentType: 'text/html',
  })),
  { kind: 'rate-limit', window: 'minute', resetSeconds: 1 },
  { kind: 'rate-limit', window: 'hour', resetSeconds: 2, bare: true },
  { kind: 'break', after: 0, by: 'destroy' },
  { kind: 'break', after: 2, by: 'destroy' },
  { kind: 'break', after: 3, by: 'end' },
  { kind: 'stream-error', after: 0, form: 'error', message: 'The model failed.' },
  { kind: 'stream-error', after: 2, form: 'object', message: 'The model failed.' },
  { kind: 'unstreamed' },
  { kind: 'answer', text: '' },
  { kind: 'slow', intervalMs: 20 },
  { kind: 'pings', count: 3, intervalMs: 20 },
  { kind: 'tool-call', name: 'shell', arguments: '{}', only: true },
  { kind: 'raw', pieces: ['data: {"choices":[{"delta":{"content":"half'], end: 'destroy' },
  { kind: 'raw', pieces: ['data: nothing\n\n'], end: 'end' },
]

/** State of the process, from outside. */
interface Health {
  readonly megabytes: number
  readonly descriptors: number
  readonly threads: number
}

function healthOf({ pid }: Footbridge): Health {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8')
  const read = (name: string) => Number(new RegExp(`^${name}:\\s*(\\d+)`, 'm').exec(status)?.[1] ?? 0)
  return {
    megabytes: read('VmRSS') / 1024,
    descriptors: readdirSync(`/proc/${pid}/fd`).length,
    threads: read('Threads'),
  }
}

export interface LoadOptions {
  /** Of the requests for an answer, 0…1. */
  readonly faultRate: number
  readonly minutes?: number
  readonly questions?: number
  readonly seed: number
}

const WINDOW = 20
/** Until the last question has its answer. A job waits two minutes before its fourth try. */
const LONGEST_MS = 4 * 60_000

/** Asks until the time or the questions are over; each question must end in one answer or one reason. */
async function run({ faultRate, minutes = 0, questions = Infinity, seed }: LoadOptions) {
  const random = createRandom(seed)
  const [slack, hosted] = await Promise.all([openSlack(), withPlatform('collection')])
  const footbridge = await startFootbridge({ ...slack.env, ...hosted.env })
  const samples: Health[] = []
  const wrong: string[] = []
  let asked = 0
  let met = 0
  const end = performance.now() + minutes * 60_000
  try {
    while (asked < questions && (minutes === 0 || performance.now() < end)) {
      const channel = await slack.addChannel(`channel-${asked}`)
      const window = Math.min(WINDOW, questions - asked)
      const faults = Array.from({ length: window }, () => random.int(1000) < faultRate * 1000)
      for (const [at, isFaulty] of faults.entries()) {
        if (isFaulty) hosted.platform.script('chat', random.pick(FAULTS))
        met += isFaulty ? 1 : 0
        await slack.say('Ada', channel, { text: `Question ${asked + at} of many?`, mention: true })
      }
      asked += window
      const isOver = () => judge(slack, channel).length === 0 && openJobs(footbridge.dataDir) === 0
      // What is still wrong then is told.
      await eventually(isOver, { everyMs: 50, timeoutMs: LONGEST_MS }).catch(() => undefined)
      wrong.push(...judge(slack, channel))
      hosted.platform.calm()
      samples.push(healthOf(footbridge))
    }
    const answered = hosted.platform.requests.filter(({ op }) => op === 'chat').length
    return { asked, met, answered, wrong: [...wrong, ...footbridge.output.stderr], samples }
  } finally {
    await footbridge.close()
    await Promise.all([slack.close(), hosted.close()])
  }
}

/** One thread a question, each with one message of ours that is finished and says something. */
function judge(slack: SlackWorkspace, channel: Channel): string[] {
  const shown = slack.slack.transcript(channel.id)
  const roots = shown.filter(({ own }) => !own)
  return roots.flatMap(({ ts, body }) => {
    const ours = shown.filter(({ own, thread, ephemeralTo }) => own && thread === ts && ephemeralTo === undefined)
    const [answer] = ours
    if (answer === undefined) return [`no answer: ${body}`]
    if (ours.length > 1) return [`${ours.length} answers: ${body}: ${ours.map(({ text }) => text).join(' | ')}`]
    if (answer.streaming || answer.text.trim() === '') return [`half an answer: ${body}: ${answer.text}`]
    return []
  })
}

/** Questions under faults of the platform at one rate. */
export const platformFaults = (options: LoadOptions) =>
  measure(`platform faults at ${options.faultRate * 100} %`, async () => {
    const { asked, met, wrong } = await run(options)
    return {
      tried: `${asked} questions, ${met} faults`,
      found: { 'without one answer or one reason': wrong.length },
      wrong,
    }
  })

/** Slope of a straight line through the samples, per hour. */
function slopeOf(samples: readonly number[], minutes: number): number {
  const count = samples.length
  const middle = (count - 1) / 2
  const mean = samples.reduce((sum, one) => sum + one, 0) / count
  const top = samples.reduce((sum, one, at) => sum + (at - middle) * (one - mean), 0)
  const bottom = samples.reduce((sum, _, at) => sum + (at - middle) ** 2, 0)
  return ((top / bottom) * count * 60) / minutes
}

/** The process under load for minutes: memory, descriptors and threads. The first third is left out: caches fill. */
export const soak = (minutes: number, seed: number) =>
  measure('soak with 1 % faults', async () => {
    const { asked, samples, wrong } = await run({ faultRate: 0.01, minutes, seed })
    const settled = samples.slice(Math.floor(samples.length / 3))
    const slope = (pick: (health: Health) => number) => slopeOf(settled.map(pick), (minutes * 2) / 3)
    const last = settled.at(-1)
    const most = (pick: (health: Health) => number) => Math.max(...settled.map(pick)) - Math.min(...settled.map(pick))
    return {
      tried: `${asked} questions in ${minutes} min`,
      found: {
        'MB an hour': slope(({ megabytes }) => megabytes).toFixed(1),
        'MB at the end': Math.round(last?.megabytes ?? 0),
        'descriptors between least and most': most(({ descriptors }) => descriptors),
        'threads between least and most': most(({ threads }) => threads),
        'without one answer or one reason': wrong.length,
      },
      wrong,
    }
  })
