import type { Scope } from '../channels/search-scope.ts'
import type { AskPorts, AskRun } from './question.ts'

/**
 * What is said where the files do not answer: in our own words, with nothing of the model's, which has nothing to rest on.
 *
 * @param searched what was searched for, where that is more than the question.
 */
export async function nothing(
  ports: Pick<AskPorts, 'store'>,
  { texts }: Pick<AskRun, 'texts'>,
  scope: Scope,
  searched: { readonly query: string | undefined; readonly again: boolean },
): Promise<string> {
  const { honest } = texts
  const entries = await ports.store.files.ofCollection(scope.channel.collection)
  const files = new Set(entries.filter(({ state }) => state === 'ready').map(({ fileName }) => fileName))
  const sentence = scope.conversation.direct ? honest.notInYourFiles : honest.notInFiles
  const told = quotable(searched.query)
  const said = searched.again
    ? honest.searchedAgain(files.size, told ?? '')
    : honest.searched(files.size, told)
  return [`${sentence} ${said}`, ...scope.notes].join('\n\n')
}

/** A model's words inside a sentence of ours: nothing in them becomes markup. */
function quotable(query: string | undefined): string | undefined {
  return query?.replace(/[\\`*_[\]<>~|#@]/g, '').trim()
}
