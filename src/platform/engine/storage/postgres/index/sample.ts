import type { Pool } from 'pg'
import { SEGMENT_SIZE } from './schema.ts'

/** Numbers of at most `wanted` chunks, evenly spread over all files of the index. */
export async function sampleChunks(pool: Pool, index: number, wanted: number): Promise<number[]> {
  const { rows } = await pool.query<{ segment: number; chunks: number }>(
    'SELECT segment, chunks FROM fb_index_file WHERE index_id = $1 AND chunks > 0 ORDER BY segment',
    [index],
  )
  const total = rows.reduce((sum, { chunks }) => sum + chunks, 0)
  const step = Math.max(1, total / wanted)
  const ids: number[] = []
  let before = 0
  for (const { segment, chunks } of rows) {
    for (
      let place = Math.ceil(ids.length * step);
      place < before + chunks;
      place = Math.ceil(ids.length * step)
    ) {
      ids.push(segment * SEGMENT_SIZE + place - before)
    }
    before += chunks
  }
  return ids
}
