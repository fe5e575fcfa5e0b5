import type { Library } from './library.ts'
import type { SciFact } from './sets.ts'
import { createTally, type Tally } from './figures.ts'
import { ndcg } from './measures.ts'
import { halfOf } from './sets.ts'

export const sciFactIndex = 'scifact'

/** More chunks than documents are judged: some documents are two chunks. */
export const chunksAsked = 20

export const toDocument = ({ title, text }: SciFact['docs'][number]) => `# ${title}\n\n${text}\n`

/** SciFact by words alone: the abstracts as files, the claims as questions. */
export async function measureSciFact(library: Library, set: SciFact): Promise<Tally[]> {
  await library.fill(sciFactIndex, set.docs.map(toDocument))
  const tally = createTally('SciFact, words, nDCG@10', { atLeast: 0.7 })
  for (const { id, text } of set.queries) {
    // oxlint-disable-next-line no-await-in-loop -- the index answers one question at a time
    const { hits } = await library.store.search(sciFactIndex, { question: text, limit: chunksAsked })
    const found = [...new Set(hits.map((hit) => set.docs[hit.fileId - 1]?.id ?? ''))]
    tally.add(halfOf(id), ndcg(found, set.qrels[id] ?? {}))
  }
  return [tally]
}
