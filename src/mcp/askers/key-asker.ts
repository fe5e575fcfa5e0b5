import { EngineError } from '#platform/engine/errors.ts'
import type { KeyRow } from '#platform/engine/storage/catalog.ts'
import type { ReadEngine } from '../tools/knowledge.ts'
import type { Asker, Readable } from './asker.ts'

/**
 * A key of the platform: the collections of its user, and those that are shared with that user.
 *
 * @param count default: calls are not counted
 */
export function createKeyAsker(
  { collections }: Pick<ReadEngine, 'collections'>,
  key: KeyRow,
  count: Asker['count'] = async () => {},
): Asker {
  const { user, scope } = key
  const isIn = (id: string) => scope?.collections?.includes(id) ?? true
  return {
    owner: `user ${user.name}`,
    who: `key ${key.id} of ${user.name}`,
    user,
    tools: scope?.tools,
    count,
    collections: async () =>
      (await collections.list(user)).filter(({ id }) => isIn(id)).map(({ id, name }) => ({ id, name, platformId: id })),
    async find(id): Promise<Readable | undefined> {
      try {
        const { name, ownerName } = await collections.readable(user, id)
        const platformId = `${ownerName}/${name}`
        return isIn(platformId) ? { id: platformId, name, platformId } : undefined
      } catch (error) {
        if (error instanceof EngineError && (error.code === 'not-found' || error.code === 'invalid')) return undefined
        throw error
      }
    },
    // Its calls are counted already.
    charge: async (asked) => asked,
  }
}
