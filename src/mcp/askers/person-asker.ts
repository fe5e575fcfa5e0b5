import type { PersonAccess, PersonRef, ReadableChannel } from '#bridge/port/person-access.ts'
import { EngineError } from '#platform/engine/errors.ts'
import type { UserRow } from '#platform/engine/storage/catalog.ts'
import type { Asker, Readable } from './asker.ts'

const toReadable = ({ id, name, collectionId }: ReadableChannel): Readable => ({ id, name, platformId: collectionId })

/** A person of a chat service: the channels that they may read there at this moment. */
export function createPersonAsker(
  { access, ...asker }: { readonly access: PersonAccess; readonly user: UserRow } & Pick<Asker, 'count' | 'owner'>,
  { person, name }: { readonly person: PersonRef; readonly name: string },
): Asker {
  const { adapter, workspace, personId } = person
  return {
    who: `${adapter}:${workspace}:${personId} by ${name}`,
    ...asker,
    collections: async () => (await access.channelsOf(person)).map(toReadable),
    async find(id) {
      const channel = await access.find(person, id)
      return channel && toReadable(channel)
    },
    async charge(collections) {
      const asked = new Set(collections.map(({ id }) => id))
      const channels = (await access.channelsOf(person)).filter(({ id }) => asked.has(id))
      const sentence = await access.charge(person, channels)
      if (sentence !== undefined) throw new EngineError('rate-limited', sentence)
    },
    async gaps(id) {
      const channel = await access.find(person, id)
      return channel && access.gaps(person, channel)
    },
  }
}
