import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { setTimeout as sleep } from 'node:timers/promises'
import type { TestContext } from 'vitest'
import { eventually } from '../support/eventually.ts'
import { startFootbridge, type Environment, type Footbridge } from '../support/footbridge.ts'
import { openDiscord } from '../support/people/discord.ts'
import { createPerson, type Person } from '../support/people/person.ts'
import { openSlack } from '../support/people/slack.ts'
import { openWeb } from '../support/people/web.ts'
import type { Channel, Workspace } from '../support/people/workspace.ts'
import { dayOf } from '../support/today.ts'

export const WORKSPACES = { web: openWeb, slack: openSlack, discord: openDiscord } as const
export type Service = keyof typeof WORKSPACES
export type OpenWorkspace = () => Promise<Workspace>

/** A chat service with people in it, and Footbridge as a process of its own. */
export interface Stage {
  readonly workspace: Workspace
  readonly footbridge: Footbridge
  /** In the channel `ferry`, as Ben is. */
  readonly ada: Person
  readonly ben: Person
  /** In a channel that only she has something to do with. */
  readonly adaInHarbour: Person
  readonly adaDirect: Person
  /** The environment by which an operator's commands reach the same platform and the same data. */
  readonly env: Environment
  /** True where Footbridge is killed after what somebody does. */
  readonly rough: boolean
  /** Somebody does something; in a rough run Footbridge is killed in the middle of the work on it. */
  readonly act: <Result>(doing: () => Promise<Result>) => Promise<Result>
  /** Log lines that tell of a failure of Footbridge itself. */
  readonly errors: () => readonly string[]
  /** Log lines that an operator has to look at. */
  readonly alarms: () => readonly string[]
  /** Texts that no log may contain. */
  readonly secrets: readonly string[]
}

interface StageOptions {
  readonly env: Environment
  readonly rough: boolean
  /** A rough run kills after each act; else after every second one, from day to day by turns. */
  readonly isEachKilled: boolean
  readonly secrets: readonly string[]
  readonly onTestFinished: TestContext['onTestFinished']
}

export async function openStage(
  openWorkspace: OpenWorkspace,
  { env, rough, isEachKilled, secrets, onTestFinished }: StageOptions,
): Promise<Stage> {
  const workspace = await openWorkspace()
  const footbridge = await startFootbridge({ ...workspace.env, ...env })
  onTestFinished(async () => {
    await footbridge.close()
    await workspace.close()
  })
  await workspace.attach(footbridge)
  // The process may listen elsewhere after a restart, and Slack posts events to it.
  const restart = footbridge.restart.bind(footbridge)
  footbridge.restart = async (changes) => {
    await restart(changes)
    await workspace.attach(footbridge)
  }
  const database = new DatabaseSync(join(footbridge.dataDir, 'bridge.sqlite'), { readOnly: true })
  onTestFinished(() => database.close())
  const stored = database.prepare('SELECT count(*) AS count FROM job')
  const marked = database.prepare('SELECT count(*) AS count FROM cursor WHERE channel LIKE ?')
  let acts = dayOf()
  let deaths = 0

  async function act<Result>(doing: () => Promise<Result>): Promise<Result> {
    const result = await doing()
    acts += 1
    if (!rough || (!isEachKilled && acts % 2 === 0)) return result
    // A different moment each time: before the event is stored, between two steps, while a message is shown.
    await sleep([5, 25, 60, 120, 200, 320][deaths % 6])
    deaths += 1
    await footbridge.restart()
    return result
  }

  /** Discord tells of a change once, and never again to who was not there: it is stored before the kill. */
  async function change<Result>(doing: () => Promise<Result>): Promise<Result> {
    const before = stored.get()?.['count']
    return act(async () => {
      const result = await doing()
      if (workspace.service === 'discord') await eventually(() => stored.get()?.['count'] !== before, { everyMs: 5 })
      return result
    })
  }

  /** Discord lists no direct conversations: until a mark leads to one, what is said there is stored, too. */
  const speakIn =
    ({ id, kind }: Channel): typeof act =>
    (doing) =>
      rough && kind === 'direct' && marked.get(`%${id}`)?.['count'] === 0 ? change(doing) : act(doing)

  const channel = await workspace.addChannel('ferry')
  const harbour = await workspace.addChannel('harbour', { members: ['Ada'] })
  const person = (name: string, place = channel) =>
    createPerson(workspace, name, place, { act, change, speak: speakIn(place) })
  const alarms = () => footbridge.alarms().map(({ level, msg, err }) => `${level} ${msg} ${JSON.stringify(err ?? '')}`)
  return {
    workspace,
    footbridge,
    ada: person('Ada'),
    ben: person('Ben'),
    adaInHarbour: person('Ada', harbour),
    adaDirect: person('Ada', workspace.directOf('Ada')),
    env: { ...env, DATA_DIR: footbridge.dataDir },
    rough,
    act,
    alarms,
    errors: () => alarms().filter((line) => line.startsWith('50')),
    secrets: [...secrets, ...workspace.secrets],
  }
}
