import { createHash } from 'node:crypto'
import { copyFile, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { openLocalModel, type LocalModelOptions } from '#platform/engine/embedding/local-model.ts'
import { createEngine, type EngineOptions } from '#platform/engine/engine.ts'
import { breakOff } from '#test/support/break-off.ts'
import { PATIENCE } from '#test/support/patience.ts'
import { makeTinyModel, type TinyModel } from '#test/support/tiny-model.ts'
import { createLogSink } from '#test/platform/server/platform.ts'

const GROUPS = [['vacation', 'holiday', 'urlaub'], ['laptop', 'computer'], ['thirty'], ['lost', 'stolen']]
const soon = () => AbortSignal.timeout(60_000)

let folder: string
let tiny: TinyModel
const closing: (() => Promise<unknown>)[] = []
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'footbridge-embedding-'))
  tiny = makeTinyModel(join(folder, 'tiny'), GROUPS)
})
afterEach(async () => {
  for (const close of closing.splice(0).toReversed()) await close()
  await rm(folder, { recursive: true, force: true })
})

function open(model: string, options: Partial<LocalModelOptions> = {}) {
  const sink = createLogSink()
  const local = openLocalModel({ model, folder: join(folder, 'models'), log: sink.log, retryMs: 50, ...options })
  closing.push(() => local.close())
  return { local, entries: sink.entries }
}

async function serve(answer: RequestListener): Promise<string> {
  const server = createServer(answer)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  closing.push(async () => {
    server.closeAllConnections()
    server.close()
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/tiny/model.onnx`
}

const send: (request: { url?: string | undefined }, response: Parameters<RequestListener>[1]) => void = (
  { url = '' },
  response,
) => {
  const file = tiny.files[url.slice(url.lastIndexOf('/') + 1)]
  if (file === undefined) response.writeHead(404).end()
  else response.writeHead(200, { etag: `"${file.length}"`, 'content-length': file.length }).end(file)
}

describe('the embedding model of this machine', () => {
  it('gives each text the mean of its tokens, with length 1, whatever stands beside it', async () => {
    const { local } = open(tiny.path)
    expect(await local.prepare()).toBe(true)
    const [one, two, none] = await local.vectors(['Holiday', 'thirty vacation', ''], 'passage', soon())
    expect([...(one ?? [])].map((value) => Math.round(value * 1000))).toEqual([1000, ...Array<number>(15).fill(0)])
    expect(two?.[0]).toBeCloseTo(Math.SQRT1_2)
    expect(two?.[2]).toBeCloseTo(Math.SQRT1_2)
    expect(none?.every((value) => value === 0)).toBe(true)
    const many = await local.vectors(
      Array.from({ length: 20 }, (_, at) => `${'word '.repeat(at * 40)}holiday`),
      'passage',
      soon(),
    )
    expect(many).toHaveLength(20)
    expect(many[0]).toEqual(one)
  })

  it('writes what models of the E5 family were trained with before a question and a passage', async () => {
    const e5 = makeTinyModel(join(folder, 'tiny-e5'), [['query'], ['passage'], ['holiday']])
    const { local } = open(e5.path)
    await local.prepare()
    const [question] = await local.vectors(['holiday'], 'question', soon())
    const [passage] = await local.vectors(['holiday'], 'passage', soon())
    expect(question?.[0]).toBeGreaterThan(0.5)
    expect(passage?.[1]).toBeGreaterThan(0.5)
  })

  it('is downloaded once, with its tokenizer, and checked', async () => {
    const asked: string[] = []
    const source = await serve((request, response) => {
      asked.push(request.url ?? '')
      send(request, response)
    })
    const sum = createHash('sha256')
      .update(tiny.files['model.onnx'] ?? '')
      .digest('hex')
    const first = open(`${source}#sha256=${sum}`)
    expect(await first.local.prepare()).toBe(true)
    expect(await first.local.vectors(['holiday'], 'question', soon())).toHaveLength(1)
    expect(asked.toSorted()).toEqual(['/tiny/model.onnx', '/tiny/tokenizer.json', '/tiny/tokenizer_config.json'])
    expect(first.entries.map(({ message }) => message)).toContain('Embedding model was downloaded')
    expect(await open(`${source}#sha256=${sum}`).local.prepare()).toBe(true)
    expect(asked).toHaveLength(3)
  })

  it('is tried again while its address is away, and continued after half a file', async () => {
    let state: 'away' | 'half' | 'whole' = 'away'
    const ranges: string[] = []
    const source = await serve((request, response) => {
      const whole = tiny.files['model.onnx'] ?? Buffer.alloc(0)
      if (!request.url?.endsWith('.onnx')) return send(request, response)
      ranges.push(request.headers.range ?? 'all')
      if (state === 'away') {
        state = 'half'
        return response.destroy()
      }
      const from = Number(/\d+/.exec(request.headers.range ?? '')?.[0] ?? 0)
      response.writeHead(from > 0 ? 206 : 200, { etag: '"1"', 'content-length': whole.length - from })
      if (state === 'whole') return response.end(whole.subarray(from))
      state = 'whole'
      response.write(whole.subarray(0, 100))
      return void breakOff(response, folder, 100)
    })
    const { local } = open(source)
    await expect(local.vectors(['holiday'], 'question', soon())).rejects.toThrow('still being downloaded')
    expect(await local.prepare()).toBe(true)
    expect(ranges).toEqual(['all', 'all', 'bytes=100-'])
    expect(await local.vectors(['holiday'], 'question', soon())).toHaveLength(1)
  })

  it.each([
    ['is not there', async () => join(folder, 'tiny', 'gone.onnx'), 'gone.onnx is not there: set EMBEDDING_MODEL'],
    [
      'is a page',
      async () => {
        await writeFile(tiny.path, '<html>')
        return tiny.path
      },
      'is no embedding model in ONNX format',
    ],
    [
      'has no tokenizer',
      async () => {
        await rm(join(folder, 'tiny', 'tokenizer.json'))
        return tiny.path
      },
      'tokenizer of the embedding model .*tokenizer.json is not there',
    ],
  ])('that %s is told in the log, with the setting, and search goes by words', async (_, make, sentence) => {
    const { local, entries } = open(await make())
    expect(await local.prepare()).toBe(false)
    const told = entries.map(({ fields }) => String((fields as { err?: Error }).err?.message))
    expect(told.join('\n')).toMatch(new RegExp(sentence))
  })

  it('that is half a file cannot be loaded, and says so', async () => {
    await writeFile(tiny.path, (tiny.files['model.onnx'] ?? Buffer.alloc(0)).subarray(0, 60))
    const { local } = open(tiny.path)
    expect(await local.prepare()).toBe(true)
    await expect(local.vectors(['holiday'], 'question', soon())).rejects.toThrow(
      /cannot be loaded .*check EMBEDDING_MODEL/,
    )
  })

  it.each([
    ['crash', 'its process ended'],
    ['hang', 'took longer than 2 seconds: set a smaller model'],
  ])('a process that ends with %s is told, and the next question starts it anew', async (how, sentence) => {
    const child = new URL('./embedding-child.ts', import.meta.url)
    const { local } = open(tiny.path, { child, timeoutMs: 2000 })
    await local.prepare()
    await expect(local.vectors([how], 'question', soon())).rejects.toThrow(sentence)
    expect(await local.vectors(['echo'], 'question', soon())).toHaveLength(1)
  })

  it('lets a question go before the texts that wait', async () => {
    const child = new URL('./embedding-child.ts', import.meta.url)
    const { local } = open(tiny.path, { child })
    await local.prepare()
    const order: string[] = []
    const passages = local.vectors(Array<string>(40).fill('slow'), 'passage', soon()).then(() => order.push('passages'))
    await local.vectors(['echo'], 'question', soon()).then(() => order.push('question'))
    await passages
    expect(order).toEqual(['question', 'passages'])
  })
})

async function start(options: Partial<EngineOptions>) {
  const sink = createLogSink()
  const engine = await createEngine({ log: sink.log, ...options, dataDir: join(folder, 'data') })
  let isOpen = true
  const close = async () => {
    if (isOpen) await engine.close()
    isOpen = false
  }
  closing.push(close)
  const user = (await engine.identify(engine.firstKey.key))?.user
  if (user === undefined) throw new Error('the first key is not known')
  const find = async (question: string) =>
    (await engine.retrieve([await engine.collections.require(user, 'notes')], { question, limit: 3 })).passages
  const add = async () => {
    await engine.collections.create(user, 'notes')
    const content = await engine.files.receive([new TextEncoder().encode('Thirty days of vacation.')])
    await engine.files.upload(user, 'notes', { name: 'a.md', content })
    await engine.collections.generateIndex(user, 'notes')
  }
  return { engine, user, find, close, add, entries: sink.entries }
}

describe('the engine with an embedding model of this machine', () => {
  it('finds by meaning what was indexed before, and says how far it is', async () => {
    const first = await start({})
    expect(first.engine.search()).toEqual({ by: 'words', offeredMegabytes: 135 })
    await first.engine.collections.create(first.user, 'notes')
    // Enough of other things for a near passage to stand out.
    const others = Array.from(
      { length: 30 },
      (_, at) => `Room ${at} has a ${at % 2 === 0 ? 'computer' : 'stolen'} printer.`,
    )
    for (const [at, text] of ['Thirty days of vacation.', ...others].entries()) {
      const content = await first.engine.files.receive([new TextEncoder().encode(text)])
      await first.engine.files.upload(first.user, 'notes', { name: `${at}.md`, content })
    }
    await first.engine.collections.generateIndex(first.user, 'notes')
    expect(await first.find('Urlaub?')).toEqual([])
    await first.close()

    const second = await start({ embeddingModel: tiny.path })
    await vi.waitFor(() => expect(second.engine.search()).toMatchObject({ state: 'ready', percent: 100 }), PATIENCE)
    expect(await second.find('Urlaub?')).toMatchObject([{ file: '0.md' }])
  })

  it('answers by words, and closes, while the model is away', async () => {
    const source = await serve((_, response) => void response.writeHead(200).write('x'))
    const { engine, add, find, close, entries } = await start({ embeddingModel: source })
    await add()
    expect(await find('vacation')).toHaveLength(1)
    expect(engine.search()).toMatchObject({ by: 'meaning', state: 'preparing', percent: 0 })
    await close()
    expect(entries.filter(({ level }) => level === 'warn' || level === 'error')).toEqual([])
  })

  it('says that a model that cannot be loaded is of no use', async () => {
    const first = await start({})
    await first.add()
    await first.close()
    await writeFile(tiny.path, (tiny.files['model.onnx'] ?? Buffer.alloc(0)).subarray(0, 60))
    const { engine, find } = await start({ embeddingModel: tiny.path })
    await vi.waitFor(() => expect(engine.search()).toMatchObject({ state: 'unusable' }), PATIENCE)
    expect(await find('vacation')).toHaveLength(1)
  })

  it('takes the files from another folder than the model', async () => {
    const onnx = join(folder, 'hub', 'onnx')
    makeTinyModel(onnx, GROUPS)
    for (const name of ['tokenizer.json', 'tokenizer_config.json']) {
      await copyFile(join(onnx, name), join(folder, 'hub', name))
      await rm(join(onnx, name))
    }
    const { local } = open(join(onnx, 'model.onnx'))
    expect(await local.prepare()).toBe(true)
    expect(await readFile(join(folder, 'hub', 'tokenizer.json'), 'utf8')).toContain('WordPiece')
  })
})
