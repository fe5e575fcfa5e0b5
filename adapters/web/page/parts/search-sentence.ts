import type { WebSearch } from '#adapters/web/protocol.ts'
import { texts } from '../texts.ts'

/** How questions are matched with the files. */
export function searchSentence(search: WebSearch): string {
  if (search.by === 'words') return texts.searchByWords
  if (search.state === 'preparing' && search.downloaded !== undefined) return texts.searchLoading(search.downloaded)
  if (search.state === 'preparing') return texts.searchSoon(search.percent)
  return search.state === 'ready' ? texts.searchByMeaning : texts.searchUnusable
}
