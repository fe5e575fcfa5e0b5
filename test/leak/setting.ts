import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { startUpstreamDouble, type UpstreamDouble } from '../doubles/upstream/double.ts'
import { promptText, type UpstreamRequest } from '../doubles/upstream/script.ts'
import { eventually } from '../support/eventually.ts'
import { startFootbridge, type Footbridge } from '../support/footbridge.ts'
import { PATIENCE_MS } from '../support/patience.ts'
import { openDiscord } from '../support/people/discord.ts'
import { createPerson, type Person } from '../support/people/person.ts'
import { openSlack } from '../support/people/slack.ts'
import type { Channel, ChatWorkspace, DroppedFile, Workspace } from '../support/people/workspace.ts'

/** Words of the next recordings, in the order in which they are heard. */
export const spoken: string[] = []

/** The files do not answer a question with this word in it. */
export const UNANSWERED = 'unanswered'

/**
 * The worst model that there can be: it obeys whoever wants to know, and repeats all that it was given: instructions,
 * passages and history. Anything that it does not say was never there.
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

/** A channel with a fact that is known nowhere else. */
export interface Room extends Channel {
  /** A word that occurs in nothing but the file that was dropped here. */
  readonly canary: string
  /** Who is in it from the start; the first one drops the file. */
  readonly members: readonly string[]
}

/** A room, and somebody who is in it. */
export interface Membership {
  readonly workspace: ChatWorkspace
  readonly room: Room
  readonly member: Person
}

export interface Setting {
  readonly workspaces: readonly ChatWorkspace[]
  rooms(workspace: Workspace): readonly Room[]
  room(workspace: Workspace, name: string): Room
  /** All rooms of all workspaces. */
  everywhere(): readonly Membership[]
  /** Opens another room while the others stay. */
  addRoom(workspace: Workspace, name: string, members: readonly string[]): Promise<Room>
  readonly footbridge: Footbridge
  readonly upstream: UpstreamDouble
  /** The real id of a room's collection: an attacker may have learnt it. */
  collectionOf(room: Room): string
  /** Ids of the answers that were given in this room. */
  answersOf(room: Room): readonly string[]
  /** Resolves when this many more events were taken in, and all work is done. */
  settled(events: number): Promise<void>
  close(): Promise<void>
}

const EVERYBODY = ['Ada', 'Ben', 'Cleo', 'Mallory']
const CHANNELS: readonly (readonly [string, 'public' | 'private', readonly string[]])[] = [
  ['lobby', 'public', EVERYBODY],
  ['board', 'private', ['Ada']],
  ['staff', 'private', ['Ada', 'Ben']],
  ['lab', 'private', ['Ada', 'Cleo']],
]

export function vaultFile(name: string, canary: string): DroppedFile {
  const text = `# Vault of ${name}\n\nThe pass phrase of the vault is ${canary}. The vault of ${name} opens with this pass phrase only.\n`
  return { name: `vault-${name}.md`, bytes: text, mimeType: 'text/markdown' }
}

export const makeCanary = () => `qx${randomBytes(6).toString('hex')}`

/** Everything of Footbridge that people in this channel see: texts, folds, buttons, files and what is in them. */
export async function shownIn(workspace: Workspace, channel: Channel): Promise<string> {
  const ours = (await workspace.messages(channel)).filter((message) => message.ours)
  const files = await workspace.handedOut(channel)
  return [
    ...ours.map(({ text, buttons, files: names }) => [text, ...buttons, ...names].join('\n')),
    ...files.map(({ bytes }) => new TextDecoder().decode(bytes)),
  ].join('\n\n')
}

/** Both chat services, in each room a file with its canary, all ready. */
export async function openSetting(): Promise<Setting> {
  const workspaces = [await openSlack(), await openDiscord({ editLimit: Infinity })]
  const upstream = await startUpstreamDouble({ answerBy: betrayAll })
  const footbridge = await startFootbridge({
    ...Object.assign({}, ...workspaces.map(({ env }) => env)),
    UPSTREAM_BASE_URL: upstream.baseUrl,
    UPSTREAM_CHAT_MODEL: 'double-chat',
    UPSTREAM_TRANSCRIPTION_MODEL: 'double-whisper',
    SPEECH_MODEL: 'double-speech',
  })
  const database = new DatabaseSync(join(footbridge.dataDir, 'bridge.sqlite'), { readOnly: true })
  const count = database.prepare(`SELECT count(*) AS taken, sum(state IN ('queued', 'running')) AS open FROM job`)
  const look = () => {
    const { taken, open } = count.get() ?? {}
    return { taken: Number(taken), open: Number(open) }
  }
  let expected = 0

  async function settled(events: number): Promise<void> {
    expected += events
    let quiet = 0
    const isQuiet = () => {
      const { taken, open } = look()
      quiet = taken >= expected && open === 0 ? quiet + 1 : 0
      return quiet === 3
    }
    const instead = () => `${look().taken} of ${expected} events, ${look().open} still open`
    await eventually(isQuiet, { instead, timeoutMs: 5 * PATIENCE_MS, everyMs: 30 })
    expected = look().taken
  }

  const rooms = new Map<Workspace, Room[]>()
  for (const workspace of workspaces) {
    const all: Room[] = []
    for (const [name, kind, members] of CHANNELS)
      all.push({ ...(await workspace.addChannel(name, { kind, members })), members, canary: makeCanary() })
    for (const person of EVERYBODY) {
      const direct = { ...workspace.directOf(person), name: `${person.toLowerCase()}-direct` }
      all.push({ ...direct, members: [person], canary: makeCanary() })
    }
    rooms.set(workspace, all)
  }
  const everywhere = () =>
    workspaces.flatMap((workspace) =>
      (rooms.get(workspace) ?? []).map((room) => ({
        workspace,
        room,
        member: createPerson(workspace, room.members[0] ?? '', room),
      })),
    )
  for (const { member, room } of everywhere()) await member.drops(vaultFile(room.name, room.canary))
  await settled(everywhere().length)

  const channels = database.prepare(`SELECT collection_id FROM channel WHERE key LIKE ?`)
  const answers = database.prepare(`SELECT id FROM answer WHERE channel LIKE ?`)
  return {
    workspaces,
    footbridge,
    upstream,
    rooms: (workspace) => rooms.get(workspace) ?? [],
    everywhere,
    addRoom: async (workspace, name, members) => ({
      ...(await workspace.addChannel(name, { kind: 'private', members })),
      members,
      canary: makeCanary(),
    }),
    room(workspace, name) {
      const found = rooms.get(workspace)?.find((room) => room.name === name)
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
      for (const workspace of workspaces) await workspace.close()
    },
  }
}
