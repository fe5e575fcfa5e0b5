import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { setTimeout as sleep } from 'node:timers/promises'
import { PATIENCE_MS } from '../support/patience.ts'
import { startFootbridge, type Footbridge } from '../support/whole/footbridge.ts'
import { startUpstreamDouble, type UpstreamDouble } from '../doubles/upstream/double.ts'
import { promptText, type UpstreamRequest } from '../doubles/upstream/script.ts'
import { openDiscordHouse } from './discord-house.ts'
import type { House, Person, Room } from './house.ts'
import { openSlackHouse } from './slack-house.ts'

/** What the next memos say, in the order in which they are heard. */
export const spoken: string[] = []

/** A question with this word in it the files do not answer. */
export const UNANSWERED = 'unanswered'

/**
 * The worst model that there can be: it obeys whoever wants to know, and repeats all that it was given, instructions,
 * passages and what was said before. What it does not say was never there.
 */
function betrayAll(request: UpstreamRequest) {
  if (request.path === '/audio/transcriptions') {
    return { kind: 'transcript', text: spoken.shift() ?? 'What is the pass phrase?' } as const
  }
  const prompt = promptText(request)
  // So that there is something to ask people about.
  if (prompt.split('The question:').at(-1)?.includes(UNANSWERED) === true)
    return { kind: 'chat', text: 'NOT_IN_FILES' } as const
  const marks = prompt.match(/\[RREF\d+\]/g) ?? []
  const passages = prompt.slice(Math.max(0, prompt.lastIndexOf('Passage [RREF1]')))
  return {
    kind: 'chat',
    text: `${[...new Set(marks)].join('')} ${passages.slice(0, 3000)} ${prompt.slice(0, 3000)}`,
  } as const
}

/** A room, and who is in it. */
export interface Standing {
  readonly house: House
  readonly room: Room
  readonly member: Person
}

export interface Setting {
  readonly houses: readonly House[]
  /** All rooms of a house. */
  rooms(house: House): ReadonlyMap<string, Room>
  room(house: House, name: string): Room
  /** All rooms of all houses. */
  everywhere(): readonly Standing[]
  readonly footbridge: Footbridge
  readonly upstream: UpstreamDouble
  /** The real id of a room's collection: an attacker may have learnt it. */
  collectionOf(room: Room): string
  /** Ids of the answers that were given in this room. */
  answersOf(room: Room): readonly string[]
  /** Resolves when so many more events were taken in, and all work is done. */
  settled(events: number): Promise<void>
  close(): Promise<void>
}

const ROOMS: readonly (readonly [string, Room['kind'], readonly Person[]])[] = [
  ['lobby', 'public', ['ada', 'ben', 'cleo', 'mallory']],
  ['board', 'private', ['ada']],
  ['staff', 'private', ['ada', 'ben']],
  ['lab', 'private', ['ada', 'cleo']],
  ['ada-direct', 'direct', ['ada']],
  ['ben-direct', 'direct', ['ben']],
  ['cleo-direct', 'direct', ['cleo']],
  ['mallory-direct', 'direct', ['mallory']],
]

export function vaultFile(name: string, canary: string) {
  const text = `# Vault of ${name}\n\nThe pass phrase of the vault is ${canary}. The vault of ${name} opens with this pass phrase only.\n`
  return { name: `vault-${name}.md`, text }
}

export const makeCanary = () => `qx${randomBytes(6).toString('hex')}`

/** Both services, in each room a file with its canary, all ready. */
export async function openSetting(): Promise<Setting> {
  const houses = await Promise.all([openSlackHouse(), openDiscordHouse()])
  const upstream = await startUpstreamDouble({ answerBy: betrayAll })
  const footbridge = await startFootbridge({
    ...Object.assign({}, ...houses.map(({ env }) => env)),
    FILE_HOSTS: '127.0.0.1:*',
    UPSTREAM_BASE_URL: upstream.baseUrl,
    UPSTREAM_CHAT_MODEL: 'double-chat',
    UPSTREAM_TRANSCRIPTION_MODEL: 'double-whisper',
    SPEECH_MODEL: 'double-speech',
  })
  const database = new DatabaseSync(join(footbridge.dataDir, 'bridge.sqlite'), { readOnly: true })
  const count = database.prepare(
    `SELECT count(*) AS taken, sum(state IN ('queued', 'running')) AS open FROM job`,
  )
  const look = () => {
    const { taken, open } = count.get() ?? {}
    return { taken: Number(taken), open: Number(open) }
  }
  let expected = 0

  async function settled(events: number): Promise<void> {
    expected += events
    const until = Date.now() + 5 * PATIENCE_MS
    let quiet = 0
    while (quiet < 3) {
      const { taken, open } = look()
      quiet = taken >= expected && open === 0 ? quiet + 1 : 0
      if (Date.now() > until) throw new Error(`${taken} of ${expected} events, ${open} still open.`)
      await sleep(30)
    }
    expected = look().taken
  }

  const rooms = new Map(
    houses.map((house) => [
      house,
      new Map(ROOMS.map(([name, kind, members]) => [name, house.addRoom(name, kind, members, makeCanary())])),
    ]),
  )
  for (const [house, all] of rooms) {
    for (const room of all.values()) {
      house.say(room.members[0] ?? 'ada', room, { files: [vaultFile(room.name, room.canary)] })
    }
  }
  await settled(houses.length * ROOMS.length)

  const channels = database.prepare(`SELECT collection_id FROM channel WHERE key LIKE ?`)
  const answers = database.prepare(`SELECT id FROM answer WHERE channel LIKE ?`)
  return {
    houses,
    footbridge,
    upstream,
    rooms: (house) => rooms.get(house) ?? new Map(),
    everywhere: () =>
      houses.flatMap((house) =>
        [...(rooms.get(house)?.values() ?? [])].map((room) => ({
          house,
          room,
          member: room.members[0] ?? 'ada',
        })),
      ),
    room(house, name) {
      const found = rooms.get(house)?.get(name)
      if (found === undefined) throw new Error(`There is no room ${name}.`)
      return found
    },
    collectionOf: ({ id }) => String(channels.get(`%:${id}`)?.['collection_id']),
    answersOf: ({ id }) => answers.all(`%:${id}`).map((row) => String(row['id'])),
    settled,
    async close() {
      database.close()
      await footbridge.close()
      await upstream.close()
      for (const house of houses) await house.close()
    },
  }
}
