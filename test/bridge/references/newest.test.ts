import { expect, it } from 'vitest'
import type { FileRecord } from '#bridge/port/records.ts'
import { createShelf } from './shelf.ts'

const TEXT = 'Full-time staff have 30 days of leave a year. Unused days lapse at the end of March.'
const BLOCK = [{ file: 'handbook.md', distance: 0.1, body: TEXT }]

/** The file as it is, and another record, newer than its own. */
async function factsWith(first: Partial<FileRecord>, newer: Partial<FileRecord>) {
  const shelf = await createShelf({ 'handbook.md': TEXT })
  const [entry] = shelf.entries
  if (entry === undefined) throw new Error('No entry.')
  const other = { ...entry, id: 'j9#0', jobId: 'j9', droppedBy: 'U9', droppedByName: 'Ben', messageId: 'm9' }
  shelf.entries.splice(0, 1, { ...other, ...newer }, { ...entry, ...first })
  const { references } = await shelf.resolve('Thirty days [RREF1].', BLOCK)
  return references.map(({ file, version, droppedBy }) => ({ file, version, droppedBy }))
}

it('what was just replaced is not named for the text of its successor, which is still being indexed', async () => {
  const facts = await factsWith({ replacedBy: 'j9#0' }, { state: 'indexing', version: 2, replaces: 'j0#0' })
  expect(facts).toEqual([{ file: 'handbook.md', version: 2, droppedBy: 'Ben' }])
})

it('a file is named after who brought it, and not after who dropped the same bytes again', async () => {
  const again = { duplicateOf: 'j0#0', displayName: 'copy.md' }
  expect(await factsWith({}, again)).toEqual([{ file: 'handbook.md', version: 1, droppedBy: 'Anna' }])
})

it('who failed to drop a file of this name has nothing to do with the one that stands there', async () => {
  const shelf = await createShelf({ 'handbook.md': TEXT })
  const [entry] = shelf.entries
  if (entry === undefined) throw new Error('No entry.')
  const { version: _, ...failed } = entry
  shelf.entries.splice(0, 1, { ...failed, state: 'failed' })
  const { references } = await shelf.resolve('Thirty days [RREF1].', BLOCK)
  expect(references).toMatchObject([{ file: 'handbook.md' }])
  expect(references[0]?.droppedBy).toBeUndefined()
})
