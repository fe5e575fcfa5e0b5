import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { IndexStore } from '#platform/engine/storage/types.ts'
import { startCluster } from '#test/support/postgres/cluster.ts'
import { givenServer, openTemporaryIndex } from '../postgres.ts'
import type { Figure, Row } from '../row.ts'
import { quantile } from '../statistics.ts'
import { createProse } from '../words.ts'

const chunksInFile = 250
const sentencesInChunk = 16
const questions = 300
const warmUps = 20

const plans = [
  { files: 4, p95: undefined },
  { files: 40, p95: 10 },
  { files: 400, p95: 80 },
] as const

/** Writes a file of this many sections, one a chunk; gives a sentence of it to ask about. */
async function writeFileOf(path: string, prose: ReturnType<typeof createProse>): Promise<string> {
  let asked = ''
  const sections = Array.from({ length: chunksInFile }, (_, section) => {
    const sentences = Array.from({ length: sentencesInChunk }, () => prose.sentence())
    asked = sentences[section % sentencesInChunk] ?? asked
    return `# Section ${section}\n\n${sentences.join(' ')}`
  })
  await writeFile(path, sections.join('\n\n'))
  return asked
}

async function measure(store: IndexStore, folder: string, { files, p95 }: (typeof plans)[number]): Promise<Figure[]> {
  const chunks = files * chunksInFile
  const prose = createProse(chunks)
  const index = `of-${chunks}`
  const sentences: string[] = []
  let putMs = 0
  for (let id = 1; id <= files; id += 1) {
    const path = join(folder, 'part.md')
    sentences.push(await writeFileOf(path, prose))
    const at = performance.now()
    await store.put(index, { id, revision: 1, name: `${id}.md`, source: { kind: 'markdown', path } })
    putMs += performance.now() - at
  }
  const samples: number[] = []
  for (let at = 0; at < questions + warmUps; at += 1) {
    const question = prose.questionFor(sentences[at % sentences.length] ?? '')
    const start = performance.now()
    const { hits } = await store.search(index, { question, limit: 6, quotes: true })
    if (hits.length === 0) throw new Error('A question found nothing.')
    if (at >= warmUps) samples.push(performance.now() - start)
  }
  const name = `index in PostgreSQL, ${chunks.toLocaleString('en')} chunks`
  return [
    { name: `${name}, built`, value: (chunks * 1000) / putMs, unit: 'chunks/s', least: 3_000 },
    { name: `${name}, a question, p50`, value: quantile(samples, 0.5), unit: 'ms' },
    { name: `${name}, a question, p95`, value: quantile(samples, 0.95), unit: 'ms', goal: p95 },
  ]
}

/** The index on the server of DATABASE_URL, or on a throw-away one that never waits for the disk. */
export const postgresIndexRow: Row = {
  name: 'index-postgres',
  isLarge: true,
  limitMs: 600_000,
  async run(scope) {
    const given = givenServer()
    const cluster = given === undefined ? await startCluster() : undefined
    if (cluster !== undefined) scope.defer(() => cluster.remove())
    const store = await openTemporaryIndex(given ?? cluster?.url)
    scope.defer(() => store.close())
    const folder = await mkdtemp(join(tmpdir(), 'footbridge-bench-'))
    scope.defer(() => rm(folder, { recursive: true, force: true }))
    const detail = cluster === undefined ? 'the server of DATABASE_URL' : 'a server of its own, without fsync'
    const figures: Figure[] = []
    // One size at a time: a larger one in parallel would take the processor.
    for (const plan of plans) figures.push(...(await measure(store, folder, plan)))
    return figures.map((figure) => ({ ...figure, detail }))
  },
}
