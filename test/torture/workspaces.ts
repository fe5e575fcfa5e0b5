import { setTimeout as sleep } from 'node:timers/promises'
import { createBrowser, settingsFor } from '../adapters/slack/workspaces/many.ts'
import { type CloudTeam, type SlackCloud, startSlackCloud } from '../doubles/slack/cloud.ts'
import type { Envelope } from '../doubles/slack/types.ts'
import { promptText } from '../doubles/upstream/script.ts'
import { eventually } from '../support/eventually.ts'
import { startFootbridge, type Footbridge } from '../support/footbridge.ts'
import { withUpstream } from '../support/platforms.ts'
import { startCluster } from '../support/postgres/cluster.ts'
import { createRandom } from '../platform/hostile/random.ts'
import { measure } from './row.ts'

const CHANNEL = 'C0SAME'
const USER = 'U0SAME'
const PROCESSES = 3
/** People who do something at once. */
const AT_ONCE = 12
const REST_MS = 120_000
/** A long run tells how far it is. */
const TOLD = 1000
const STARTS = 20
const MOST_ATTEMPTS = 3
/** Slack tries for the last time after six minutes. */
const LAST_ATTEMPT_MS = 400_000

const idOf = (index: number) => `T${String(index).padStart(4, '0')}`
const callsOf = (cloud: SlackCloud) => [...cloud.teams.values()].reduce((sum, { calls }) => sum + calls.length, 0)

/**
 * Three processes, one PostgreSQL, one Slack with many workspaces in which every id is the same: each question, drop or
 * press goes to any process. All that a workspace shows may name that workspace alone.
 */
export const workspaces = ({
  count,
  calls,
  seed,
}: {
  readonly count: number
  readonly calls: number
  readonly seed: number
}) =>
  measure('workspaces in three processes', async () => {
    const cloud = await startSlackCloud()
    cloud.sendsAgain = true
    const model = await withUpstream({ answerBy: answerOf })
    const cluster = await startCluster()
    const env = {
      ...settingsFor(cloud),
      ...model.env,
      DATABASE_URL: cluster.url,
      PLATFORM_API_KEY: 'fb-many-workspaces-0123456789',
    }
    const fleet: Footbridge[] = []
    const revivals = new Map<Footbridge, Promise<void>>()
    let isOver = false
    try {
      for (let index = 0; index < PROCESSES; index += 1) fleet.push(await persistently(() => startFootbridge(env)))
      const chance = createRandom(seed)
      let ends = 0
      /** As a supervisor does: a process that hung for too long, on a busy machine, ends itself. */
      async function revive(one: Footbridge): Promise<void> {
        if (isOver || revivals.has(one)) return
        ends += 1
        revivals.set(
          one,
          persistently(() => one.restart()),
        )
        await revivals.get(one)
        revivals.delete(one)
      }
      const door = {
        /** As a load balancer does: to any process, and to another one where it does not answer. */
        async fetch(request: Request) {
          const { pathname, search } = new URL(request.url)
          const { method, headers } = request
          const init = { method, headers, body: method === 'POST' ? await request.text() : undefined }
          const first = chance.int(fleet.length)
          for (const one of [...fleet.slice(first), ...fleet.slice(0, first)]) {
            const address = new URL(pathname + search, one.url)
            const answer = await fetch(address, { ...init, redirect: 'manual' }).catch(() => undefined)
            if (answer !== undefined) return answer
            void revive(one)
          }
          throw new Error('No process answers.')
        },
      }
      cloud.deliverTo(door)
      const ids = Array.from({ length: count }, (_, index) => idOf(index))
      for (const id of ids) await settle(cloud, id, door)
      let acts = 0
      const questions = new Map<string, string>()
      let told = 0
      const worker = async () => {
        while (callsOf(cloud) < calls) {
          if (callsOf(cloud) >= told + TOLD) process.stderr.write(`${(told += TOLD)} calls\n`)
          const id = chance.pick(ids)
          const team = cloud.teams.get(id)
          if (team !== undefined) await act(cloud, team, { number: (acts += 1), kind: chance.int(4), questions })
        }
      }
      await Promise.all(Array.from({ length: AT_ONCE }, worker))
      const unanswered = () =>
        [...questions].filter(([place]) => {
          const [id = '', question = ''] = place.split(' ')
          const team = cloud.teams.get(id)
          return team === undefined || !isAnswered(team, question)
        })
      await eventually(() => unanswered().length === 0, { timeoutMs: REST_MS }).catch(() => {})
      const astray = ids.flatMap((id) => strayIn(cloud.teams.get(id)))
      await eventually(() => cloud.refused.every(isSettled), { timeoutMs: LAST_ATTEMPT_MS }).catch(() => {})
      const untaken = cloud.refused.filter(({ ackedAt }) => ackedAt === undefined)
      const lost = unanswered().map(([place, token]) => `${place}: ${token} has no answer`)
      for (const envelope of cloud.refused) process.stderr.write(`refused at first: ${refusalOf(envelope)}\n`)
      for (const [message, times] of alarmsOf(fleet)) process.stderr.write(`${times} × ${message}\n`)
      return {
        tried: `${count} workspaces, ${callsOf(cloud)} calls, ${acts} acts`,
        found: {
          "with another's token": cloud.crossings.length,
          'in another workspace': astray.length,
          'without an answer': lost.length,
          'taken later': cloud.refused.length - untaken.length,
          'not taken': untaken.length,
          'ends of a process': ends,
        },
        wrong: [
          ...cloud.crossings,
          ...astray,
          ...lost,
          ...untaken.map((envelope) => `not taken ${refusalOf(envelope)}`),
        ],
      }
    } finally {
      isOver = true
      await Promise.allSettled(revivals.values())
      for (const one of fleet) await one.close()
      await cluster.remove()
      await model.close()
      await cloud.close()
    }
  })

/** On a busy machine a process may hang while it starts, until the others take it for dead. */
async function persistently<Result>(start: () => Promise<Result>): Promise<Result> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await start()
    } catch (error) {
      if (tries === STARTS) throw error
    }
  }
}

/** Presses and commands are not sent again. */
const isSettled = ({ ackedAt, type, attempts }: Envelope) =>
  ackedAt !== undefined || type !== 'events_api' || attempts > MOST_ATTEMPTS

const refusalOf = ({ payload, refusals = [] }: Envelope) =>
  `${refusals.join(' | ')} ${JSON.stringify(payload).slice(0, 400)}`

function alarmsOf(fleet: readonly Footbridge[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>()
  for (const { level, msg, err } of fleet.flatMap((one) => one.alarms())) {
    const line = `${level} ${msg} ${JSON.stringify(err ?? '').slice(0, 300)}`
    counts.set(line, (counts.get(line) ?? 0) + 1)
  }
  return counts
}

/** Says the words of the question again, with the name of its workspace. */
function answerOf(request: Parameters<typeof promptText>[0]) {
  const token = promptText(request)
    .match(/q\d+ofT\d{4}/g)
    ?.at(-1)
  return token === undefined
    ? undefined
    : { kind: 'chat' as const, deltas: [`Answer ${token}: `, 'forty ', `metres ${token}.`] }
}

async function settle(cloud: SlackCloud, id: string, door: Parameters<typeof createBrowser>[0]): Promise<void> {
  const team = cloud.addTeam(id)
  const browser = createBrowser(door)
  const done = await browser.visit(cloud.oauth.allow(await browser.begin(), id))
  if (!done.ok) throw new Error(`${id} was not installed: ${done.status}`)
  team.workspace.addChannel({ id: CHANNEL, name: `ferry-${id.toLowerCase()}`, creator: USER })
  team.workspace.addUser({ id: USER, name: `Ada of ${id}`, locale: 'en-GB' })
  team.workspace.channel(CHANNEL).members.add(USER)
}

interface Act {
  readonly number: number
  readonly kind: number
  /** Questions by workspace and message. */
  readonly questions: Map<string, string>
}

async function act(cloud: SlackCloud, team: CloudTeam, { number, kind, questions }: Act): Promise<void> {
  const place = { channel: CHANNEL, user: USER }
  if (kind === 0) {
    const token = `q${number}of${team.id}`
    const said = team.say({ ...place, text: `What is ${token}?`, mention: true, order: 'message-only' })
    questions.set(`${team.id} ${said.ts}`, token)
    await said.acked
    return cloud
      .until(() => isAnswered(team, said.ts), token)
      .then(
        () => undefined,
        () => undefined,
      )
  }
  if (kind === 1) await team.openHome(USER).acked
  else if (kind === 2) await team.command({ ...place, text: 'files' }).acked
  else {
    const file = team.hostFile(`The mole of ${team.id} is ${number} m long.`, `mole-of-${team.id}.md`, 'text/markdown')
    await team.say({ ...place, files: [file] }).acked
  }
  await sleep(20)
}

/** Also by a sentence that no file has it. */
const isAnswered = ({ workspace }: CloudTeam, question: string): boolean =>
  workspace.messages.some(
    ({ threadTs, botId, stream }) => threadTs === question && botId !== undefined && stream?.open !== true,
  )

/** Everything that a workspace shows and that names another one. */
function strayIn(team: CloudTeam | undefined): readonly string[] {
  if (team === undefined) return []
  const shown = [
    ...team.workspace.messages.map(({ text, markdown, blocks }) => [text, markdown, blocks]),
    ...team.workspace.homes.values(),
  ]
  return shown.flatMap((one) => {
    const named = JSON.stringify(one).match(/T\d{4}/g) ?? []
    return named.some((id) => id !== team.id) ? [`${team.id} shows ${JSON.stringify(one).slice(0, 300)}`] : []
  })
}
