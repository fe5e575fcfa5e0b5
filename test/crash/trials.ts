import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { createPaths, PROFILES } from '../../src/platform/wire/profile.ts'
import { makePdf } from '../fixtures/pdf.ts'
import { PATIENCE_MS } from '../support/patience.ts'
import { eventually, type DroppedFile } from '../support/whole/desk.ts'
import { startFootbridge, type Footbridge } from '../support/whole/footbridge.ts'
import { withPlatform, type WithPlatform } from '../support/whole/platforms.ts'
import { UNDER_ANSWER } from '../support/whole/stage.ts'
import type { Scene } from './scene.ts'

/** Where in its work the process is killed. */
export const STEPS = {
  asking: [
    'event received before ack',
    'after ack before the platform call',
    'stream opened',
    'mid-stream',
    'final edit performed but unanswered',
  ],
  ingesting: [
    'event',
    'during download',
    'upload performed but unanswered',
    'index pass running',
    'final receipt edit performed but unanswered',
  ],
} as const

export type Step =
  | `asking: ${(typeof STEPS.asking)[number]}`
  | `ingesting: ${(typeof STEPS.ingesting)[number]}`

/** What one kill was about, and what a person has to see in the end, message by message. */
export interface Trial {
  readonly step: Step
  readonly place: string
  readonly expected: readonly (string | RegExp)[]
}

/** `lost`: something is missing or not at its end. `doubled`: something stands there that should not. */
export type Outcome = 'right' | 'lost' | 'doubled'

export interface Run {
  readonly scene: Scene
  readonly hosted: WithPlatform
  readonly footbridge: Footbridge
  readonly trials: readonly Trial[]
  kill(step: Step, round: number): Promise<void>
  /** From now on the platform is the one inside the process, which dies with it. */
  embed(): Promise<void>
  close(): Promise<void>
}

const EXPLAINED =
  "\n\n_Files dropped here go into a collection of their own; I answer questions from it and quote the passages._\n[Don't collect files here]"

/** Longer than one piece of a stream, shorter than a message: 400 characters. */
const WORDS = Array.from({ length: 50 }, (_, index) => `word${String(index).padStart(3, '0')}`).join(' ')

const note: DroppedFile = {
  name: 'ferry.md',
  bytes: '# Ferry\n\nThe ferry leaves at 9:40 from pier seven.\n',
  mimeType: 'text/markdown',
}

/** Long enough that its index pass can be met while it runs. */
const thickBook = async (): Promise<DroppedFile> => ({
  name: 'book.pdf',
  bytes: await makePdf(
    Array.from({ length: 150 }, (_, page) => ({
      title: `Chapter ${page}`,
      text: `Boat ${page} moors at berth ${page}. `.repeat(40),
    })),
  ),
  mimeType: 'application/pdf',
})

/** One Footbridge on one data folder, killed again and again while the chat service and the platform live on. */
export async function startRun(scene: Scene): Promise<Run> {
  const hosted = await withPlatform(scene.desk.service === 'slack' ? 'collection' : 'saia')
  const footbridge = await startFootbridge({ ...scene.desk.env, ...hosted.env })
  const trials: Trial[] = []
  const { desk } = scene
  const { platform } = hosted
  let embedded = false

  /** Does it, kills at the sign, starts again, and waits for the end. */
  async function meet(trial: Trial, act: () => void, sign: () => Promise<unknown>): Promise<void> {
    act()
    await sign()
    await footbridge.kill9()
    scene.calm()
    platform.calm()
    await footbridge.restart()
    trials.push(trial)
    await eventually(() => desk.sees(trial), trial.expected)
  }

  async function ask(step: Step, round: number): Promise<void> {
    const place = scene.places.pop() ?? ''
    const question = `Question ${place} ${WORDS}`
    const expected = [
      `Ada: @Footbridge ${question}`,
      `↳ Footbridge: You said: ${question}\n\n_Not from files: none was dropped here yet._${UNDER_ANSWER}`,
    ]
    const act = () => void desk.does({ place, text: question, mention: true })
    let models = platform.requests.length
    const told = async (op: string) =>
      waitFor(() => platform.requests.slice(models).some((request) => request.op === op))
    const signs: Readonly<Record<string, () => Promise<unknown>>> = {
      'asking: event received before ack': async () => scene.heard(round),
      'asking: after ack before the platform call': async () => {
        await told('models')
        await scene.acked()
        if (platform.requests.slice(models).some(({ op }) => op === 'chat'))
          throw new Error('It asked too early.')
      },
      'asking: stream opened': async () => scene.opened(place),
      'asking: mid-stream': async () => scene.grown(place),
      'asking: final edit performed but unanswered': async () => scene.ended(place),
    }
    if (step === 'asking: event received before ack') scene.holdEvent()
    if (step === 'asking: after ack before the platform call') {
      // A process that has answered already knows the models.
      await footbridge.stop()
      await footbridge.restart()
      models = platform.requests.length
      platform.script('models', { kind: 'hang' })
    }
    if (step === 'asking: stream opened') scene.holdOpening(round)
    if (step === 'asking: final edit performed but unanswered') scene.holdEnd()
    // Quicker than the pace of edits at the end: then the first edit holds all of it.
    if (/stream|final/.test(step))
      platform.script('chat', { kind: 'slow', intervalMs: /final/.test(step) ? 5 : 25 })
    await meet({ step, place, expected }, act, signs[step] ?? fail(step))
  }

  async function drop(step: Step, round: number): Promise<void> {
    const place = scene.places.pop() ?? ''
    const isThick = embedded && step === 'ingesting: index pass running'
    const file = isThick ? await thickBook() : note
    const expected = [
      `Ada: (${file.name})`,
      new RegExp(
        `^↳ Footbridge: ✅ \\*\\*${RegExp.escape(file.name)}\\*\\* — ready · \\d+ chunks?${RegExp.escape(EXPLAINED)}$`,
      ),
    ]
    const act = () => void desk.does({ place, files: [file] })
    const before = platform.requests.length
    const since = (op: string) =>
      platform.requests.slice(before).filter((request) => request.op === op).length
    const signs: Readonly<Record<string, () => Promise<unknown>>> = {
      'ingesting: event': async () => scene.heard(round),
      'ingesting: during download': async () => scene.downloading(),
      'ingesting: upload performed but unanswered': async () =>
        waitFor(() =>
          [...platform.collections.values()].some(({ files }) => since('upload') > 0 && files.size > 0),
        ),
      'ingesting: index pass running': async () =>
        embedded
          ? indexing(footbridge)
          : waitFor(() => since('generate-index') > 0 && (round === 0 || since('files') > 2)),
      'ingesting: final receipt edit performed but unanswered': async () => scene.received(place),
    }
    if (step === 'ingesting: event') scene.holdEvent()
    if (step === 'ingesting: during download') scene.holdDownload()
    if (step === 'ingesting: upload performed but unanswered')
      platform.script('upload', { kind: 'hang', carryOut: true })
    if (step === 'ingesting: index pass running') {
      if (round === 0) platform.script('generate-index', { kind: 'hang', carryOut: true })
      else platform.script('generate-index', { kind: 'polls', polls: 6 })
    }
    if (step === 'ingesting: final receipt edit performed but unanswered') scene.holdReceipt()
    await meet({ step, place, expected }, act, signs[step] ?? fail(step))
  }

  return {
    scene,
    hosted,
    footbridge,
    trials,
    kill: async (step, round) => (step.startsWith('asking') ? ask(step, round) : drop(step, round)),
    async embed() {
      embedded = true
      // No question of the other platform is left to be answered by this one.
      await footbridge.stop()
      await footbridge.restart({ PLATFORM_BASE_URL: '', PLATFORM_API_KEY: '' })
    },
    async close() {
      await footbridge.close()
      await hosted.close()
      await desk.close()
    },
  }
}

function fail(step: Step): never {
  throw new Error(`There is no sign for "${step}".`)
}

export function judge(seen: readonly string[], expected: Trial['expected']): Outcome {
  if (seen.length > expected.length) return 'doubled'
  const fits = expected.every((one, index) => {
    const line = seen[index] ?? ''
    return typeof one === 'string' ? one === line : one.test(line)
  })
  return fits ? 'right' : 'lost'
}

async function waitFor(look: () => boolean, timeoutMs = PATIENCE_MS): Promise<void> {
  const until = Date.now() + timeoutMs
  while (!look()) {
    if (Date.now() > until) throw new Error(`Waited in vain for: ${look.toString()}`)
    await sleep(2)
  }
}

const paths = createPaths(PROFILES.collection)

/** Asks the platform inside the process, over its own interface, until it is in the middle of a pass. */
async function indexing({ dataDir, url }: Footbridge): Promise<void> {
  const authorization = readFileSync(join(dataDir, 'platform-key'), 'utf8').trim()
  const get = async (path: string) => (await fetch(`${url}/v1${path}`, { headers: { authorization } })).text()
  const until = Date.now() + PATIENCE_MS
  for (;;) {
    if (Date.now() > until) throw new Error('No index pass was met while it ran.')
    // Not at once again: the platform has a quota.
    await sleep(40)
    const collections = JSON.parse(await get(paths.collections)) as readonly { readonly name: string }[]
    for (const { name } of collections) {
      if ((await get(paths.collection(name))).includes('"PROCESSING"')) return
    }
  }
}
