import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { setTimeout as sleep } from 'node:timers/promises'
import { Agent, request } from 'undici'
import { startFootbridge, type Footbridge } from '../support/footbridge.ts'
import { openSlack } from '../support/people/slack.ts'
import { type Flood, FLOODS, type Target } from './floods.ts'
import { measure } from './row.ts'

/**
 * CPU time that the service may use from a person's request to its answer, less than a second on an idle machine with two
 * cores. On one that is busy with other work the same takes more of it, and a time on the wall says nothing.
 */
const MOST_CPU_MS = 3000
/** On the wall: a request that waits for nothing that is done ends then. */
const MOST_MS = 60_000
const MOST_TIMES = 2
/** Ticks of the clock by which the system counts CPU time, a second (`getconf CLK_TCK`). */
const TICKS = 100
const FLOOD_MS = 3000
const LOOK_MS = 50
const PASSWORD = 'correct-horse-battery'

const megabytesOf = ({ pid }: Footbridge) =>
  Number(/^VmRSS:\s*(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) / 1024

const descriptorsOf = ({ pid }: Footbridge) => readdirSync(`/proc/${pid}/fd`).length

/** CPU time of the whole process so far: the fields after its name, which may hold blanks (proc_pid_stat(5)). */
function cpuMsOf({ pid }: Footbridge): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8')
    .replace(/^.*\) /s, '')
    .split(' ')
  return ((Number(fields[11]) + Number(fields[12])) * 1000) / TICKS
}

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

/** Somebody else: logged in, on a connection of their own each time, as from a browser that was just opened. */
function watchPerson(footbridge: Footbridge, cookie: string) {
  const { url } = footbridge
  const times: number[] = []
  const cpuTimes: number[] = []
  const failures: string[] = []
  let isOver = false
  const ask = async (path: string) => {
    const dispatcher = new Agent({ pipelining: 0 })
    const begun = performance.now()
    const cpuBegun = cpuMsOf(footbridge)
    try {
      const { statusCode, body } = await request(`${url}${path}`, {
        headers: { cookie },
        dispatcher,
        signal: AbortSignal.timeout(MOST_MS),
      })
      await body.dump({ limit: 10_000_000 })
      if (statusCode !== 200) failures.push(`${path} was answered with ${statusCode}`)
    } catch (error) {
      failures.push(`${path}: ${error instanceof Error ? error.message : String(error)}`)
    } finally {
      times.push(performance.now() - begun)
      cpuTimes.push(cpuMsOf(footbridge) - cpuBegun)
      await dispatcher.destroy()
    }
  }
  const run = async () => {
    while (!isOver) {
      await ask('/api/web/state')
      await ask('/assets/page.js')
      await sleep(LOOK_MS)
    }
  }
  const running = run()
  return async () => {
    isOver = true
    await running
    return { longestMs: Math.max(0, ...times), longestCpuMs: Math.max(0, ...cpuTimes), failures }
  }
}

interface Felt {
  readonly name: string
  readonly megabytes: number
  readonly longestMs: number
  readonly longestCpuMs: number
  readonly wrong: readonly string[]
}

async function feel(footbridge: Footbridge, flood: Flood, target: Target, rest: number, other: string): Promise<Felt> {
  const person = watchPerson(footbridge, other)
  let megabytes = 0
  const look = setInterval(() => (megabytes = Math.max(megabytes, megabytesOf(footbridge))), LOOK_MS)
  const sockets = flood.send(target)
  await sleep(FLOOD_MS)
  const { longestMs, longestCpuMs, failures } = await person()
  clearInterval(look)
  for (const socket of sockets) socket.destroy()
  const wrong = [
    ...(megabytes > MOST_TIMES * rest ? [`${Math.round(megabytes)} MB, ${Math.round(rest)} at rest`] : []),
    ...(longestCpuMs > MOST_CPU_MS ? [`another person waited ${longestCpuMs} ms of CPU time`] : []),
    ...failures.slice(0, 3),
  ]
  return { name: flood.name, megabytes, longestMs, longestCpuMs, wrong: wrong.map((line) => `${flood.name}: ${line}`) }
}

/** Until the flood before is over, so that its connections do not count. */
async function settle(footbridge: Footbridge): Promise<void> {
  for (let look = 0; look < 100 && descriptorsOf(footbridge) > 150; look += 1) await sleep(LOOK_MS)
}

/** Each flood, one after the other, at a service whose log-in and signing secret the sender does not know, unless it says so. */
export const floods = (chosen: readonly Flood[] = FLOODS) =>
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
      await watchPerson(footbridge, other)()
      await sleep(1000)
      const rest = megabytesOf(footbridge)
      const felt: Felt[] = []
      const wrong: string[] = []
      for (const flood of chosen) {
        const one = await feel(footbridge, flood, target, rest, other)
        felt.push(one)
        wrong.push(...one.wrong)
        await settle(footbridge)
      }
      wrong.push(
        ...footbridge
          .alarms()
          .map(({ msg }) => `said in the log: ${msg}`)
          .slice(0, 5),
      )
      return {
        tried: `${felt.length} floods`,
        found: {
          'MB at rest': Math.round(rest),
          'MB at most': Math.round(Math.max(...felt.map(({ megabytes }) => megabytes))),
          'ms of CPU, longest wait of another person': Math.max(...felt.map(({ longestCpuMs }) => longestCpuMs)),
          'ms on the wall': Math.round(Math.max(...felt.map(({ longestMs }) => longestMs))),
        },
        wrong,
      }
    } finally {
      await footbridge.close()
      await slack.close()
    }
  })
