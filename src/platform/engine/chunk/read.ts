import { createReadStream } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { createInterface } from 'node:readline'
import type { Chunk } from './chunk.ts'
import { chunkMarkdown, chunkPlainText, createPageChunker } from './document.ts'
import { decodeText } from '../text/decode.ts'
import { detectLanguage } from '../text/detect.ts'
import type { IndexSource } from '../storage/index-types.ts'

export interface ConvertedPage {
  readonly page: number
  readonly markdown: string
}

async function* readPages(path: string): AsyncGenerator<ConvertedPage> {
  const lines = createInterface({ input: createReadStream(path), crlfDelay: Number.POSITIVE_INFINITY })
  for await (const line of lines) if (line !== '') yield JSON.parse(line) as ConvertedPage
}

/** Chunks as they come: of a page, or of the whole text. One at a time each would wait for a turn of its own. */
async function* readChunks(source: IndexSource): AsyncGenerator<readonly Chunk[]> {
  if (source.kind === 'pages') {
    const chunkPage = createPageChunker()
    for await (const { page, markdown } of readPages(source.path)) yield chunkPage(page, markdown)
    return
  }
  const text = decodeText(await readFile(source.path))
  yield source.kind === 'markdown' ? chunkMarkdown(text) : chunkPlainText(text)
}

/** Language by the first chunks; the rest of the file follows. */
const SAMPLE_CHUNKS = 20

export interface ChunkBatch {
  readonly language: string
  readonly chunks: readonly Chunk[]
}

/** Chunks of a file in order, at most `size` (more than 20) at a time. */
export async function* readBatches(source: IndexSource, size: number): AsyncGenerator<ChunkBatch> {
  let language: string | undefined
  let chunks: Chunk[] = []
  const toBatch = (): ChunkBatch => {
    language ??= detectLanguage(chunks.map((chunk) => chunk.body).join('\n'))
    const batch = { language, chunks }
    chunks = []
    return batch
  }
  for await (const read of readChunks(source)) {
    for (const chunk of read) {
      chunks.push(chunk)
      if (chunks.length >= (language === undefined ? SAMPLE_CHUNKS : size)) yield toBatch()
    }
  }
  if (chunks.length > 0) yield toBatch()
}
