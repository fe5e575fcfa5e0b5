import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { createPaths, PROFILES } from '#platform/wire/profile.ts'
import { makePdf } from '../fixtures/pdf.ts'
import { eventually } from '../support/eventually.ts'
import { startFootbridge, type Footbridge } from '../support/footbridge.ts'
import { createPerson, isAsExpected, type Expected } from '../support/people/person.ts'
import type { Channel, DroppedFile } from '../support/people/workspace.ts'
import { withPlatform, type WithPlatform } from '../support/platforms.ts'
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

export type Step = `asking: ${(typeof STEPS.asking)[number]}` | `ingesting: ${(typeof STEPS.ingesting)[number]}`

/** The subject of one kill, and the messages that a person has to see in the end. */
export interface Trial {
  readonly step: Step
  readonly channel: Channel
  readonly expected: Expected
  /** From the start after the kill until everything was visible, milliseconds. */
  readonly drainMs: number
}

/** `lost`: something is missing or not at its end. `doubled`: something is visible that should not be. */
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

const UNDER_ANSWER = '\n[👍]\n[👎]\n[↻]\n[Shorter]\n[Longer]'
const EXPLAINED =
  "\n\n_I read the files that are dropped here and answer questions about them. Whoever can read here can ask._\n[Don't collect files here]"

/** Longer than one piece of a stream, shorter than a message: 400 characters. */
const WORDS = Array.from({ length: 50 }, (_, index) => `word${String(index).padStart(3, '0')}`).join(' ')

/** A question of this channel, and the messages there in the end. */
export function questionIn(
  channel: Channel,
  words = WORDS,
): { readonly question: string; readonly expected: Expected } {
  const question = `Question ${channel.name} ${words}`
  const expected = [
    `Ada: @Footbridge ${question}`,
    `↳ Footbridge: You said: ${question}\n\n_Not from files: there are none here yet._${UNDER_ANSWER}`,
  ]
  return { question, expected }
}

/** The messages in a channel in which this file was dropped. */
export const afterDrop = ({ name }: DroppedFile): Expected => [
  `Ada: (${name})`,
  new RegExp(`^↳ Footbridge: ✅ \\*\\*${RegExp.escape(name)}\\*\\* — ready${RegExp.escape(EXPLAINED)}$`),
]

export const note: DroppedFile = {
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
  const hosted = await withPlatform(scene.workspace.service === 'slack' ? 'collection' : 'saia')
  const footbridge = await startFootbridge({ ...scene.workspace.env, ...hosted.env })
  const trials: Trial[] = []
  const { workspace } = scene
  const { platform } = hosted
  let embedded = false

  function nextChannel(): Channel {
    const channel = scene.channels.pop()
    if (channel === undefined) throw new Error('Every channel is used up.')
    return channel
  }

  // Only the first answer to a person says that it is automated; the look-up of a name is waited for in each process.
  const greeted = createPerson(workspace, 'Ada', nextChannel())
  await greeted.asks('Question to begin with')
  await greeted.sees(/automated answer/)
  // Otherwise its job is taken up after the restart, and asks the model in place of the first question.
  await settled(footbridge)
  await footbridge.restart()
  scene.calm()
  platform.calm()

  /** Does it, kills at the sign, starts again, and waits for the end. */
  async function meet(
    trial: Omit<Trial, 'drainMs'>,
    act: () => Promise<unknown>,
    sign: () => Promise<unknown>,
  ): Promise<void> {
    await act()
    await sign()
    await footbridge.kill9()
    scene.calm()
    platform.calm()
    const begun = performance.now()
    await footbridge.restart()
    await createPerson(workspace, 'Ada', trial.channel).transcript(trial.expected)
    trials.push({ ...trial, drainMs: performance.now() - begun })
  }

  async function ask(step: Step, round: number): Promise<void> {
    const channel = nextChannel()
    const { question, expected } = questionIn(channel)
    const act = () => createPerson(workspace, 'Ada', channel).asks(question)
    let models = platform.requests.length
    const told = async (op: string) =>
      waitFor(() => platform.requests.slice(models).some((request) => request.op === op))
    const signs: Readonly<Record<string, () => Promise<unknown>>> = {
      'asking: event received before ack': async () => scene.heard(round),
      'asking: after ack before the platform call': async () => {
        await told('models')
        await scene.acked()
        if (platform.requests.slice(models).some(({ op }) => op === 'chat')) throw new Error('It asked too early.')
      },
      'asking: stream opened': async () => scene.opened(channel),
      'asking: mid-stream': async () => scene.grown(channel),
      'asking: final edit performed but unanswered': async () => scene.ended(channel),
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
    if (/stream|final/.test(step)) platform.script('chat', { kind: 'slow', intervalMs: /final/.test(step) ? 5 : 25 })
    await meet({ step, channel, expected }, act, signs[step] ?? fail(step))
  }

  async function drop(step: Step, round: number): Promise<void> {
    const channel = nextChannel()
    const isThick = embedded && step === 'ingesting: index pass running'
    const file = isThick ? await thickBook() : note
    const expected = afterDrop(file)
    const act = () => createPerson(workspace, 'Ada', channel).drops(file)
    const before = platform.requests.length
    const since = (op: string) => platform.requests.slice(before).filter((request) => request.op === op).length
    const signs: Readonly<Record<string, () => Promise<unknown>>> = {
      'ingesting: event': async () => scene.heard(round),
      'ingesting: during download': async () => scene.downloading(),
      'ingesting: upload performed but unanswered': async () =>
        waitFor(() => [...platform.collections.values()].some(({ files }) => since('upload') > 0 && files.size > 0)),
      'ingesting: index pass running': async () =>
        embedded
          ? indexing(footbridge)
          : waitFor(() => since('generate-index') > 0 && (round === 0 || since('files') > 2)),
      'ingesting: final receipt edit performed but unanswered': async () => scene.received(channel),
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
    await meet({ step, channel, expected }, act, signs[step] ?? fail(step))
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
      await settled(footbridge)
      await footbridge.stop()
      await footbridge.restart({ PLATFORM_BASE_URL: '', PLATFORM_API_KEY: '' })
    },
    async close() {
      await footbridge.close()
      await hosted.close()
      await workspace.close()
    },
  }
}

function fail(step: Step): never {
  throw new Error(`There is no sign for "${step}".`)
}

export function judge(seen: readonly string[], expected: Expected): Outcome {
  if (seen.length > expected.length) return 'doubled'
  return isAsExpected(seen, expected) ? 'right' : 'lost'
}

const waitFor = (look: () => boolean) => eventually(look, { everyMs: 2 })

const settled = (footbridge: Footbridge) => eventually(() => openJobs(footbridge) === 0)

function openJobs({ dataDir }: Footbridge): number {
  const database = new DatabaseSync(join(dataDir, 'bridge.sqlite'), { readOnly: true })
  try {
    const row = database.prepare(`SELECT count(*) AS open FROM job WHERE state IN ('queued', 'running')`).get()
    return Number(row?.['open'])
  } finally {
    database.close()
  }
}

const paths = createPaths(PROFILES.collection)

/** Asks the platform inside the process, over its own interface, until it is in the middle of a pass. */
async function indexing({ dataDir, url }: Footbridge): Promise<void> {
  const authorization = readFileSync(join(dataDir, 'platform-key'), 'utf8').trim()
  const get = async (path: string) => (await fetch(`${url}/v1${path}`, { headers: { authorization } })).text()
  const isIndexing = async () => {
    const collections = JSON.parse(await get(paths.collections)) as readonly { readonly name: string }[]
    const records = await Promise.all(collections.map(({ name }) => get(paths.collection(name))))
    return records.some((record) => record.includes('"PROCESSING"'))
  }
  // Not at once again: the platform has a quota.
  await eventually(isIndexing, { everyMs: 40 })
}
