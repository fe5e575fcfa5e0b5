import { once } from 'node:events'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { availableParallelism, loadavg } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { setTimeout as sleep } from 'node:timers/promises'
import { Worker } from 'node:worker_threads'
import { request } from 'undici'
import { startFootbridge, type Footbridge } from '../support/footbridge.ts'
import { openSlack } from '../support/people/slack.ts'
import { ENDLESS, familyMegabytes, openReader } from './endless-documents.ts'
import type { Felt, PersonData } from './flood-person.ts'
import { type Flood, FLOODS, type Target } from './floods.ts'
import { measure } from './row.ts'

/** From a person's request to the end of its answer, as far as the machine gave the service its cores. */
const MOST_WAIT_MS = 1000
/**
 * Threads that share a core slow each other down also while they run: on a busy machine more is allowed, up to this
 * many times.
 */
const MOST_SLOWER = 3
const mostWaitMs = () => MOST_WAIT_MS * Math.min(MOST_SLOWER, Math.max(1, (loadavg()[0] ?? 1) / availableParallelism()))
const MOST_TIMES = 2
/** Smallest memory at rest that counts, in megabytes: a service that takes less at rest has the same buffers in a flood. */
const MIN_REST_MB = 210
const PASSWORD = 'correct-horse-battery'

/** Resident memory: `VmRSS` now, `VmHWM` the most of it. */
const megabytesOf = ({ pid }: Footbridge, field: 'VmRSS' | 'VmHWM') =>
  Math.round(
    Number(new RegExp(`^${field}:\\s*(\\d+)`, 'm').exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024,
  )

/** Counts the most memory from now on (proc_pid_clear_refs(5)). */
const forgetMost = ({ pid }: Footbridge) => writeFileSync(`/proc/${pid}/clear_refs`, '5')

async function logIn(url: string): Promise<string> {
  const { headers, statusCode, body } = await request(`${url}/login`, { method: 'POST', body: `password=${PASSWORD}` })
  await body.dump()
  if (statusCode !== 303) throw new Error(`The log-in was answered with ${statusCode}.`)
  const cookies = [headers['set-cookie'] ?? []].flat()
  return cookies.map((cookie) => cookie.split(';', 1)[0]).join('; ')
}

/** A room of three megabytes of messages in threads, as months of use leave it. */
function fillRoom({ dataDir }: Footbridge): void {
  const database = new DatabaseSync(join(dataDir, 'web.sqlite'))
  const insert = database.prepare(
    `INSERT INTO messages (id, channel, thread, ours, author_id, author_name, kind, text, body, sent_at)
     VALUES (?, 'general', ?, 0, 'person', 'Ada', 'message', ?, '{}', ?)`,
  )
  for (let nth = 0; nth < 30; nth += 1) insert.run(`root-${nth}`, null, 'mole '.repeat(20_000), nth)
  database.close()
}

/** The largest file that the page takes, sent with a message. */
async function dropFile(url: string, cookie: string): Promise<string> {
  const id = 'flood-large-file'
  const headers = { cookie, 'content-type': 'application/octet-stream' }
  const put = await request(`${url}/api/web/uploads/${id}?name=large.bin`, {
    method: 'PUT',
    headers,
    body: Buffer.alloc(20_000_000, 'a'),
  })
  await put.body.dump()
  return id
}

/** Somebody else: logged in, and asking all the time. @returns what ends it. */
function watchPerson({ pid }: Footbridge, { port }: Target, cookie: string): () => Promise<Felt> {
  const workerData: PersonData = { url: `http://127.0.0.1:${port}`, pid, cookie }
  const thread = new Worker(new URL('./flood-person.ts', import.meta.url), { workerData, execArgv: [] })
  const felt = once(thread, 'message')
  return async () => {
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
    thread.postMessage('over')
    const [said] = (await felt) as [Felt]
    await thread.terminate()
    return said
  }
}

const descriptorsOf = ({ pid }: Footbridge) => readdirSync(`/proc/${pid}/fd`).length

/** Until the flood is over, as far as the service sees that: of a client that it does not read it learns that later. */
async function settle(footbridge: Footbridge): Promise<void> {
  for (let look = 0; look < 20 && descriptorsOf(footbridge) > 150; look += 1) await sleep(50)
}

interface Flooded extends Felt {
  readonly megabytes: number
  readonly familyMegabytes: number
  readonly wrong: readonly string[]
}

interface Setting {
  readonly footbridge: Footbridge
  readonly target: Target
  /** Cookie of somebody else. */
  readonly other: string
  readonly restMegabytes: number
  /** The same with the children. */
  readonly familyMegabytes: number
  readonly readPicture: () => Promise<string[]>
  readonly floodMs: number
}

async function feel(flood: Flood, setting: Setting): Promise<Flooded> {
  const { footbridge, target, other, restMegabytes, floodMs } = setting
  const leave = watchPerson(footbridge, target, other)
  forgetMost(footbridge)
  const sockets = flood.send(target)
  const most = watchFamily(footbridge)
  await sleep(floodMs)
  const unread = flood.isDocument === true ? await setting.readPicture() : []
  const family = most()
  const felt = await leave()
  const megabytes = megabytesOf(footbridge, 'VmHWM')
  for (const socket of sockets) socket.destroy()
  await settle(footbridge)
  const wrong = [
    ...(megabytes > MOST_TIMES * Math.max(restMegabytes, MIN_REST_MB)
      ? [`${megabytes} MB, ${restMegabytes} at rest`]
      : []),
    ...(felt.longestMs > mostWaitMs() ? [`another person waited ${felt.longestMs} ms`] : []),
    ...felt.failures.slice(0, 3),
    ...unread,
    ...(flood.isDocument === true && family > MOST_TIMES * setting.familyMegabytes
      ? [`${family} MB with the children, ${setting.familyMegabytes} at rest`]
      : []),
  ]
  return {
    ...felt,
    megabytes,
    familyMegabytes: flood.isDocument === true ? family : 0,
    wrong: wrong.map((line) => `${flood.name}: ${line}`),
  }
}

/** The most memory of the service with its children, until it is asked for. */
function watchFamily(footbridge: Footbridge): () => number {
  let most = 0
  const looking = setInterval(() => (most = Math.max(most, familyMegabytes(footbridge))), 50)
  return () => {
    clearInterval(looking)
    return most
  }
}

/** Once more where something was wrong: a machine may be kept from everything for a second. */
async function feelTwice(flood: Flood, setting: Setting): Promise<Flooded> {
  const first = await feel(flood, setting)
  return first.wrong.length === 0 ? first : feel(flood, setting)
}

/** Memory of the service at rest, after all requests below were made once: code and tables are not part of a flood. */
async function restOf(footbridge: Footbridge, target: Target, other: string): Promise<number> {
  const leave = watchPerson(footbridge, target, other)
  const url = `http://127.0.0.1:${target.port}`
  for (const path of ['/login', `/api/web/channels/${target.room}/messages`, '/health']) {
    const { body } = await request(`${url}${path}`, { headers: { cookie: target.cookie } })
    await body.dump({ limit: 10_000_000 })
  }
  const picture = { type: 'image_url', image_url: { url: `data:image/png;base64,${'a'.repeat(2_700_000)}` } }
  const chat = { model: 'none', messages: [{ role: 'user', content: [picture] }] }
  const headers = { authorization: target.bearer, 'content-type': 'application/json' }
  const { body } = await request(`${url}/v1/chat/completions`, { method: 'POST', headers, body: JSON.stringify(chat) })
  await body.dump()
  await sleep(1000)
  await leave()
  await sleep(1000)
  return megabytesOf(footbridge, 'VmRSS')
}

/**
 * Each flood, one after the other, at a service whose log-in and signing secret the sender does not know, unless it
 * says so. The traces of one are there when the next one begins.
 */
export const floods = ({
  chosen = [...FLOODS, ...ENDLESS],
  floodMs = 3000,
}: { chosen?: readonly Flood[]; floodMs?: number } = {}) =>
  measure('floods over HTTP', async () => {
    const slack = await openSlack({ overHttp: true })
    const footbridge = await startFootbridge({ ...slack.env, HOST: '0.0.0.0', WEB_PASSWORD: PASSWORD })
    try {
      const url = `http://127.0.0.1:${new URL(footbridge.url).port}`
      const [cookie, other] = [await logIn(url), await logIn(url)]
      fillRoom(footbridge)
      const key = readFileSync(join(footbridge.dataDir, 'platform-key'), 'utf8').trim()
      const file = await dropFile(url, cookie)
      const target = { port: Number(new URL(url).port), cookie, bearer: `Bearer ${key}`, room: 'general', file }
      const readPicture = await openReader(footbridge)
      // Twice, at once: both children have read one.
      await Promise.all([readPicture(), readPicture()])
      const restMegabytes = await restOf(footbridge, target, other)
      const setting = {
        footbridge,
        target,
        other,
        restMegabytes,
        floodMs,
        readPicture,
        familyMegabytes: familyMegabytes(footbridge),
      }
      const felt: Flooded[] = []
      for (const flood of chosen) felt.push(await feelTwice(flood, setting))
      const alarms = footbridge.alarms().map(({ msg }) => `said in the log: ${msg}`)
      return {
        tried: `${felt.length} floods`,
        found: {
          'MB at rest': restMegabytes,
          'MB at most': Math.max(...felt.map(({ megabytes }) => megabytes)),
          'MB at rest with children': setting.familyMegabytes,
          'MB at most with children': Math.max(...felt.map((each) => each.familyMegabytes)),
          'ms, longest wait of another person': Math.max(...felt.map(({ longestMs }) => longestMs)),
          'ms on the wall': Math.max(...felt.map(({ longestWallMs }) => longestWallMs)),
          'requests of that person': felt.reduce((sum, { asked }) => sum + asked, 0),
        },
        wrong: [...felt.flatMap(({ wrong }) => wrong), ...alarms.slice(0, 5)],
      }
    } finally {
      await footbridge.close()
      await slack.close()
    }
  })
