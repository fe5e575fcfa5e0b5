import { AsyncLocalStorage } from 'node:async_hooks'
import type { Adapter } from '#bridge/port/adapter.ts'
import { AdapterError, isPlatformFailure } from '#bridge/port/errors.ts'
import { conversationOf, type Inbound, type Outgoing } from '#bridge/port/message.ts'
import type { ChatEvent, Platform } from '#bridge/port/platform.ts'
import type { Inbox, Job } from '#bridge/port/store.ts'
import { followText, inSpan, startChatSpan, type TraceAttributes, type TraceSpan } from '#platform/engine/trace.ts'
import { toSteps } from '#platform/wire/stream-events.ts'
import type { Figures } from './figures.ts'
import type { Tracing } from './tracing.ts'

/** The job in whose course a call is made. */
interface RunningJob {
  readonly service: string
  readonly acceptedAt: number
  hasText: boolean
}

/** Counts and traces the calls between the bridge and its ports, by wrapping the ports. */
export interface Watch {
  readonly inbox: (inbox: Inbox) => Inbox
  readonly adapter: (adapter: Adapter) => Adapter
  readonly platform: (platform: Platform) => Platform
  /** Runs a job; its calls know that they belong to it. */
  readonly job: (job: Job, run: () => Promise<void>) => Promise<void>
  /** A call waits for a rate limit: of `platform`, or of a chat service. */
  readonly waited: (of: string, ms: number) => void
  readonly overBudget: (kind: string) => void
}

interface Parts {
  readonly figures: Figures
  readonly clock: () => number
  /** Absent: no traces are collected. */
  readonly tracing?: Tracing
}

export function createWatch({ clock = Date.now, ...rest }: Partial<Parts> & Pick<Parts, 'figures'>): Watch {
  const parts = { ...rest, clock }
  const { figures } = parts
  const courses = new AsyncLocalStorage<RunningJob>()

  function noteText({ kind }: Outgoing): void {
    const course = courses.getStore()
    if (kind !== 'answer' || course === undefined || course.hasText) return
    course.hasText = true
    figures.firstText.observe({ service: course.service }, seconds(clock() - course.acceptedAt))
  }

  return {
    inbox: (inbox) => watchInbox(inbox, parts),
    adapter: (adapter) => watchAdapter(adapter, parts, noteText),
    platform: (platform) => watchPlatform(platform, parts),
    async job(job, run) {
      const { kind } = job.inbound
      const { adapter: service } = conversationOf(job.inbound)
      const startedAt = clock()
      if (job.attempt === 1) figures.queueWait.observe({ kind }, seconds(startedAt - job.createdAt))
      try {
        await courses.run({ service, acceptedAt: job.createdAt, hasText: false }, () => traceJob(job, run, parts))
      } finally {
        figures.duration.observe({ kind }, seconds(clock() - startedAt))
      }
    },
    waited(of, ms) {
      figures.waits.inc({ of })
      figures.waitSeconds.inc({ of }, seconds(ms))
    },
    overBudget: (kind) => figures.overBudget.inc({ kind }),
  }
}

const seconds = (ms: number) => Math.max(0, ms) / 1000

const labelsOf = (inbound: Inbound) => ({ service: conversationOf(inbound).adapter, kind: inbound.kind })
const attributesOf = (inbound: Inbound) => ({
  'footbridge.service': conversationOf(inbound).adapter,
  'footbridge.kind': inbound.kind,
})

/** The trace of the event goes on, also in another process and after a restart. */
function traceJob(job: Job, run: () => Promise<void>, { tracing }: Parts): Promise<void> {
  const { inbound, attempt } = job
  const of = { traceparent: inbound.trace }
  const attributes = { ...attributesOf(inbound), 'footbridge.attempt': attempt }
  if (attempt === 1) tracing?.start('queue wait', attributesOf(inbound), { ...of, startedAt: job.createdAt }).end()
  return inSpan(tracing, `job ${inbound.kind}`, attributes, run, of)
}

function watchInbox(inbox: Inbox, { figures: { events, jobs }, tracing }: Parts): Inbox {
  /** Events of jobs that this process runs. */
  const running = new Map<string, ReturnType<typeof labelsOf>>()
  const ended = (id: string, outcome: 'done' | 'retried' | 'dead') => {
    const labels = running.get(id)
    if (labels !== undefined) jobs.inc({ ...labels, outcome })
    running.delete(id)
  }
  return {
    ...inbox,
    async accept(inbound, options) {
      const store = async (span: TraceSpan | undefined) => {
        const accepted = await inbox.accept(span ? { ...inbound, trace: tracing?.traceparent() } : inbound, options)
        events.inc({ ...labelsOf(inbound), outcome: accepted.outcome })
        if (accepted.job !== undefined) running.set(accepted.job.id, labelsOf(inbound))
        span?.set({ 'footbridge.outcome': accepted.outcome })
        return accepted
      }
      return inSpan(tracing, `event ${inbound.kind}`, attributesOf(inbound), store, { kind: 'consumer' })
    },
    async claim(...call) {
      const claimed = await inbox.claim(...call)
      for (const { id, inbound } of claimed) running.set(id, labelsOf(inbound))
      return claimed
    },
    async complete(id, now) {
      await inbox.complete(id, now)
      ended(id, 'done')
    },
    async retry(id, ...more) {
      await inbox.retry(id, ...more)
      ended(id, 'retried')
    },
    async bury(id, ...more) {
      await inbox.bury(id, ...more)
      ended(id, 'dead')
    },
  }
}

/** Runs a call as a step of the trace under way, and tells its outcome: `ok`, or the code of the failure. */
async function counted<Result>(
  { tracing }: Parts,
  name: string,
  run: () => Promise<Result>,
  count: (outcome: string) => void,
  attributes: TraceAttributes = {},
): Promise<Result> {
  try {
    const isTraced = tracing?.traceparent() !== undefined
    const result = await (isTraced ? inSpan(tracing, name, attributes, run) : run())
    count('ok')
    return result
  } catch (error) {
    count(error instanceof AdapterError || isPlatformFailure(error) ? error.code : 'error')
    throw error
  }
}

/** Questions to a chat service: look-ups in a trace, and no figures. */
const LOOK_UPS = ['isMember', 'isAdmin', 'describeChannel', 'history', 'read', 'find', 'permalink'] as const

function watchAdapter(adapter: Adapter, parts: Parts, noteText: (outgoing: Outgoing) => void): Adapter {
  const { name: service } = adapter
  const count = (act: string, outgoing?: Outgoing) => (outcome: string) => {
    parts.figures.sends.inc({ service, act, outcome })
    if (outcome === 'ok' && outgoing !== undefined) noteText(outgoing)
  }
  const send = <Result>(
    act: string,
    run: () => Promise<Result>,
    outgoing?: Outgoing,
    attributes?: TraceAttributes,
  ): Promise<Result> => counted(parts, `${service} ${act}`, run, count(act, outgoing), attributes)
  const untraced = { ...parts, tracing: undefined }
  const edit = adapter.edit?.bind(adapter)
  const upload = adapter.upload?.bind(adapter)
  const stream = adapter.stream?.bind(adapter)
  return {
    ...adapter,
    ...(parts.tracing && traceLookUps(adapter, parts)),
    post: (conversation, outgoing) => send('post', () => adapter.post(conversation, outgoing), outgoing),
    edit: edit && ((ref, outgoing) => send('edit', () => edit(ref, outgoing), outgoing)),
    remove: (ref) => send('remove', () => adapter.remove(ref)),
    upload: upload && ((...file) => send('upload', () => upload(...file))),
    stream:
      stream &&
      (async (conversation, first, asker) => {
        const opened = await send('stream', () => stream(conversation, first, asker), first)
        // An answer has dozens of them: they are counted, and no steps of their own.
        const noteAppend = count('append')
        let appends = 0
        return {
          ref: opened.ref,
          append(delta) {
            appends += 1
            return counted(untraced, '', () => opened.append(delta), noteAppend)
          },
          finish: (last) => send('finish', () => opened.finish(last), undefined, { 'footbridge.appends': appends }),
        }
      }),
  }
}

type Call = (...args: never[]) => Promise<unknown>

function traceLookUps(adapter: Adapter, parts: Parts): Partial<Adapter> {
  const { people, app } = adapter
  const traced = <Group extends object>(group: Group, names: readonly (keyof Group & string)[]): Group => ({
    ...group,
    ...Object.fromEntries(
      names.map((name): [string, Call] => {
        const call = group[name] as Call
        const step = `${adapter.name} ${name}`
        return [
          name,
          (...args) =>
            counted(
              parts,
              step,
              () => call.call(group, ...args),
              () => undefined,
            ),
        ]
      }),
    ),
  })
  return {
    ...traced(adapter, LOOK_UPS),
    people: people && traced(people, ['kindOf']),
    app: app && traced(app, ['channelsOf']),
  }
}

/** The same platform, its calls counted under their names: `files.list`. */
function watchPlatform(platform: Platform, parts: Parts): Platform {
  const { platformCalls } = parts.figures
  const count = (call: string) => (outcome: string) => platformCalls.inc({ call, outcome })
  const watched = <Group extends object>(group: string, calls: Group): Group =>
    Object.fromEntries(
      Object.entries(calls as Record<string, Call>).map(([name, call]) => [
        name,
        (...args: never[]) =>
          counted(parts, `platform ${group}.${name}`, () => call(...args), count(`${group}.${name}`)),
      ]),
    ) as Group
  const { models, collections, files, voice, documents, chat } = platform
  return {
    ...platform,
    models: watched('models', models),
    collections: watched('collections', collections),
    files: watched('files', files),
    voice: watched('voice', voice),
    documents: watched('documents', documents),
    chat: {
      stream(request, options) {
        const span = startChatSpan(parts.tracing, { model: request.model, provider: 'footbridge', stream: true })
        return watchStream(chat.stream(request, options), span, count('chat.stream'))
      },
    },
  }
}

function watchStream(
  events: AsyncIterable<ChatEvent>,
  span: TraceSpan | undefined,
  count: (outcome: string) => void,
): AsyncGenerator<ChatEvent> {
  const source = events[Symbol.asyncIterator]()
  const follow = span && followText(span)
  let outcome = 'left'
  let hasBegun = false
  const ask = () => {
    // The request leaves with the first piece that is asked for.
    const isTraced = span !== undefined && !hasBegun
    hasBegun = true
    return isTraced ? span.run(() => source.next()) : source.next()
  }
  const note = (step: IteratorResult<ChatEvent, unknown>) => {
    if (step.done === true) outcome = 'ok'
    else if (step.value.type === 'text') follow?.text()
    return step
  }
  const noteFailure = (error: unknown) => {
    outcome = isPlatformFailure(error) ? error.code : 'error'
    throw error
  }
  return toSteps(
    () => ask().then(note, noteFailure),
    async () => {
      count(outcome)
      follow?.end(outcome === 'ok' ? undefined : outcome)
      await source.return?.()
    },
  )
}
