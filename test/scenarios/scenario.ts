import { env as variables } from 'node:process'
import { test, type ExpectStatic } from 'vitest'
import type { PlatformDouble } from '../doubles/platform/double.ts'
import type { UpstreamDouble } from '../doubles/upstream/double.ts'
import type { Environment } from '../support/footbridge.ts'
import type { WorkspaceOptions } from '../support/people/workspace.ts'
import { inLong } from '../support/forms.ts'
import { withPlatform, withUpstream } from '../support/platforms.ts'
import { createReader, type Rule } from './reader.ts'
import { openStage, type OpenWorkspace, type Service, type Stage, WORKSPACES } from './stage.ts'

const LONG_MS = 1_200_000

interface Scene {
  /** Default: all three. */
  readonly on?: readonly Service[]
  /** On this service it is killed after what somebody does. */
  readonly killedOn?: Service
  readonly settings?: Environment
  readonly workspace?: WorkspaceOptions
  /** The short form leaves it out: a shorter test holds its promise. */
  readonly isLong?: boolean
}

/** The parts of every scenario; its platform adds others. */
type Play<More> = (stage: Stage & More & { readonly expect: ExpectStatic }) => Promise<void>

interface Platform<More> {
  readonly env: Environment
  readonly secrets: readonly string[]
  readonly more: More
  close(): Promise<void>
}

const IS_ALL = variables['SCENARIOS'] === 'all'
const KILLED = IS_ALL ? 'killed after each act' : 'killed after every second act'
const MODES = ['slack', 'slack over HTTP'] as const

/** A number that stays the same for a title. */
const sumOf = (title: string) => title.split('').reduce((total, letter) => total + letter.charCodeAt(0), 0)

/** Slack's modes take turns: a run in one, its killed run in the other, unless the scenario names its mode. */
function modesOf(service: Service, title: string, { workspace }: Scene, isRough: boolean): readonly string[] {
  if (service !== 'slack') return [service]
  if (workspace?.overHttp !== undefined) return MODES.slice(Number(workspace.overHttp)).slice(0, 1)
  const turn = (sumOf(title) + Number(isRough)) % MODES.length
  return IS_ALL ? MODES : MODES.slice(turn, turn + 1)
}

/**
 * One service is killed, each other one is undisturbed. `SCENARIOS=all` kills after each act, runs all services both ways,
 * and Slack in both modes. The short form has one undisturbed run of a scenario, or none (`isLong`).
 */
function runs(title: string, scene: Scene) {
  const { on = ['web', 'slack', 'discord'], killedOn, isLong = false } = scene
  const others = on.filter((service) => service !== killedOn)
  const calm = IS_ALL || others.length === 0 ? on : others
  const killed = IS_ALL && killedOn !== undefined ? on : on.filter((service) => service === killedOn)
  const inShort = isLong ? undefined : calm[sumOf(title) % calm.length]
  const run = (service: Service, isRough: boolean) =>
    modesOf(service, title, scene, isRough).map((mode) => {
      const parts = { service, isRough, inShort: !isRough && service === inShort }
      return [mode, isRough ? KILLED : 'undisturbed', parts] as const
    })
  return [...calm.flatMap((service) => run(service, false)), ...killed.flatMap((service) => run(service, true))]
}

// Each has a service and a process of its own, and mostly waits.
function define<More>(title: string, scene: Scene, open: () => Promise<Platform<More>>, play: Play<More>): void {
  const all = runs(title, scene)
  for (const inShort of [true, false])
    // oxlint-disable-next-line vitest/expect-expect -- `play` has the assertions
    test.concurrent.for(all.filter((run) => run[2].inShort === inShort))(
      `${title} (%s, %s)`,
      { timeout: LONG_MS, ...(inShort ? {} : inLong) },
      async ([mode, , { service, isRough: rough }], { expect, onTestFinished }) => {
        const platform = await open()
        onTestFinished(() => platform.close())
        const openWorkspace: OpenWorkspace = () =>
          WORKSPACES[service]({ ...scene.workspace, overHttp: mode === 'slack over HTTP' })
        const env = { ...platform.env, ...scene.settings }
        const stage = await openStage(openWorkspace, {
          env,
          rough,
          isEachKilled: IS_ALL,
          secrets: platform.secrets,
          onTestFinished,
        })
        await play({ ...stage, ...platform.more, expect })
      },
    )
}

interface Model {
  readonly upstream: UpstreamDouble
  /** Words of recordings: the last one, again and again. */
  readonly spoken: string[]
}

/** On the embedded platform with a model. */
export function scenario(
  title: string,
  {
    rules = [],
    sees = false,
    shutdownDates,
    ...scene
  }: Scene & {
    /** Rules for the model, applied before it reads by itself. */
    readonly rules?: readonly Rule[]
    /** The model takes pictures. */
    readonly sees?: boolean
    /** Days on which the server shuts models down, by id. */
    readonly shutdownDates?: Readonly<Record<string, string>>
  },
  play: Play<Model>,
): void {
  const open = async () => {
    const spoken: string[] = []
    const { upstream, ...platform } = await withUpstream({
      answerBy: createReader(spoken, rules),
      seeing: sees ? ['double-chat'] : undefined,
      shutdownDates,
    })
    return { ...platform, more: { upstream, spoken } }
  }
  define(title, scene, open, play)
}

/** On the embedded platform without a model. */
export function scenarioWithoutModel(title: string, scene: Scene, play: Play<object>): void {
  define(title, scene, async () => ({ env: {}, secrets: [], more: {}, close: async () => {} }), play)
}

/** On a hosted platform that does as it is told. */
export function hostedScenario(
  title: string,
  { profile = 'collection', ...scene }: Scene & { readonly profile?: 'collection' | 'saia' },
  play: Play<{ readonly platform: PlatformDouble }>,
): void {
  const open = async () => {
    const { platform, ...hosted } = await withPlatform(profile)
    return { ...hosted, more: { platform } }
  }
  define(title, scene, open, play)
}
