import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createEngine, type Engine } from '#platform/engine/engine.ts'
import { createPlatformApp } from '#platform/server/app.ts'
import { listen } from '#platform/server/listen.ts'
import type { LibraryPlan, LibraryReport } from './library-plan.ts'
import { createProse, type Prose } from './words.ts'

// A process of its own, so that its memory is that of the engine and its index only. It fills collections, asks
// questions one by one, and reports the figures.

const sentencesInChunk = 16
const limit = 6

const quiet = { debug() {}, info() {}, warn() {}, error() {} }
const plan = JSON.parse(process.argv[2] ?? '') as LibraryPlan
const warmUps = plan.warmUps ?? 20
const dataDir = mkdtempSync(join(tmpdir(), 'footbridge-bench-'))
process.once('exit', () => rmSync(dataDir, { recursive: true, force: true }))
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1))

const status = () => readFileSync('/proc/self/status', 'utf8')
const megabytes = (field: string) => (Number(new RegExp(`${field}:\\s+(\\d+)`).exec(status())?.[1] ?? 0) * 1024) / 1e6

interface Question {
  readonly collection: number
  readonly text: string
}

/** One heading a chunk: the chunker never joins two of them. Questions are about sentences from all over. */
function createWriter(prose: Prose, questions: Question[]) {
  const chunks = plan.collections * plan.files * plan.chunksInFile
  const wanted = plan.questions + warmUps
  let written = 0
  return (collection: number): string =>
    Array.from({ length: plan.chunksInFile }, () => {
      const sentences = Array.from({ length: sentencesInChunk }, () => prose.sentence())
      const due = Math.floor((questions.length * chunks) / wanted)
      const asked = sentences[written % sentencesInChunk]
      if (questions.length < wanted && written >= due && asked !== undefined) {
        questions.push({ collection, text: prose.questionFor(asked) })
      }
      written += 1
      return `# Section ${written}\n\n${sentences.join(' ')}`
    }).join('\n\n')
}

async function fill(engine: Engine, questions: Question[]) {
  const user = (await engine.identify(engine.firstKey.key))?.user
  if (user === undefined) throw new Error('The first key of the engine is unknown to it.')
  const write = createWriter(createProse(plan.files * plan.chunksInFile), questions)
  const ids: string[] = []
  let passMs = 0
  let textBytes = 0
  for (let collection = 0; collection < plan.collections; collection += 1) {
    const name = `bench-${collection}`
    ids.push((await engine.collections.create(user, name)).id)
    for (let file = 0; file < plan.files; file += 1) {
      const bytes = new TextEncoder().encode(write(collection))
      textBytes += bytes.length
      await engine.files.upload(user, name, { name: `${file}.md`, content: await engine.files.receive([bytes]) })
    }
    const at = performance.now()
    await engine.collections.generateIndex(user, name)
    passMs += performance.now() - at
  }
  const collections = await Promise.all(ids.map((id) => engine.collections.readable(user, id)))
  return { ids, collections, passMs, textBytes }
}

async function time(questions: readonly Question[], ask: (question: Question) => Promise<void>) {
  const samples: number[] = []
  for (const question of questions) {
    const start = performance.now()
    await ask(question)
    samples.push(performance.now() - start)
  }
  return { cold: samples.slice(0, warmUps), warm: samples.slice(warmUps) }
}

async function askOverHttp(engine: Engine, ids: readonly string[], questions: readonly Question[]) {
  const { key } = engine.firstKey
  const app = createPlatformApp({ engine, log: quiet })
  const server = await listen({ host: '127.0.0.1', port: 0, fetch: (request) => app.fetch(request) })
  const samples = await time(questions, async ({ collection, text }) => {
    const response = await fetch(`${server.url}/v1/chat/completions`, {
      method: 'POST',
      headers: { authorization: key, 'content-type': 'application/json', 'inference-service': 'saia-openai-gateway' },
      body: JSON.stringify({
        model: 'extractive',
        messages: [{ role: 'user', content: text }],
        'enable-tools': true,
        collection: { id: ids[collection] },
      }),
    })
    const answer = await response.text()
    if (!response.ok) throw new Error(`The platform answered ${response.status}: ${answer}`)
  })
  await server.close()
  return samples.warm
}

async function run(): Promise<LibraryReport> {
  const engine = await createEngine({ dataDir, log: quiet })
  const questions: Question[] = []
  const { ids, collections, passMs, textBytes } = await fill(engine, questions)
  const afterBuild = megabytes('VmRSS')
  const ask = async ({ collection, text }: Question) => {
    const row = collections[collection]
    const found = row === undefined ? [] : (await engine.retrieve([row], { question: text, limit })).passages
    if (found.length === 0) throw new Error('A question found nothing.')
  }
  const first = await time(questions, ask)
  const again = await time(questions, ask)
  const overHttp = plan.overHttp === true ? await askOverHttp(engine, ids, questions) : []
  const memory = {
    afterBuild,
    afterQuestions: megabytes('VmRSS'),
    most: megabytes('VmHWM'),
    file: megabytes('RssFile'),
  }
  // The write-ahead log is merged when the index is closed.
  await engine.close()
  const index = join(dataDir, 'platform', 'index')
  const onDisk = readdirSync(index).reduce((sum, name) => sum + statSync(join(index, name)).size, 0)
  return {
    chunks: collections.reduce((sum, one) => sum + one.chunks, 0),
    passMs,
    textBytes,
    diskBytes: onDisk,
    cold: first.cold,
    first: first.warm,
    again: again.warm,
    overHttp,
    megabytes: memory,
  }
}

process.stdout.write(`done ${JSON.stringify(await run())}\n`)
