import { createHash, randomBytes } from 'node:crypto'
import { stableId } from '#lib/stable-id.ts'
import type { KeyedMutex } from '#lib/keyed-mutex.ts'
import type { Links } from './channel-links.ts'
import { isPlatformFailure } from '../port/errors.ts'
import { channelKey } from '../port/keys.ts'
import type { ConversationRef } from '../port/message.ts'
import type { Platform } from '../port/platform.ts'
import type { ChannelRecord, Channels } from '../port/records.ts'

/** A channel with the collection that it uses: its own, or that of the linked channel while the link is valid. */
export interface ChannelView extends Pick<ChannelRecord, 'collection' | 'collecting'> {
  /** Its link is suspended now: it uses its own collection meanwhile. */
  readonly isLinkSuspended?: true
}

interface CreatedCollection {
  readonly id: string
  readonly createdAt?: string
}

/** Channel → collection. One channel, one collection; a direct conversation has its own. */
export interface ChannelMap {
  /** This channel, whose record is created if new. Makes no platform request. */
  of(conversation: ConversationRef): Promise<ChannelView>
  /**
   * Creates this collection (its plain name) on the platform if needed; resolves with its full id. By name, not by
   * channel: a link may change during a job, and the job stays with its collection.
   */
  ensureCreated(collection: string, signal: AbortSignal): Promise<string>
  /**
   * Whether this drop's receipt explains where files go: the first drop of a channel does, until it has been shown.
   *
   * @param begun this drop's receipt was begun before a restart.
   */
  shouldExplain(conversation: ConversationRef, begun: boolean): Promise<boolean>
  change(conversation: ConversationRef, change: Partial<Pick<ChannelRecord, 'collecting' | 'explained'>>): Promise<void>
  /** Records the collection as the platform created it; undefined: it no longer exists. */
  recordCreated(collection: string, made: CreatedCollection | undefined): Promise<void>
  /** Links to the other channel's collection; undefined: back to its own. The caller checks permissions. */
  link(conversation: ConversationRef, to: ConversationRef | undefined): Promise<void>
}

/** @param lock concurrent drops in a new channel create one record and one collection */
// oxlint-disable-next-line max-lines-per-function -- a factory: it only returns methods
export function createChannelMap(
  channels: Channels,
  platform: Platform,
  links: Pick<Links, 'holds'>,
  lock: KeyedMutex,
): ChannelMap {
  const explaining = new Set<string>()

  async function load(conversation: ConversationRef): Promise<ChannelRecord> {
    const key = channelKey(conversation)
    const known = await channels.get(key, 'now')
    if (known !== undefined) return known
    const { thread: _, ...channel } = conversation
    const record = { key, conversation: channel, collection: nameFor(conversation), collecting: true, explained: false }
    await channels.put(record)
    return record
  }

  /** The channel whose collection is used: itself, or the linked one. */
  async function source(own: ChannelRecord): Promise<{ record: ChannelRecord; isLinkSuspended?: true }> {
    if (own.linkedTo === undefined) return { record: own }
    const other = await channels.get(own.linkedTo)
    if (other !== undefined && (await links.holds(own, other))) return { record: other }
    return { record: own, isLinkSuspended: true }
  }

  async function create(record: ChannelRecord, signal: AbortSignal): Promise<string> {
    const { id } = await createOrGet(platform, record.collection, signal)
    await channels.put({ ...record, collectionId: id })
    return id
  }

  const own = async (conversation: ConversationRef) => {
    const key = channelKey(conversation)
    return (await channels.get(key)) ?? lock(key, () => load(conversation))
  }

  return {
    async of(conversation) {
      const mine = await own(conversation)
      const { record, isLinkSuspended } = await source(mine)
      return { collection: record.collection, collecting: mine.collecting, isLinkSuspended }
    },
    async ensureCreated(collection, signal) {
      const owner = await channels.ofCollection(collection)
      if (owner === undefined) throw new Error(`No channel has the collection ${collection}.`)
      if (owner.collectionId !== undefined) return owner.collectionId
      return lock(owner.key, async () => {
        const record = await load(owner.conversation)
        return record.collectionId ?? create(record, signal)
      })
    },
    async shouldExplain(conversation, begun) {
      const { key, explained } = await own(conversation)
      if (!begun && (explained || explaining.has(key))) return false
      explaining.add(key)
      return true
    },
    change: (conversation, change) =>
      lock(channelKey(conversation), async () => {
        await channels.put({ ...(await load(conversation)), ...change })
      }),
    async recordCreated(collection, made) {
      const owner = await channels.ofCollection(collection)
      if (owner === undefined) return
      await lock(owner.key, async () => {
        const { collectionId: _, collectionCreatedAt: __, ...record } = await load(owner.conversation)
        if (made === undefined) return channels.put(record)
        await channels.put({ ...record, collectionId: made.id, collectionCreatedAt: made.createdAt })
      })
    },
    async link(conversation, to) {
      const other = to === undefined ? undefined : await own(to)
      await lock(channelKey(conversation), async () => {
        const { linkedTo: _, ...record } = await load(conversation)
        await channels.put(other === undefined ? record : { ...record, linkedTo: other.key })
      })
    },
  }
}

async function createOrGet(platform: Platform, name: string, signal: AbortSignal) {
  try {
    return await platform.collections.create(name, { signal })
  } catch (error) {
    if (isPlatformFailure(error) && error.code === 'conflict') return platform.collections.get(name, { signal })
    throw error
  }
}

/**
 * The name is stored before the collection is created, so one that exists is ours from before a crash. A collection is
 * readable by everybody who knows its id: hence the random part. `withoutNames` knows this form.
 */
function nameFor(conversation: ConversationRef): string {
  const ids = createHash('sha256').update(channelKey(conversation)).digest('hex').slice(0, 10)
  const channel = conversation.channel.replace(/[^A-Za-z0-9]/g, '').slice(0, 24)
  return `${conversation.adapter}-${channel}-${ids}-${randomBytes(10).toString('hex')}`.toLowerCase()
}

const NAME = /^[a-z]+-[a-z0-9]*-[0-9a-f]{10}-[0-9a-f]{20}$/

/** Whether a channel has made it: a key may have collections of other programs, too. */
export const isCollectionName = (name: string): boolean => NAME.test(name)

/** Id of a collection for a button. A hash, since whoever knows the name can read the collection. */
export const collectionButtonId = (collection: string): string => stableId(22, 'collection', collection)
