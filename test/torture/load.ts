import { readdirSync, readFileSync } from 'node:fs'
import { setTimeout } from 'node:timers/promises'
import type { PlatformDouble } from '../doubles/platform/double.ts'
import { eventually } from '../support/eventually.ts'
import { startFootbridge, type Footbridge } from '../support/footbridge.ts'
import { openSlack, type SlackWorkspace } from '../support/people/slack.ts'
import type { Channel } from '../support/people/workspace.ts'
import { withPlatform } from '../support/platforms.ts'
import { readMemo } from '../support/speech.ts'
import { openJobs } from './fuzz.ts'
import { type Act, PLATFORM_FAULTS, type PlatformFault } from './platform-faults.ts'
import { measure } from './row.ts'

/** State of the process, from outside. */
interface Health {
  readonly megabytes: number
  readonly descriptors: number
  readonly threads: number
  /** Timers that would hold the process open. */
  readonly timers: number
}

async function healthOf({ pid, url }: Footbridge, authorization: string): Promise<Health> {
  const figures = await (await fetch(new URL('/metrics', url), { headers: { authorization } })).text()
  const timers = /^nodejs_active_resources\{type="Timeout"\} (\d+)/m.exec(figures)?.[1]
  const status = readFileSync(`/proc/${pid}/status`, 'utf8')
  const read = (name: string) => Number(new RegExp(`^${name}:\\s*(\\d+)`, 'm').exec(status)?.[1] ?? 0)
  return {
    megabytes: read('VmRSS') / 1024,
    descriptors: readdirSync(`/proc/${pid}/fd`).length,
    threads: read('Threads'),
    timers: Number(timers),
  }
}

export interface LoadOptions {
  /** Of the acts, 0…1. */
  readonly faultRate: number
  readonly minutes?: number
  readonly acts?: number
  /** Acts that people repeat. */
  readonly round?: readonly Act[]
  readonly faults?: Readonly<Record<Act, readonly PlatformFault[]>>
}

const repeat = (act: Act, times: number) => Array.from({ length: times }, () => act)
/** A team of some two hundred does thirty things a minute: 1,800 an hour, in 75 rounds. */
const ROUND = [
  ...repeat('question', 8),
  'recording',
  ...repeat('note', 5),
  'document',
  ...repeat('question', 7),
  'document',
  'recording',
] as const satisfies readonly Act[]
export const AN_HOUR = 1800

/** People who wait for something at once. */
const LANES = 20
/** Acts in one channel before the next one is used. */
const A_CHANNEL = 24
/** Questions a minute while a soak lasts. A busy team asks one a second at its peak: ten times as many. */
const A_MINUTE = 600
/** The longest limit of the platform's client, five minutes, and a while. */
const LONGEST_MS = 6 * 60_000

interface Done {
  readonly act: Act
  readonly channel: Channel
  readonly id: string
  readonly number: number
  readonly fault: string | undefined
}

/** Chooses each kind of fault in turn, so that all come equally often. */
function createChooser(rate: number, faults: Readonly<Record<Act, readonly PlatformFault[]>>) {
  const seen: Record<Act, number> = { question: 0, note: 0, document: 0, recording: 0 }
  return (act: Act): PlatformFault | undefined => {
    const before = Math.floor(seen[act] * rate)
    seen[act] += 1
    return Math.floor(seen[act] * rate) > before ? faults[act][before % faults[act].length] : undefined
  }
}

/** Acts until the time or the acts are over; each must end in one answer or one reason. */
async function run({ faultRate, minutes = 0, acts = Infinity, round = ROUND, faults = PLATFORM_FAULTS }: LoadOptions) {
  const [slack, hosted] = await Promise.all([openSlack(), withPlatform('collection')])
  const { platform } = hosted
  const footbridge = await startFootbridge({ ...slack.env, ...hosted.env })
  const chooseFault = createChooser(faultRate, faults)
  const samples: Health[] = []
  const done: Done[] = []
  const took: number[] = []
  const began = performance.now()
  const end = minutes === 0 ? Infinity : began + minutes * 60_000
  let count = 0

  async function lane(): Promise<void> {
    let channel: Channel | undefined
    for (let used = 0; count < acts && performance.now() < end; used += 1) {
      const number = (count += 1)
      const act = round[number % round.length] ?? 'question'
      if (minutes > 0) await setTimeout(Math.max(0, began + (number / A_MINUTE) * 60_000 - performance.now()))
      if (channel === undefined || used % A_CHANNEL === 0) channel = await slack.addChannel(`channel-${number}`)
      const place = channel
      const fault = chooseFault(act)
      if (fault !== undefined) platform.script(fault.op, fault.fault)
      const id = await slack.say('Ada', place, sayingOf(act, number))
      const one = { act, channel: place, id, number, fault: fault?.name }
      const asked = performance.now()
      // A remaining fault is told below.
      await eventually(() => complaintAbout(slack, one) === undefined, { everyMs: 50, timeoutMs: LONGEST_MS }).catch(
        () => undefined,
      )
      took.push(performance.now() - asked)
      done.push(one)
      if (minutes > 0 && number % LANES === 0) samples.push(await healthOf(footbridge, platform.key))
    }
  }

  try {
    await Promise.all(Array.from({ length: LANES }, lane))
    await eventually(() => openJobs(footbridge.dataDir) === 0, { timeoutMs: LONGEST_MS }).catch(() => undefined)
    const wrong = [
      ...done.flatMap((one) => complaintAbout(slack, one) ?? []),
      ...askedAgain(platform),
      ...footbridge.output.stderr,
    ]
    const reasons = done.flatMap((one) => reasonsFor(slack, one))
    return { done, reasons, met: platform.requests.filter(({ met }) => met !== undefined).length, wrong, samples, took }
  } finally {
    await footbridge.close()
    await Promise.all([slack.close(), hosted.close()])
  }
}

const tokenOf = (number: number) => `q${number}x`

function sayingOf(act: Act, number: number) {
  const token = tokenOf(number)
  if (act === 'question') return { text: `What is ${token}?`, mention: true }
  if (act === 'recording') return { recording: readMemo('lighthouse.ogg') }
  const bytes = `# Pier ${token}\n\nBoat ${token} moors here.\n`
  return act === 'note'
    ? { files: [{ name: `${token}.md`, bytes, mimeType: 'text/markdown' }] }
    : { files: [{ name: `${token}.docx`, bytes, mimeType: 'application/octet-stream' }] }
}

const oursUnder = (slack: SlackWorkspace, { channel, id }: Pick<Done, 'channel' | 'id'>) =>
  slack.slack.transcript(channel.id, id).filter(({ own, ephemeralTo }) => own && ephemeralTo === undefined)

const RECEIPT = /ready|failed\. |[Nn]o text/

/**
 * Each act has a finished message of Footbridge that says something; a recording has its words, and an answer to them.
 */
function complaintAbout(slack: SlackWorkspace, one: Done): string | undefined {
  const ours = oursUnder(slack, one)
  const texts = ours.map(({ text }) => text)
  const what = `${one.act} ${one.number}${one.fault === undefined ? '' : `, ${one.fault}`}`
  if (ours.length === 0) return `no answer: ${what}`
  if (ours.length > (one.act === 'recording' ? 2 : 1)) return `${ours.length} answers: ${what}: ${texts.join(' | ')}`
  if (ours.some(({ streaming, text }) => streaming || text.trim() === '')) return `half an answer: ${what}: ${texts[0]}`
  if ((one.act === 'note' || one.act === 'document') && !RECEIPT.test(texts[0] ?? ''))
    return `not at its end: ${what}: ${texts[0]}`
  return undefined
}

const SUCCESS = /You said|According to|The files do not say|Not in this channel|ready|what was said/

/** Messages that say why there is no answer. */
const reasonsFor = (slack: SlackWorkspace, one: Done): readonly string[] =>
  oursUnder(slack, one).flatMap(({ text }) => (SUCCESS.test(text) ? [] : [`${one.act}: ${text}`]))

/** Where words of an answer had come, the same question is never sent again. */
function askedAgain({ requests }: PlatformDouble): readonly string[] {
  const begun = new Set<unknown>(PLATFORM_FAULTS.question.flatMap(({ fault, isBegun }) => (isBegun ? [fault] : [])))
  const ended = new Set<string>()
  return requests.flatMap(({ op, json, met }) => {
    const token = op === 'chat' ? /q\d+x/.exec(JSON.stringify(json))?.[0] : undefined
    if (token === undefined) return []
    const isAgain = ended.has(token)
    if (begun.has(met)) ended.add(token)
    return isAgain ? [`asked again: ${token}`] : []
  })
}

const seconds = (ms = 0) => (ms / 1000).toFixed(1)

/** People at work under faults of the platform at one rate. */
export const platformFaults = (options: LoadOptions & { readonly acts: number }) =>
  measure(`platform faults at ${options.faultRate * 100} %`, async () => {
    const { done, reasons, met, wrong, took } = await run(options)
    const count = (act: Act) => done.filter((one) => one.act === act).length
    const kinds = new Set(done.flatMap(({ fault }) => fault ?? [])).size
    const sorted = took.toSorted((one, other) => one - other)
    // Without a fault each answer is an answer.
    const unasked = options.faultRate === 0 ? reasons.map((text) => `a reason without a fault: ${text}`) : []
    return {
      tried: `${count('question')} questions, ${count('note')} notes, ${count('document')} documents, ${count('recording')} recordings; ${met} faults of ${kinds} kinds`,
      found: {
        'without one answer or one reason': wrong.length,
        'with a reason': reasons.length,
        's to the answer, p95': seconds(sorted[Math.floor(sorted.length * 0.95)]),
        's, longest': seconds(sorted.at(-1)),
      },
      wrong: [...wrong, ...unasked],
    }
  })

const WAVE = 10

async function ask(slack: SlackWorkspace, channel: Channel, number: number): Promise<Done> {
  const id = await slack.say('Ada', channel, sayingOf('question', number))
  return { act: 'question', channel, id, number, fault: undefined }
}

/** A platform that drops every question: each gets its reason at once, few are sent, and all is well when it is back. */
export const outage = (questions: number) =>
  measure('platform away', async () => {
    const [slack, hosted] = await Promise.all([openSlack(), withPlatform('collection')])
    const footbridge = await startFootbridge({ ...slack.env, ...hosted.env })
    const sent = () => hosted.platform.requests.filter(({ op }) => op === 'chat').length
    const wrong: string[] = []
    try {
      hosted.platform.script('chat', { kind: 'drop' }, Infinity)
      for (let asked = 0; asked < questions; asked += WAVE) {
        const channel = await slack.addChannel(`channel-${asked}`)
        const wave: Done[] = []
        for (let number = asked; number < asked + WAVE; number += 1) wave.push(await ask(slack, channel, number))
        const complaints = () => wave.flatMap((one) => complaintAbout(slack, one) ?? [])
        const isOver = () => complaints().length === 0 && openJobs(footbridge.dataDir) === 0
        await eventually(isOver, { everyMs: 50, timeoutMs: LONGEST_MS }).catch(() => undefined)
        wrong.push(...complaints())
        const odd = slack.slack.transcript(channel.id).filter(({ own, text }) => own && !text.includes('can’t reach'))
        wrong.push(...odd.map(({ text }) => `no reason: ${text}`))
      }
      const during = sent()
      hosted.platform.calm()
      const channel = await slack.addChannel('after')
      const isBack = async () => {
        const one = await ask(slack, channel, questions)
        await eventually(() => complaintAbout(slack, one) === undefined)
        return slack.slack.transcript(channel.id).some(({ own, text }) => own && text.includes('You said'))
      }
      await eventually(isBack, { everyMs: 2000, timeoutMs: 2 * 60_000 })
      return {
        tried: `${questions} questions`,
        found: { 'sent to it': during, 'without one reason': wrong.length },
        wrong: during > questions / 2 ? [...wrong, `${during} requests were sent`] : wrong,
      }
    } finally {
      await footbridge.close()
      await Promise.all([slack.close(), hosted.close()])
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

/** The process under load for minutes: memory, descriptors, threads and timers. The first third is left out: caches fill. */
export const soak = (minutes: number) =>
  measure('soak with 1 % faults', async () => {
    const { done, samples, wrong } = await run({ faultRate: 0.01, minutes, round: ['question'] })
    const settled = samples.slice(Math.floor(samples.length / 3))
    const slope = (pick: (health: Health) => number) => slopeOf(settled.map(pick), (minutes * 2) / 3)
    const last = settled.at(-1)
    const most = (pick: (health: Health) => number) => Math.max(...settled.map(pick)) - Math.min(...settled.map(pick))
    return {
      tried: `${done.length} questions in ${minutes} min`,
      found: {
        'MB an hour': slope(({ megabytes }) => megabytes).toFixed(1),
        'MB at the end': Math.round(last?.megabytes ?? 0),
        'descriptors between least and most': most(({ descriptors }) => descriptors),
        'threads between least and most': most(({ threads }) => threads),
        'timers between least and most': most(({ timers }) => timers),
        'without one answer or one reason': wrong.length,
      },
      wrong,
    }
  })
