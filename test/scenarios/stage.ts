import { join } from 'node:path'
import { env as variables } from 'node:process'
import { DatabaseSync } from 'node:sqlite'
import { setTimeout as sleep } from 'node:timers/promises'
import type { TestContext } from 'vitest'
import { startFootbridge, type Environment } from '../support/whole/footbridge.ts'
import { PATIENCE_MS } from '../support/patience.ts'
import { startUpstreamDouble, type UpstreamDouble } from '../doubles/upstream/double.ts'
import { startPlatformDouble, type PlatformDouble } from '../doubles/platform/double.ts'
import type { ProfileName } from '../../src/platform/wire/profile.ts'
import { openDiscordSeat } from './discord-seat.ts'
import { createReader, type Rule } from './reader.ts'
import type { DroppedFile } from '../support/whole/desk.ts'
import type { Doing, Place, Seat, Seen } from './seat.ts'
import { openSlackSeat } from './slack-seat.ts'
import { openWebSeat } from './web-seat.ts'

export const SEATS = { web: openWebSeat, slack: openSlackSeat, discord: openDiscordSeat } as const
export type Service = keyof typeof SEATS
const SERVICES: readonly Service[] = ['web', 'slack', 'discord']

/**
 * A scenario runs undisturbed on each service, and on one it is killed after each thing that somebody does. Which one
 * rotates over the scenarios; `SCENARIOS=all` kills on all three.
 */
export const runs = (killedOn: Service) =>
  SERVICES.flatMap((service) => [
    [service, 'undisturbed', false] as const,
    ...(service === killedOn || variables['SCENARIOS'] === 'all'
      ? [[service, 'killed in the middle of each step', true] as const]
      : []),
  ])

export interface Stage {
  readonly seat: Seat
  /** What an operator's commands need to reach the same platform and the same data. */
  readonly env: Environment
  readonly dataDir: string
  readonly url: () => string
  /** Somebody does something; where the run is a rough one, Footbridge is killed in the middle of what comes of it. */
  readonly act: <Result>(doing: () => Promise<Result>) => Promise<Result>
  /** Ada calls Footbridge and asks, or commands. */
  readonly asks: (text: string, more?: Pick<Doing, 'place' | 'after' | 'files'>) => Promise<string>
  /** Ada takes a message away. */
  readonly deletes: (id: string) => Promise<void>
  /** Ada puts a message of hers right. */
  readonly edits: (id: string, text: string) => Promise<void>
  /** Ada marks a message to be kept. */
  readonly pins: (id: string) => Promise<void>
  /** Ada drops files in the channel. */
  readonly drops: (...files: readonly DroppedFile[]) => Promise<string>
  /** The newest message of Footbridge that looks like this, once there is one, whole. */
  readonly sees: (pattern: RegExp, more?: (seen: Seen) => boolean, place?: Place) => Promise<Seen>
  /** The same of an answer that is finished: its buttons stand under it. */
  readonly answers: (pattern: RegExp, more?: (seen: Seen) => boolean, place?: Place) => Promise<Seen>
  /** How many messages of Footbridge look like this now. */
  readonly count: (pattern: RegExp, place?: Place) => Promise<number>
  /** Log lines that an operator has to look at. */
  readonly alarms: () => readonly string[]
}

export interface EmbeddedStage extends Stage {
  readonly upstream: UpstreamDouble
  /** The last one is what memos say: heard again after a restart, they say the same. */
  readonly spoken: string[]
}

export interface StageOptions {
  readonly settings?: Environment
  /** What the model says before it reads by itself. */
  readonly rules?: readonly Rule[]
  /** The model takes pictures. */
  readonly sees?: boolean
}

type Test = Pick<TestContext, 'onTestFinished'>

/** The embedded platform with a model that reads. @param rough kill -9 some milliseconds after each thing that somebody does, and a restart. */
export async function openStage(
  service: Service,
  rough: boolean,
  test: Test,
  { settings = {}, rules = [], sees = false }: StageOptions = {},
): Promise<EmbeddedStage> {
  const spoken: string[] = []
  const upstream = await startUpstreamDouble({
    answerBy: createReader(spoken, rules),
    ...(sees ? { seeing: ['double-chat'] } : {}),
  })
  const env = {
    UPSTREAM_BASE_URL: upstream.baseUrl,
    UPSTREAM_CHAT_MODEL: 'double-chat',
    UPSTREAM_TRANSCRIPTION_MODEL: 'double-whisper',
    ...settings,
  }
  const stage = await open(service, rough, test, { env, behind: upstream })
  return { ...stage, upstream, spoken }
}

/** A hosted platform that does as it is told. */
export async function openHostedStage(
  service: Service,
  rough: boolean,
  test: Test,
  { settings = {}, profile = 'collection' }: { settings?: Environment; profile?: ProfileName } = {},
): Promise<Stage & { readonly platform: PlatformDouble }> {
  // How indexing leaves a part of the quota alone is looked at elsewhere.
  const platform = await startPlatformDouble({ profile, perMinute: 30_000 })
  const env = {
    PLATFORM_BASE_URL: platform.baseUrl,
    PLATFORM_API_KEY: platform.key,
    PLATFORM_PROFILE: profile,
    ...settings,
  }
  return { ...(await open(service, rough, test, { env, behind: platform })), platform }
}

async function open(
  service: Service,
  rough: boolean,
  { onTestFinished }: Test,
  { env, behind }: { readonly env: Environment; readonly behind: { close(): Promise<void> } },
): Promise<Stage> {
  const seat = await SEATS[service]()
  const footbridge = await startFootbridge({ ...seat.env, ...env })
  onTestFinished(async () => {
    await footbridge.close()
    await behind.close()
    await seat.close()
  })
  await seat.attach(footbridge)
  const database = new DatabaseSync(join(footbridge.dataDir, 'bridge.sqlite'), { readOnly: true })
  onTestFinished(() => database.close())
  const taken = database.prepare('SELECT count(*) AS count FROM job')
  let deaths = 0

  async function find(
    pattern: RegExp,
    more: (seen: Seen) => boolean,
    place?: Place,
  ): Promise<Seen | undefined> {
    return (await seat.shown(place)).findLast(
      (seen) => pattern.test(seen.text) && !seen.text.includes('▌') && more(seen),
    )
  }

  async function act<Result>(doing: () => Promise<Result>): Promise<Result> {
    const result = await doing()
    if (!rough) return result
    // A different moment each time: before the event is stored, between two steps, while a message is shown.
    await sleep([5, 25, 60, 120, 200, 320][deaths % 6])
    deaths += 1
    await footbridge.restart()
    await seat.attach(footbridge)
    return result
  }

  /** Discord tells of it once, and never again to who was not there: it is stored before the kill. */
  async function actsOnce(doing: () => Promise<void>): Promise<void> {
    const before = taken.get()?.['count']
    await act(async () => {
      await doing()
      const until = Date.now() + PATIENCE_MS
      while (service === 'discord' && taken.get()?.['count'] === before) {
        if (Date.now() > until) throw new Error('What was done is not stored.')
        await sleep(5)
      }
    })
  }

  async function sees(
    pattern: RegExp,
    more: (seen: Seen) => boolean = () => true,
    place?: Place,
  ): Promise<Seen> {
    const until = Date.now() + 2 * PATIENCE_MS
    for (;;) {
      const seen = await find(pattern, more, place)
      if (seen !== undefined) return seen
      if (Date.now() > until) {
        const all = (await seat.shown(place)).map(
          ({ text, buttons }) => `${text}\n  [${buttons.join('] [')}]`,
        )
        throw new Error(`Nobody saw ${String(pattern)}. What stands there:\n\n${all.join('\n\n')}`)
      }
      await sleep(40)
    }
  }

  return {
    seat,
    env: { ...env, DATA_DIR: footbridge.dataDir },
    dataDir: footbridge.dataDir,
    url: () => footbridge.url,
    act,
    asks: (text, more = {}) => act(() => seat.does({ text, mention: true, ...more })),
    deletes: (id) => actsOnce(() => seat.deletes(id)),
    edits: (id, text) => actsOnce(() => seat.edits(id, text)),
    pins: (id) => actsOnce(() => seat.pins(id)),
    drops: (...files) => act(() => seat.does({ files })),
    sees,
    answers: (pattern, more = () => true, place) =>
      sees(pattern, (seen) => seen.buttons.includes('👍') && more(seen), place),
    count: async (pattern, place) =>
      (await seat.shown(place)).filter(({ text }) => pattern.test(text)).length,
    alarms: () =>
      footbridge.alarms().map(({ level, msg, err }) => `${level} ${msg} ${JSON.stringify(err ?? '')}`),
  }
}
