import { randomUUID } from 'node:crypto'
import type { Adapter } from '../port/adapter.ts'
import { channelKey } from '../port/keys.ts'
import type { Log } from '../port/platform.ts'
import type { PersonAccess, PersonRef, ReadableChannel, Reader } from '../port/person-access.ts'
import type { ChannelRecord } from '../port/records.ts'
import type { Store } from '../port/store.ts'
import { shownChannel } from '../texts/formats.ts'
import { textsFor } from '../texts/texts.ts'
import type { Authority } from './authorize.ts'
import { type Budgets, overBudgetSentence } from './budgets.ts'
import { type ChannelMap, collectionButtonId } from './channel-map.ts'
import { mayRead } from './permissions.ts'

interface Services {
  readonly store: Pick<Store, 'channels' | 'files' | 'answers'>
  readonly channels: Pick<ChannelMap, 'of'>
  readonly authority: Pick<Authority, 'denial' | 'factsOf'>
  readonly budgets: Pick<Budgets, 'charge'>
  readonly adapterOf: (name: string) => Adapter | undefined
  readonly log: Log
}

const MAX_GAPS = 50

/** The same rights as in chat, for programs of a person. */
export function createPersonAccess(services: Services): PersonAccess {
  const { store, budgets } = services

  async function readable(person: Reader, isWanted: (id: string) => boolean): Promise<readonly ReadableChannel[]> {
    const adapter = services.adapterOf(person.adapter)
    if (adapter === undefined) return []
    const workspace = await installationOf(adapter, person)
    const all = await store.channels.ofWorkspace(person.adapter, workspace)
    const records = all.filter(({ conversation }) => conversation.channel === (person.channel ?? conversation.channel))
    if (records.length === 0) return []
    // One call for all channels, where the service has one.
    const theirs = await adapter.app?.channelsOf(workspace, person.personId)
    const among = theirs && new Set(theirs.map(({ conversation }) => conversation.channel))
    const possible = records.filter(({ conversation: { direct, channel } }) => direct || (among?.has(channel) ?? true))
    const candidates = await withFiles(services, possible, { personId: person.personId, isWanted })
    const checked = await Promise.all(candidates.map((one) => check(services, { adapter, person, among }, one)))
    const found = checked.filter((one) => one !== undefined)
    return [...new Map(found.toReversed().map((one) => [one.id, one])).values()].toReversed()
  }

  return {
    channelsOf: (person) => readable(person, () => true),
    find: async (person, id) => (await readable(person, (one) => one === id)).find((one) => one.id === id),
    async charge({ personId }, channels) {
      const chargeId = `mcp:${randomUUID()}`
      const charge = async ({ conversation }: ReadableChannel) =>
        budgets.charge({ conversation, personId }, chargeId, 'questions', 1)
      const overs = await Promise.all(channels.map(charge))
      const over = overs.find((one) => one !== undefined)
      const charged = channels.filter((_, at) => overs[at] === undefined)
      if (over === undefined || charged.length > 0) return charged
      return overBudgetSentence(over, 'ask', textsFor('en'), { language: 'en' })
    },
    async gaps({ personId }, { conversation }) {
      const open = await store.answers.unanswered(channelKey(conversation), MAX_GAPS)
      return open
        .filter(({ isPrivate, asker }) => isPrivate !== true || asker === personId)
        .map(({ question, at }) => ({ question, askedAt: new Date(at).toISOString() }))
    },
  }
}

/** A workspace's own installation goes before that of its organization. */
async function installationOf({ app }: Adapter, { workspace, organization = workspace }: Reader): Promise<string> {
  return organization === workspace || (await app?.isInstalled(workspace)) === true ? workspace : organization
}

interface Candidate {
  readonly id: string
  readonly record: ChannelRecord
  /** Full id of the collection that the channel uses now. */
  readonly collectionId: string
}

/** The wanted channels whose collection, their own or a linked one, has a ready file. Asks a chat service for links only. */
async function withFiles(
  { store, channels }: Services,
  records: readonly ChannelRecord[],
  { personId, isWanted }: { readonly personId: string; readonly isWanted: (id: string) => boolean },
): Promise<readonly Candidate[]> {
  const candidates = records.map(async (record): Promise<Candidate | undefined> => {
    const { collection } = await channels.of(record.conversation)
    const id = collectionButtonId(collection)
    if (!isWanted(id) || !(await store.files.hasReady(collection))) return undefined
    // Direct conversations of others are many: the service is asked about those alone in which this person dropped files.
    if (record.conversation.direct && !(await dropped(store, record, personId))) return undefined
    const collectionId = (await store.channels.ofCollection(collection))?.collectionId
    return collectionId === undefined ? undefined : { id, record, collectionId }
  })
  return (await Promise.all(candidates)).filter((one) => one !== undefined)
}

const dropped = async ({ files }: Services['store'], { key }: ChannelRecord, personId: string) =>
  (await files.ofChannel(key)).some(({ droppedBy }) => droppedBy === personId)

/** Undefined: this person may not read the channel now, or may not ask in it. */
async function check(
  { authority, log }: Services,
  asked: { readonly adapter: Adapter; readonly person: PersonRef; readonly among: ReadonlySet<string> | undefined },
  { id, record, collectionId }: Candidate,
): Promise<ReadableChannel | undefined> {
  const { conversation } = record
  const { adapter, among, person } = asked
  const { personId } = person
  // A list of channels holds no direct conversations.
  const isIn =
    among === undefined || conversation.direct
      ? await mayRead({ adapter, log }, conversation, personId)
      : among.has(conversation.channel)
  if (!isIn) return undefined
  if ((await authority.denial({ adapter, log }, { conversation, personId, act: 'ask' })) !== undefined) return undefined
  const facts = await authority.factsOf(adapter, conversation)
  // Discord checks a person's age only when they open the channel itself, so its files are not shown elsewhere.
  if (facts === undefined || facts.isAgeRestricted === true || facts.isClosed === true) return undefined
  return { id, name: conversation.direct ? 'direct conversation' : shownChannel(facts), conversation, collectionId }
}
