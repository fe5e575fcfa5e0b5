import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterDrop, judge, note, questionIn } from '../crash/trials.ts'
import { startFootbridge } from '../support/footbridge.ts'
import { openDiscord } from '../support/people/discord.ts'
import { createPerson, type Expected } from '../support/people/person.ts'
import { openSlack } from '../support/people/slack.ts'
import type { Channel } from '../support/people/workspace.ts'
import { withPlatform } from '../support/platforms.ts'
import { createRandom } from '../platform/hostile/random.ts'
import { measure } from './row.ts'

const OPEN = { Slack: openSlack, Discord: openDiscord } as const
/** The process lives for at most this long after it was ready, milliseconds. */
const MAX_LIFE_MS = 3000
/** The job that was tried last may be held back for as long as this, milliseconds. */
const DRAIN_MS = 180_000
/** Between two looks at the jobs. */
const LOOK_MS = 200

/** Long work, so that a kill meets it: an answer of a second and a half, and an index pass of the same length. */
const SLOW = { chat: { kind: 'slow', intervalMs: 25 }, 'generate-index': { kind: 'polls', polls: 6 } } as const

/** Jobs that have not come to their end, as an operator sees them. */
function openJobs(dataDir: string): readonly string[] {
  const database = new DatabaseSync(join(dataDir, 'bridge.sqlite'), { readOnly: true })
  try {
    const rows = database.prepare(
      `SELECT id, state, attempt, deaths, due_at - unixepoch() * 1000 AS due, reason FROM job WHERE state <> 'done'`,
    )
    return rows.all().map((row) => JSON.stringify(row))
  } finally {
    database.close()
  }
}

/** `kill -9` at random times while people ask and drop files. Nothing is lost, doubled, or given up. */
export const randomKills = (service: keyof typeof OPEN, kills: number, seed: number) =>
  measure(`kill -9 at random times, ${service}`, async () => {
    const random = createRandom(seed)
    const workspace = await OPEN[service]()
    const hosted = await withPlatform(service === 'Slack' ? 'collection' : 'saia')
    const footbridge = await startFootbridge({ ...workspace.env, ...hosted.env })
    const tried: { readonly channel: Channel; readonly expected: Expected }[] = []
    const place = async () => workspace.addChannel(`random-${tried.length}`)
    const ada = (channel: Channel) => createPerson(workspace, 'Ada', channel)

    async function act(): Promise<void> {
      const channel = await place()
      hosted.platform.script('chat', SLOW.chat)
      hosted.platform.script('generate-index', SLOW['generate-index'])
      if (random.int(2) === 0) {
        tried.push({ channel, expected: afterDrop(note) })
        await ada(channel).drops(note)
      } else {
        const { question, expected } = questionIn(channel)
        tried.push({ channel, expected })
        await ada(channel).asks(question)
      }
    }

    async function killOnce(): Promise<void> {
      const isBusy = random.int(3) === 0
      await act()
      if (isBusy) await act()
      await sleep(random.int(MAX_LIFE_MS))
      await footbridge.kill9()
      await footbridge.restart()
    }

    try {
      const greeted = ada(await workspace.addChannel('greeted'))
      await greeted.asks('Question to begin with')
      await greeted.sees(/automated answer/)
      for (let kill = 0; kill < kills; kill += 1) await killOnce()
      const begun = performance.now()
      const until = begun + DRAIN_MS
      const wrong: string[] = []
      for (const { channel, expected } of tried) {
        let seen = await ada(channel).transcript(expected)
        while (judge(seen, expected) !== 'right' && performance.now() < until)
          seen = await ada(channel).transcript(expected)
        const outcome = judge(seen, expected)
        if (outcome !== 'right') wrong.push(`${outcome}:\n${seen.join('\n')}`)
      }
      // A message may be visible a moment before its job has ended.
      while (openJobs(footbridge.dataDir).length > 0 && performance.now() < until) await sleep(LOOK_MS)
      const drainMs = performance.now() - begun
      const left = openJobs(footbridge.dataDir)
      const alarms = footbridge.output.log.filter(({ level }) => level >= 50).map(({ msg }) => msg)
      return {
        tried: `${kills} kills, ${tried.length} questions and files`,
        found: { 'lost, doubled or given up': wrong.length, 's until all was done': Math.round(drainMs / 1000) },
        wrong: [...wrong, ...left, ...alarms],
      }
    } finally {
      await footbridge.close()
      await hosted.close()
      await workspace.close()
    }
  })
