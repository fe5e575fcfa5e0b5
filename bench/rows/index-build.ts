import { measureLibrary, rateOf } from '../library-plan.ts'
import type { Figure, Row } from '../row.ts'

const goal = 15_000

const plans = [
  { name: 'files of 250', files: 80, chunksInFile: 250, least: goal },
  { name: 'one file', files: 1, chunksInFile: 20_000, least: goal },
  { name: 'files of 2', files: 2_000, chunksInFile: 2, least: undefined },
]

/** From the trigger of an index pass over stored markdown until all of it is searchable. */
export const indexRow: Row = {
  name: 'index',
  limitMs: 180_000,
  async run(scope) {
    const figures: Figure[] = []
    for (const { name, files, chunksInFile, least } of plans) {
      const report = await measureLibrary(scope, { collections: 1, files, chunksInFile, questions: 1 })
      const { chunks, passMs, textBytes, diskBytes } = report
      figures.push({
        name: `index build, ${chunks.toLocaleString('en')} chunks, ${name}`,
        value: rateOf(report),
        unit: 'chunks/s',
        least,
        detail: `${(passMs / 1000).toFixed(1)} s for ${(textBytes / 1e6).toFixed(0)} MB of markdown`,
      })
      figures.push({
        name: `index on disk, a chunk, ${name}`,
        value: diskBytes / chunks / 1000,
        unit: 'kB',
        detail: `its text is ${(textBytes / chunks / 1000).toFixed(2)} kB of it`,
      })
    }
    return figures
  },
}
