import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { createRandom, type Random } from '../platform/hostile/random.ts'
import { makeHostileRequests } from '../platform/hostile/requests.ts'
import { collections, files } from '../platform/hostile/raw.ts'
import { send } from '../platform/hostile/send.ts'
import { toForm } from '../platform/server/platform.ts'
import { eventually } from '../support/eventually.ts'
import { startFootbridge, type Footbridge } from '../support/footbridge.ts'
import { openDiscord } from '../support/people/discord.ts'
import { openSlack } from '../support/people/slack.ts'
import { openWeb, type WebWorkspace } from '../support/people/web.ts'
import type { Channel, DroppedFile, Workspace } from '../support/people/workspace.ts'
import { createHostileFiles, hostileText } from './hostile-input.ts'
import { measure } from './row.ts'

/** A main loop that computed for longer was frozen. */
const FREEZE_MS = 1000
const AT_ONCE = 20
/** Messages of one channel before the next one is used: a transcript is read for each of them. */
const A_CHANNEL = 40
/** Without a further answer to anybody; then what is unanswered stays so. A document may take two minutes to be read. */
const LONGEST_SILENCE_MS = 4 * 60_000
const INSIDE = /node_modules|\.ts:\d|\n +at /

/** Runs `work` for the numbers 0…count, a few at once. */
async function each(count: number, work: (number: number) => Promise<void>): Promise<void> {
  let next = 0
  const run = async () => {
    // oxlint-disable-next-line no-await-in-loop -- one after the other in each lane
    while (next < count) await work(next++)
  }
  await Promise.all(Array.from({ length: AT_ONCE }, run))
}

export function openJobs(dataDir: string): number {
  const database = new DatabaseSync(join(dataDir, 'bridge.sqlite'), { readOnly: true })
  try {
    const row = database.prepare(`SELECT count(*) AS open FROM job WHERE state IN ('queued', 'running')`).get()
    return Number(row?.['open'])
  } finally {
    database.close()
  }
}

/** A chat service, and the messages of Footbridge that answer one of somebody else. */
interface Door {
  readonly workspace: Workspace
  readonly answersTo: (channel: Channel, id: string) => readonly string[]
}

/** Says and drops hostile things, and looks for an answer or a reason under each of them. */
async function throughChat({ workspace, answersTo }: Door, count: number, random: Random): Promise<string[]> {
  const makeFile = await createHostileFiles(random)
  const said: { readonly channel: Channel; readonly id: string; readonly what: string }[] = []
  for (let at = 0; at < count; at += A_CHANNEL) {
    const channel = await workspace.addChannel(`channel-${workspace.service}-${at}`)
    for (let one = at; one < Math.min(count, at + A_CHANNEL); one += 1) {
      const file = one % 2 === 0 ? makeFile() : undefined
      const text = hostileText(random, 1900)
      // A picture that nobody was asked about is talk among people.
      const mention = file === undefined || file.name.endsWith('.png')
      const words = file === undefined ? { text, mention } : { files: [file], mention }
      const id = await workspace.say('Ada', channel, words)
      said.push({ channel, id, what: JSON.stringify(file?.name ?? text).slice(0, 200) })
    }
  }
  const open = () => said.filter(({ channel, id }) => answersTo(channel, id).length === 0)
  let [left, since] = [said.length, performance.now()]
  const isOver = () => {
    const now = open().length
    if (now < left) [left, since] = [now, performance.now()]
    return now === 0 || performance.now() - since > LONGEST_SILENCE_MS
  }
  await eventually(isOver, { everyMs: 500, timeoutMs: 60 * 60_000 })
  const unanswered = open().map(({ what }) => `${workspace.service} says nothing to ${what}`)
  const shown = said.flatMap(({ channel, id, what }) => answersTo(channel, id).map((text) => ({ text, what })))
  return [
    ...unanswered,
    ...shown.flatMap(({ text, what }) =>
      INSIDE.test(text) ? [`${workspace.service} shows the inside to ${what}: ${text.slice(0, 300)}`] : [],
    ),
  ]
}

const asBytes = (bytes: DroppedFile['bytes']) =>
  typeof bytes === 'string' ? new TextEncoder().encode(bytes) : Uint8Array.from(bytes)

/** Uploads, messages and bodies that the page would not send. */
async function throughPage(workspace: WebWorkspace, count: number, random: Random): Promise<string[]> {
  const makeFile = await createHostileFiles(random)
  const browser = workspace.browser()
  const { id } = await browser.createChannel('hostile')
  const wrong: string[] = []
  await each(count, async () => {
    const { name, bytes, mimeType } = makeFile()
    const text = hostileText(random)
    const upload = `/api/web/uploads/${random.pick(['x', crypto.randomUUID()])}?name=${encodeURIComponent(name.replaceAll(/[\ud800-\udfff]/g, '?'))}`
    const [method, path, body] = random.pick([
      ['PUT', upload, asBytes(bytes)],
      [
        'POST',
        `/api/web/channels/${id}/messages`,
        JSON.stringify({
          id: random.pick([1, text, crypto.randomUUID()]),
          text: random.pick([text, 7, null, [text]]),
          name: text,
          files: random.pick([[], [text], text]),
        }),
      ],
      [
        'POST',
        `/api/web/channels`,
        random.pick([JSON.stringify({ name: random.pick([text, 1, '']) }), '{', '['.repeat(3000)]),
      ],
      [
        'POST',
        `/api/web/messages/${encodeURIComponent(text.slice(0, 50).replaceAll(/[\ud800-\udfff]/g, '?'))}/actions`,
        JSON.stringify({ id: text, action: text }),
      ],
      ['PATCH', `/api/web/messages/${crypto.randomUUID()}`, JSON.stringify({ text })],
      ['GET', `/api/web/files/${random.pick(['..%2f..%2fplatform-key', '%00', crypto.randomUUID()])}`, undefined],
    ] as const)
    const type = body instanceof Uint8Array ? mimeType : 'application/json'
    const answer = await browser
      .request(path, { method, body, headers: { 'content-type': type } })
      .catch((error: unknown) => {
        wrong.push(
          `page: no answer to ${method} ${path.slice(0, 80)}: ${String(error instanceof Error ? (error.cause ?? error) : error)}`,
        )
      })
    if (answer === undefined) return
    const said = await answer.text()
    if (answer.status >= 500 || INSIDE.test(said))
      wrong.push(`page: ${answer.status} to ${method} ${path.slice(0, 80)}: ${said.slice(0, 200)}`)
    else if (answer.status >= 400 && said.trim() === '')
      wrong.push(`page: ${answer.status} without a reason to ${method} ${path.slice(0, 80)}`)
  })
  return wrong
}

async function throughPlatform({ url, dataDir }: Footbridge, count: number, random: Random): Promise<string[]> {
  const key = readFileSync(join(dataDir, 'platform-key'), 'utf8').trim()
  const port = Number(new URL(url).port)
  // Names that are wrong because they are taken need what has taken them.
  const post = (path: string, body: string | FormData) =>
    fetch(new URL(path, url), {
      method: 'POST',
      headers: { authorization: key, ...(typeof body === 'string' && { 'content-type': 'application/json' }) },
      body,
    })
  await post(`${collections}/`, JSON.stringify({ name: 'notes' }))
  await post(`${files}/`, toForm('file', 'a.md', '# Boathouse\n\nThe password of the boathouse is walrus.'))
  const requests = makeHostileRequests(random, count, key)
  const wrong: string[] = []
  await each(count, async (number) => {
    const request = requests[number]
    if (request === undefined) return
    const { status, text } = await send(port, request, 120_000).catch((error: Error) => ({
      status: -1,
      text: error.message,
    }))
    if (status < 400 || status > 499 || INSIDE.test(text))
      wrong.push(`platform: ${status} to ${request.what}: ${text.slice(-200)}`)
  })
  return wrong
}

/** Hostile names, files and payloads through every door of one process, side by side. */
export const fuzz = (count: number, seed: number) =>
  measure('hostile input through the doors', async () => {
    const [slack, discord, web] = await Promise.all([openSlack(), openDiscord(), openWeb()])
    const footbridge = await startFootbridge({ ...slack.env, ...discord.env, LOG_LEVEL: 'info' })
    const onSlack: Door = {
      workspace: slack,
      answersTo: ({ id: channel }, id) =>
        slack.slack
          .transcript(channel)
          .flatMap(({ own, thread, text, streaming }) => (own && thread === id && !streaming ? [text] : [])),
    }
    const onDiscord: Door = {
      workspace: discord,
      answersTo: ({ id: channel }, id) =>
        discord.discord.transcript(channel).flatMap(({ bot, replyTo, text }) => (bot && replyTo === id ? [text] : [])),
    }
    try {
      await web.attach(footbridge)
      const parts = {
        slack: Math.ceil(count * 0.1),
        discord: Math.ceil(count * 0.1),
        page: Math.ceil(count * 0.3),
        platform: Math.ceil(count * 0.5),
      }
      const random = (part: number) => createRandom(seed * 10 + part)
      const wrong = (
        await Promise.all([
          throughChat(onSlack, parts.slack, random(1)),
          throughChat(onDiscord, parts.discord, random(2)),
          throughPage(web, parts.page, random(3)),
          throughPlatform(footbridge, parts.platform, random(4)),
        ])
      ).flat()
      const { log, stderr } = footbridge.output
      const frozen = log.filter((line) => line.msg === 'Slow: requests waited' && Number(line['cpuMs']) > FREEZE_MS)
      const errors = log.filter(({ level }) => level >= 50)
      const alive = await fetch(new URL('/health', footbridge.url)).then(
        (answer) => answer.json(),
        () => ({}),
      )
      const crashes = (alive as { status?: string }).status === 'ok' ? 0 : 1
      const total = Object.values(parts).reduce((sum, one) => sum + one, 0)
      return {
        tried: `${total.toLocaleString('en')} (Slack ${parts.slack}, Discord ${parts.discord}, page ${parts.page}, platform ${parts.platform})`,
        found: { crashes, 'frozen over 1 s': frozen.length, 'without an answer or a reason': wrong.length },
        wrong: [
          ...wrong,
          ...frozen.map((line) => JSON.stringify(line)),
          ...errors.map((line) => JSON.stringify(line)),
          ...stderr,
        ],
      }
    } finally {
      await footbridge.close()
      await Promise.all([slack.close(), discord.close(), web.close()])
    }
  })
