import { openFolder } from '../footbridge.ts'
import { createEngine, type Engine } from '../../src/platform/engine/engine.ts'
import { createPlatformApp } from '../../src/platform/server/app.ts'
import { listen } from '../../src/platform/server/listen.ts'
import type { Figure, Row } from '../row.ts'
import { quantile } from '../statistics.ts'
import { createProse } from '../words.ts'

type Goals = readonly [number | undefined, number | undefined]

const sizes = [1_000, 10_000] as const
const chunksInFile = 250
const sentencesInChunk = 16
const questions = 300
const warmUps = 20
const overHttp = 100
/** p50 and p95, where something is wanted. */
const goalsMs: Readonly<Record<number, Goals>> = { 1_000: [1, undefined], 10_000: [undefined, 10] }

const quiet = { debug() {}, info() {}, warn() {}, error() {} }

interface Corpus {
  readonly files: readonly string[]
  readonly questions: readonly string[]
}

/** One heading a chunk: the chunker never joins two of them. Each question asks for words of one sentence. */
function createCorpus(chunks: number): Corpus {
  const prose = createProse(chunks)
  const sentences = Array.from({ length: chunks * sentencesInChunk }, () => prose.sentence())
  const chunk = (index: number) => {
    const from = index * sentencesInChunk
    return `# Section ${index}\n\n${sentences.slice(from, from + sentencesInChunk).join(' ')}`
  }
  const files = Array.from({ length: chunks / chunksInFile }, (_, file) =>
    Array.from({ length: chunksInFile }, (__, index) => chunk(file * chunksInFile + index)).join('\n\n'),
  )
  const asked = (index: number) => sentences[(index * 7919) % sentences.length] ?? ''
  return {
    files,
    questions: Array.from({ length: questions + warmUps }, (_, index) => prose.questionFor(asked(index))),
  }
}

async function fill(engine: Engine, key: string, name: string, corpus: Corpus) {
  const user = (await engine.identify(key))?.user
  if (user === undefined) throw new Error('The first key of the engine is unknown to it.')
  const { id } = await engine.collections.create(user, name)
  for (const [file, text] of corpus.files.entries()) {
    const bytes = new TextEncoder().encode(text)
    await engine.files.upload(user, name, { name: `part-${file}.md`, bytes })
  }
  await engine.collections.generateIndex(user, name)
  return { id, collection: await engine.collections.readable(user, id) }
}

async function time(count: number, run: (index: number) => Promise<void>): Promise<number[]> {
  const samples: number[] = []
  for (let index = -warmUps; index < count; index += 1) {
    const at = performance.now()
    await run(index + warmUps)
    if (index >= 0) samples.push(performance.now() - at)
  }
  return samples
}

function toFigures(name: string, samples: readonly number[], goals?: Goals): Figure[] {
  return [0.5, 0.95].map((part, index) => {
    const goal = goals?.[index]
    return {
      name: `${name}, p${part * 100}`,
      value: quantile(samples, part),
      unit: 'ms',
      ...(goal === undefined ? {} : { goal }),
    }
  })
}

/** Search in one collection, one question after the other. */
export const retrievalRow: Row = {
  name: 'retrieval',
  async run(scope) {
    const engine = await createEngine({ dataDir: openFolder(scope), log: quiet })
    scope.defer(() => engine.close())
    const app = createPlatformApp({ engine, log: quiet })
    const server = await listen({ host: '127.0.0.1', port: 0, fetch: (request) => app.fetch(request) })
    scope.defer(() => server.close())
    const { key } = engine.firstKey
    const figures: Figure[] = []
    for (const size of sizes) {
      const corpus = createCorpus(size)
      const { id, collection } = await fill(engine, key, `bench-${size}`, corpus)
      const question = (index: number) => corpus.questions[index] ?? ''
      const name = `retrieval, ${collection.chunks.toLocaleString('en')} chunks`
      const inside = await time(questions, async (index) => {
        const { passages } = await engine.retrieve([collection], {
          question: question(index),
          limit: 6,
        })
        if (passages.length === 0) throw new Error('A question found nothing.')
      })
      const whole = await time(overHttp, (index) => ask(`${server.url}/v1`, key, id, question(index)))
      figures.push(...toFigures(`${name}, engine`, inside, goalsMs[size]))
      figures.push(...toFigures(`${name}, whole extractive answer over HTTP`, whole))
    }
    return figures
  },
}

async function ask(baseUrl: string, key: string, id: string, content: string): Promise<void> {
  const response = await fetch(`${baseUrl}/chat/completions`, {
    method: 'POST',
    headers: {
      authorization: key,
      'content-type': 'application/json',
      'inference-service': 'saia-openai-gateway',
    },
    body: JSON.stringify({
      model: 'extractive',
      messages: [{ role: 'user', content }],
      'enable-tools': true,
      collection: { id },
    }),
  })
  const text = await response.text()
  if (!response.ok) throw new Error(`The platform answered ${response.status}: ${text}`)
}
