import type { Pool } from 'pg'
import type { Analyse } from './analyst-calls.ts'
import type { WordRoom } from './search.ts'

/**
 * Candidates from the lists of the words, on any server. The database joins the lists of a word, the analysing thread adds
 * up: in SQL the sum of the same lists takes several times as long.
 */
export function createPostings(pool: Pool, analyse: Analyse): WordRoom {
  return {
    async find(state, lookups, wanted, fileId) {
      const { rows } = await pool.query<{ term: string; lists: Buffer }>(
        `SELECT asked.term, there.lists FROM unnest($2::text[]) AS asked (term) CROSS JOIN LATERAL (
           SELECT string_agg(list, ''::bytea) AS lists FROM fb_index_posting AS posting
           WHERE posting.index_id = $1 AND posting.term = asked.term AND ($3::bigint IS NULL OR posting.segment =
             (SELECT segment FROM fb_index_file WHERE index_id = $1 AND file_id = $3))
         ) AS there WHERE there.lists IS NOT NULL`,
        [state.id, lookups.flatMap(({ terms }) => terms), fileId ?? null],
      )
      const lists = new Map(rows.map((row) => [row.term, row.lists]))
      const words = lookups.map(({ weight, terms }) => ({
        weight,
        lists: terms.flatMap((term) => lists.get(term) ?? []),
      }))
      return analyse('candidates', { words, averageTerms: state.facts.averageTerms, wanted })
    },
  }
}
