import { setImmediate as nextTurn } from 'node:timers/promises'
import { readBatches } from '#platform/engine/chunk/document.ts'
import type { Chunk } from '#platform/engine/chunk/units.ts'
import { toQuestion, toTelling, type Vocabulary } from '#platform/engine/search/question.ts'
import { type ChunkRow, rankRows } from '#platform/engine/search/rank.ts'
import type { AnalysedChunk } from '#platform/engine/search/score.ts'
import { createLru } from '#lib/lru.ts'
import { sayWorking, serveCalls } from '#platform/engine/storage/thread.ts'
import type {
  AnalystCall,
  AnalystOperation,
  AnalystOperations,
  Facts,
  Found,
  Nearby,
  NumberedFile,
  AskedWords,
} from './analyst-calls.ts'
import { type Block, toBlock, toKey } from './block.ts'
import { findCandidates } from './candidates.ts'
import { createMatrices } from './exact.ts'

// The analysing thread: chunks, words, scores. Its data comes from the database through the event loop.

type LanguageBlock = Block & { readonly language: string }

/** Chunks of a block. Larger blocks make fewer, longer lists, up to the size of one row. */
const BLOCK_SIZE = 1000
/** Chunks read before the thread yields to other calls. */
const CHUNKS_A_TURN = 200

/** A file under way, and the call that it works for. */
interface Reading {
  readonly blocks: AsyncGenerator<LanguageBlock>
  call: number
}

async function* readBlocks(file: NumberedFile, sayRunning: () => void): AsyncGenerator<LanguageBlock> {
  let firstId = file.firstId
  let chunks: Chunk[] = []
  let language = 'und'
  const toNext = (): LanguageBlock => {
    const block = { ...toBlock(chunks, { name: file.name, language, firstId }), language }
    firstId += chunks.length
    chunks = []
    return block
  }
  for await (const batch of readBatches(file.source, CHUNKS_A_TURN)) {
    chunks.push(...batch.chunks)
    language = batch.language
    if (chunks.length >= BLOCK_SIZE) yield toNext()
    await nextTurn()
    sayRunning()
  }
  if (chunks.length > 0) yield toNext()
}

/** Readers by the number of the file's first chunk, which is unique. */
const readers = new Map<number, Reading>()
const matrices = createMatrices()

/** Analysed chunks by their number, which is never used again. */
const knownChunks = createLru<AnalysedChunk, number>(1_000)

function recall(row: ChunkRow, make: (row: ChunkRow) => AnalysedChunk): AnalysedChunk {
  const known = knownChunks.get(row.id)
  if (known !== undefined) return known
  const made = make(row)
  knownChunks.set(row.id, made)
  return made
}

function ask({ question, others }: AskedWords, facts: Facts, found: Found, note?: (beginning: string) => void) {
  const index: Vocabulary = {
    total: facts.total,
    found: (term) => found.get(toKey(term)) ?? 0,
    beginning(letters) {
      note?.(letters)
      return Array.from(found, ([term, count]) => (count > 0 && term.startsWith(letters) ? term : [])).flat()
    },
  }
  return toQuestion(question, facts.languages, index, others)
}

function lookUp(words: AskedWords, facts: Facts, found: Found) {
  const beginnings = new Set<string>()
  const question = ask(words, facts, found, (letters) => beginnings.add(letters))
  const lookups = toTelling(question).map(({ weight, terms }) => ({ weight, terms: terms.map(toKey) }))
  return { lookups, beginnings: [...beginnings] }
}

/** Every term that is looked up, whatever its weight. */
function termsOf({ question, others }: AskedWords, languages: readonly string[]): string[] {
  const terms = new Set<string>()
  const found = (term: string) => {
    terms.add(toKey(term))
    return 0
  }
  toQuestion(question, languages, { total: 0, found }, others)
  return [...terms]
}

function toNear(nearby: Nearby) {
  const { nearness, nearest, cosines } = nearby
  const cosineOf = (id: number) => cosines.get(id)
  return { ...nearness, nearest: nearest.map((id) => ({ id, cosine: cosineOf(id) ?? 0 })), cosineOf }
}

async function answer(call: AnalystCall): Promise<AnalystOperations[AnalystOperation]['result']> {
  switch (call.operation) {
    case 'open': {
      // Files are read by turns: each says so, or a stuck one would be taken for another.
      const reading: Reading = { blocks: readBlocks(call.request, () => sayWorking(reading.call)), call: call.id }
      readers.set(call.request.firstId, reading)
      return null
    }
    case 'next': {
      const reading = readers.get(call.request)
      // A restarted thread must not report the end of the file.
      if (reading === undefined) return 'gone'
      reading.call = call.id
      const read = await reading.blocks.next()
      return read.done === true ? null : read.value
    }
    case 'close': {
      const reading = readers.get(call.request)
      readers.delete(call.request)
      await reading?.blocks.return(undefined)
      return null
    }
    case 'terms':
      return termsOf(call.request, call.request.languages)
    case 'lookups':
      return lookUp(call.request, call.request.facts, call.request.found)
    case 'candidates':
      return findCandidates(call.request.words, call.request.averageTerms, call.request.wanted)
    case 'rank': {
      const { request, facts, found, rows, nearby } = call.request
      const question = ask(request, facts, found)
      return rankRows(question, { ...facts, recall }, rows, nearby === undefined ? undefined : toNear(nearby), request)
    }
    case 'missing':
      return matrices.missing(call.request)
    case 'hold':
      return matrices.hold(call.request)
    case 'near':
    default:
      return matrices.near(call.request)
  }
}

serveCalls(answer)
