import type { PersonAccess, ReadableChannel } from '#bridge/port/person-access.ts'
import { EngineError } from '#platform/engine/errors.ts'
import type { UserRow } from '#platform/engine/storage/catalog.ts'
import type { Asker, Readable } from './asker.ts'
import type { Found } from './tokens.ts'

const refuse = async () => {
  throw new EngineError('forbidden', 'The chat service did not say who asks: only the list of tools is told.')
}

/** Somebody whom a signed request does not name. */
export const NOBODY = {
  person: { adapter: '', workspace: '', personId: '' },
  access: { channelsOf: refuse, find: refuse, charge: refuse, gaps: refuse },
}

/** A person of a chat service: the channels that they may read there at this moment. */
export function createPersonAsker(
  { access, ...asker }: { readonly access: PersonAccess; readonly user: UserRow } & Pick<Asker, 'count' | 'owner'>,
  { person, name, tools }: Found,
): Asker {
  const { adapter, workspace, personId } = person
  /** The channel of each collection that was found. */
  const channels = new WeakMap<Readable, ReadableChannel>()
  const toReadable = (channel: ReadableChannel): Readable => {
    const readable = { id: channel.id, name: channel.name, platformId: channel.collectionId }
    channels.set(readable, channel)
    return readable
  }
  return {
    who: `${adapter}:${workspace}:${personId} by ${name}`,
    ...asker,
    tools,
    collections: async () => (await access.channelsOf(person)).map(toReadable),
    async find(id) {
      const channel = await access.find(person, id)
      return channel && toReadable(channel)
    },
    async charge(collections) {
      const asked = collections.map((one) => channels.get(one)).filter((one) => one !== undefined)
      const charged = await access.charge(person, asked)
      if (typeof charged === 'string') throw new EngineError('rate-limited', charged)
      return collections.filter((one) => charged.some((channel) => channel === channels.get(one)))
    },
    async gaps(id) {
      const channel = await access.find(person, id)
      return channel && access.gaps(person, channel)
    },
  }
}
