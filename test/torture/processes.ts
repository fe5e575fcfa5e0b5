import { kill } from 'node:process'
import { setTimeout as sleep } from 'node:timers/promises'
import { promptText } from '../doubles/upstream/script.ts'
import { eventually } from '../support/eventually.ts'
import { startFootbridge, type Footbridge } from '../support/footbridge.ts'
import { openSlack, type SlackWorkspace } from '../support/people/slack.ts'
import type { Channel, DroppedFile } from '../support/people/workspace.ts'
import { withUpstream } from '../support/platforms.ts'
import { startCluster, type Cluster } from '../support/postgres/cluster.ts'
import { plantNextSchema } from '../support/postgres/plant.ts'
import { openLookout, type Lookout } from './lookout.ts'
import { callSince, hold, STEPS, unhold, type Step } from './process-steps.ts'
import { measure } from './row.ts'

export type Fault = 'kill' | 'freeze' | 'database' | 'upgrade'

/** Ten kills, two freezes, an end of the database and a newer schema: 1,400 rounds are a thousand kills. */
export const FAULTS: readonly Fault[] =
  'kill kill database kill kill freeze kill kill kill upgrade kill freeze kill kill'.split(' ') as Fault[]

const MOMENT: Step = { name: 'any moment' }
const PEOPLE = ['Ada', 'Ben', 'Cem', 'Dora']
/** After this many rounds others ask, since the messages of a conversation are read again and again. */
const ROUNDS_OF_PEOPLE = 10
/** Shorter than a lease, as long, and much longer. */
const FREEZES_MS = [12_000, 5000, 35_000, 9000, 20_000, 60_000]
/** A long run tells how far it is. */
const TOLD = 10
const OUTAGE_MS = 400
const RESEND_MS = 4000
/** With this many faults, further rounds are pointless. */
const MAX_WRONG = 3
/** A takeover that takes longer is told. */
const TAKEOVER_MS = 2000
/** A sign that does not come in this time is not waited for. */
const SIGN_MS = 10_000
/** Waits of the longest round: a lease that runs out, a new process, an answer. */
const REST_MS = 90_000

interface Member {
  readonly footbridge: Footbridge
  /** Its number in the database. */
  number: number
  /** How often it found that others had taken over, where that was to be. */
  losses: number
  /** It is being started again. */
  isStarting: boolean
}

interface Scene {
  readonly slack: SlackWorkspace
  readonly cluster: Cluster
  readonly lookout: Lookout
  readonly fleet: readonly Member[]
  /** From each kill until the jobs were free, and until each ran elsewhere. */
  readonly takeovers: { readonly freeMs: number; readonly begunMs: number }[]
  /** Processes that were taken for dead although they lived, and a round that did not end. */
  readonly wrong: string[]
  aimed: number
  /** Starts under way, one after the other: the newest number is that of the last one. */
  starting: Promise<void>
}

interface Asked {
  readonly channel: Channel
  readonly tokens: readonly string[]
  readonly during: string
  readonly file?: string
}

/**
 * Three processes, one Slack whose events go to each of them in turn, one PostgreSQL; the platform is in each. In each
 * round everybody asks twice in one thread, somebody may drop a file, and something happens to a process at a named
 * step of its work, or to the database. An interrupt (SIGINT) ends it after the round.
 */
export const processes = (rounds: number, faults: readonly Fault[]) =>
  measure('three processes on one PostgreSQL', async () => {
    const slack = await openSlack({ spread: true })
    const model = await withUpstream({ answerBy: answerOf })
    const cluster = await startCluster()
    const lookout = openLookout(cluster.url)
    const env = {
      ...slack.env,
      ...model.env,
      DATABASE_URL: cluster.url,
      PLATFORM_API_KEY: 'fb-three-processes-0123456789',
      LOG_LEVEL: 'debug',
    }
    const fleet: Member[] = []
    let isInterrupted = false
    const interrupt = () => void (isInterrupted = true)
    process.once('SIGINT', interrupt)
    const resending = resendLate(slack)
    try {
      for (let count = 0; count < 3; count += 1) {
        const footbridge = await startFootbridge(env)
        fleet.push({ footbridge, number: await lookout.newest(), losses: 0, isStarting: false })
      }
      const starting = Promise.resolve()
      const scene: Scene = { slack, cluster, lookout, fleet, takeovers: [], wrong: [], aimed: 0, starting }
      const asked: Asked[] = []
      const done: Fault[] = []
      while (done.length < rounds && !isInterrupted) {
        const fault = faults[done.length % faults.length] ?? 'kill'
        try {
          asked.push(...(await playRound(scene, done.length, fault, done.filter((one) => one === fault).length)))
        } catch (error) {
          // The other rounds count all the same.
          scene.wrong.push(`broken: ${String(error)}`)
          process.stderr.write(`${scene.wrong.at(-1)}\n`)
          if (scene.wrong.length >= MAX_WRONG) break
        }
        done.push(fault)
        if (done.length % TOLD === 0) process.stderr.write(`${done.length} of ${rounds} rounds\n`)
      }
      await scene.starting
      return summarize(scene, asked, done)
    } finally {
      process.off('SIGINT', interrupt)
      clearInterval(resending)
      for (const { footbridge } of fleet) await footbridge.close()
      await lookout.close()
      await cluster.remove()
      await model.close()
      await slack.close()
    }
  })

/** As Slack does: an event that was not acknowledged in a while is sent again, to the next connection. */
function resendLate({ slack }: SlackWorkspace): NodeJS.Timeout {
  let late: ReadonlySet<unknown> = new Set()
  return setInterval(() => {
    const unacked = slack.unacked()
    for (const envelope of unacked) if (late.has(envelope)) slack.resend(envelope)
    late = new Set(unacked)
  }, RESEND_MS)
}

function summarize(
  { slack, fleet, takeovers, wrong: seen, aimed }: Scene,
  asked: readonly Asked[],
  done: readonly Fault[],
) {
  const wrong = [...asked.flatMap((one) => judge(slack, one)), ...passedTwice(fleet), ...seen]
  const at = (share: number, of: 'freeMs' | 'begunMs') => {
    const sorted = takeovers.map((one) => one[of]).toSorted((one, other) => one - other)
    return ((sorted[Math.floor(sorted.length * share)] ?? 0) / 1000).toFixed(1)
  }
  const count = (fault: Fault) => done.filter((one) => one === fault).length
  const files = asked.filter(({ file }) => file !== undefined).length
  const found = (kind: string) => wrong.filter((line) => line.startsWith(kind)).length
  return {
    tried: `${count('kill')} kills and ${count('freeze')} freezes, ${aimed} at named steps, ${count('database')} ends of the database, ${count('upgrade')} newer schemas; ${asked.length * 2 - files * 2} questions, ${files} files, ${passesOf(fleet).length} index passes`,
    found: {
      lost: found('lost'),
      doubled: found('doubled'),
      'out of order': found('order'),
      'index passes twice': found('passed'),
      'living processes taken for dead': found('ended'),
      's from a kill until the jobs are free, p50': at(0.5, 'freeMs'),
      'p95 until they are free': at(0.95, 'freeMs'),
      's until each runs elsewhere, p50': at(0.5, 'begunMs'),
      'p95 until each runs': at(0.95, 'begunMs'),
      'at most': at(1 - Number.EPSILON, 'begunMs'),
    },
    wrong,
  }
}

/** Half a second of text that names its question. */
function answerOf(request: Parameters<typeof promptText>[0]) {
  const token = promptText(request).match(/q\d+x/g)?.at(-1)
  if (token === undefined) return undefined
  const deltas = Array.from({ length: 12 }, (_, index) => `word${index} `)
  return { kind: 'chat' as const, deltas: [`Answer ${token}: `, ...deltas, `end ${token}.`], delayMs: 40 }
}

const fileOf = (name: string): DroppedFile => ({
  name,
  bytes: Array.from({ length: 200 }, (_, index) => `# Pier ${index}\n\nBoat ${index} of ${name} moors here.\n`).join(
    '\n',
  ),
  mimeType: 'text/markdown',
})

async function playRound(scene: Scene, round: number, fault: Fault, turn: number): Promise<readonly Asked[]> {
  const { slack, fleet } = scene
  const step = (fault === 'database' || fault === 'upgrade' ? undefined : STEPS[turn % STEPS.length]) ?? MOMENT
  const during = `${fault}, ${step.name}, round ${round}`
  const since = slack.slack.calls.length
  hold(slack.slack, step)
  const people = PEOPLE.map((name) => `${name} ${Math.floor(round / ROUNDS_OF_PEOPLE)}`)
  const asked: Asked[] = people.map((person, index) => ({
    channel: slack.directOf(person),
    tokens: [0, 1].map((question) => `q${round * 100 + index * 10 + question}x`),
    during,
  }))
  if (step.drops) asked.unshift(await dropFile(slack, round, during))
  const roots = new Map<Channel, string>()
  for (const question of [0, 1]) {
    for (const [index, { channel, tokens, file }] of asked.filter((one) => one.file === undefined).entries()) {
      if (file !== undefined) continue
      const text = `What is ${tokens[question]}?`
      roots.set(channel, await slack.say(people[index] ?? '', channel, { text, after: roots.get(channel) }))
    }
    // Slack promises no order between two connections: the second question is asked when the first one is taken.
    if (question === 0) await eventually(() => slack.slack.unacked().length === 0)
    // Three processes are there when one of them is hurt.
    await scene.starting
  }
  const hurt = step === MOMENT ? undefined : await aim(scene, step, since, asked)
  if (hurt === undefined) await sleep((round * 137) % 900)
  unhold(slack.slack, step)
  const ready = fleet.filter(({ isStarting }) => !isStarting)
  const victim = hurt ?? ready[round % ready.length]
  if (victim === undefined) throw new Error('no process')
  if (fault === 'kill') await killAndRestart(scene, victim, during)
  else if (fault === 'freeze') await freeze(scene, victim, FREEZES_MS[turn % FREEZES_MS.length] ?? 0)
  else if (fault === 'upgrade') await upgrade(scene, victim)
  else await endDatabase(scene)
  await eventually(() => asked.every((one) => isAnswered(slack, one)) && slack.slack.unacked().length === 0, {
    timeoutMs: REST_MS,
    everyMs: 100,
    instead: async () => `${during}:\n${await complaintsOf(scene, asked)}`,
  })
  await restartEnded(scene, during)
  return asked
}

const isEnded = ({ footbridge, losses, isStarting }: Member) => !isStarting && lossesOf(footbridge) > losses

async function restartEnded(scene: Scene, during: string): Promise<void> {
  for (const member of scene.fleet.filter(isEnded)) {
    scene.wrong.push(`ended: ${during}: process ${member.number}, although it lived`)
    await restart(scene, member)
  }
}

async function dropFile(slack: SlackWorkspace, round: number, during: string): Promise<Asked> {
  const channel = await slack.addChannel(`files-${round}`)
  const file = `piers-${round}.md`
  await slack.say('Ada', channel, { text: '', mention: true, files: [fileOf(file)] })
  return { channel, tokens: [], file, during }
}

/** The process whose work on one of these conversations has come to this step. */
async function aim(scene: Scene, step: Step, since: number, asked: readonly Asked[]): Promise<Member | undefined> {
  const { slack, lookout, fleet } = scene
  const channels = asked
    .filter(({ file }) => (file !== undefined) === (step.drops === true))
    .map(({ channel }) => channel.id)
  const look = async () => {
    const call = step.call === undefined ? undefined : callSince(slack.slack, since, step.call, channels)
    if (step.call !== undefined && call === undefined) return undefined
    if (step.passes && !(await lookout.isPassing())) return undefined
    const owner = await lookout.ownerOf(call === undefined ? channels : [String(call.args['channel'])])
    return fleet.find(({ number, isStarting }) => number === owner && !isStarting)
  }
  const found = await eventually(look, { timeoutMs: SIGN_MS, everyMs: 5 }).catch(() => undefined)
  if (found !== undefined) scene.aimed += 1
  return found
}

function restart(scene: Scene, victim: Member): Promise<void> {
  victim.isStarting = true
  const start = async () => {
    await victim.footbridge.restart()
    victim.number = await scene.lookout.newest()
    victim.losses = lossesOf(victim.footbridge)
    victim.isStarting = false
  }
  const started = scene.starting.then(start)
  scene.starting = started
  // Who waits for it hears of a failure.
  started.catch(() => {})
  return started
}

/** Others go on with its jobs; meanwhile it starts, also during the next round. */
async function killAndRestart(scene: Scene, victim: Member, during: string): Promise<void> {
  const { lookout } = scene
  const { footbridge, number } = victim
  const jobs = await lookout.jobsRunBy(number)
  const ages = await lookout.ages()
  await footbridge.kill9()
  const killedAt = performance.now()
  const sinceKill = () => performance.now() - killedAt
  await eventually(async () => !(await lookout.isThere(number)))
  const freeMs = sinceKill()
  void restart(scene, victim)
  await eventually(() => lookout.areTaken(jobs), { timeoutMs: REST_MS })
  const begunMs = sinceKill()
  scene.takeovers.push({ freeMs, begunMs })
  if (begunMs > TAKEOVER_MS)
    process.stderr.write(
      `${during}: process ${number} of ${ages}, free after ${Math.round(freeMs)} ms, run after ${Math.round(begunMs)} ms\n`,
    )
}

/** One that others took over ends by itself; as a supervisor would, it is started again. */
async function freeze(scene: Scene, victim: Member, ms: number): Promise<void> {
  const { footbridge, number } = victim
  kill(footbridge.pid, 'SIGSTOP')
  await sleep(ms)
  kill(footbridge.pid, 'SIGCONT')
  // It renews its lease within a second, or finds that it is lost.
  await sleep(3000)
  if (await scene.lookout.isThere(number)) return
  await eventually(() => lossesOf(footbridge) > victim.losses, { timeoutMs: REST_MS })
  await restart(scene, victim)
}

const lossesOf = ({ output }: Footbridge) => output.stderr.filter((line) => line.includes('took over its jobs')).length

/** The others go on with the newer tables, and so does one that starts on them. */
async function upgrade(scene: Scene, victim: Member): Promise<void> {
  await plantNextSchema(scene.cluster.url)
  await victim.footbridge.stop()
  await restart(scene, victim)
}

async function endDatabase({ cluster, starting }: Scene): Promise<void> {
  await starting
  await cluster.halt()
  await sleep(OUTAGE_MS)
  await cluster.resume()
}

const answersTo = (slack: SlackWorkspace, channel: Channel, token: string) =>
  slack.slack.transcript(channel.id).filter(({ own, body }) => own && body.includes(token))

const receiptsOf = (slack: SlackWorkspace, { channel }: Asked) =>
  slack.slack.transcript(channel.id).filter(({ own }) => own)

const isAnswered = (slack: SlackWorkspace, asked: Asked) =>
  asked.file === undefined
    ? asked.tokens.every((token) =>
        answersTo(slack, asked.channel, token).some(({ body }) => body.includes(`end ${token}.`)),
      )
    : receiptsOf(slack, asked).some(({ body }) => body.includes('ready'))

/** The complaints, with all messages of the conversation, and its jobs. */
async function complaintsOf({ slack, lookout, fleet }: Scene, all: readonly Asked[]): Promise<string> {
  const lines: string[] = []
  for (const asked of all) {
    const complaints = judge(slack, asked)
    if (complaints.length === 0) continue
    const shown = slack.slack.transcript(asked.channel.id).slice(-6)
    lines.push(...complaints, ...shown.map(({ own, ts, body }) => `  ${ts} ${own ? 'Footbridge' : 'asked'}: ${body}`))
    lines.push(...(await lookout.jobsOf(asked.channel.id)).map((row) => `  ${JSON.stringify(row)}`))
  }
  const said = fleet.map(
    ({ footbridge, number }) =>
      `process ${number}: ${footbridge
        .alarms()
        .slice(-8)
        .map((line) => JSON.stringify(line))
        .join('\n  ')}`,
  )
  return [...lines, ...said].join('\n')
}

/** The complaints of a person. */
function judge(slack: SlackWorkspace, asked: Asked): readonly string[] {
  const { channel, tokens, during, file } = asked
  if (file !== undefined) {
    const receipts = receiptsOf(slack, asked).map(({ body }) => body)
    if (!receipts.some((body) => body.includes('ready')))
      return [`lost: ${during}: ${file} has ${receipts.join(' | ')}`]
    return receipts.length > 1 ? [`doubled: ${during}: ${file} has ${receipts.join(' | ')}`] : []
  }
  const found = tokens.map((token) => answersTo(slack, channel, token))
  const complaints = tokens.flatMap((token, index) => {
    const answers = found[index] ?? []
    const bodies = answers.map(({ body }) => body).join(' | ')
    const isWhole = answers.some(({ body }) => body.includes(`Answer ${token}:`) && body.includes(`end ${token}.`))
    if (!isWhole) return [`lost: ${during}: ${token} has ${bodies}`]
    return answers.length > 1 ? [`doubled: ${during}: ${token} has ${bodies}`] : []
  })
  const [first, second] = found.map((answers) => Number(answers[0]?.ts ?? Number.NaN))
  return first !== undefined && second !== undefined && first > second
    ? [...complaints, `order: ${during}: ${tokens.join(', ')}`]
    : complaints
}

const passesOf = (fleet: readonly Member[]) =>
  fleet
    .flatMap(({ footbridge }) => footbridge.output.log)
    .flatMap(({ collection, indexed: files }) =>
      typeof collection === 'string' && typeof files === 'number' ? [{ collection, files }] : [],
    )

/** Each collection has one file: passes that indexed it in two processes did the same work twice. */
function passedTwice(fleet: readonly Member[]): readonly string[] {
  const indexed = new Map<string, number>()
  for (const { collection, files } of passesOf(fleet)) indexed.set(collection, (indexed.get(collection) ?? 0) + files)
  return [...indexed].flatMap(([name, files]) => (files > 1 ? [`passed: ${name} was indexed ${files} times`] : []))
}
