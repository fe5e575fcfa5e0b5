import { mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test, vi } from 'vitest'
import { createEngine, type EngineOptions } from '#platform/engine/engine.ts'
import { PATIENCE } from '#test/support/patience.ts'
import { makeTinyModel } from '#test/support/tiny-model.ts'
import { createLogSink } from '#test/platform/server/platform.ts'

/** A place from which the model is downloaded, and which can be away. */
async function openSource() {
  const folder = await mkdtemp(join(tmpdir(), 'footbridge-meaning-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  const { files } = makeTinyModel(folder, [['vacation', 'urlaub'], ['computer'], ['printer']])
  const asked: string[] = []
  let isAway = false
  const server = createServer(({ url = '' }, response) => {
    asked.push(url)
    const file = files[url.slice(url.lastIndexOf('/') + 1)]
    if (isAway || file === undefined) response.writeHead(503).end()
    else response.writeHead(200, { etag: '"1"', 'content-length': file.length }).end(file)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => server.close().closeAllConnections())
  const offeredModel = `http://127.0.0.1:${(server.address() as AddressInfo).port}/model.onnx`
  return { folder, offeredModel, asked, setAway: (away: boolean) => (isAway = away) }
}

async function start(dataDir: string, options: Partial<EngineOptions>) {
  const engine = await createEngine({ dataDir, log: createLogSink().log, ...options })
  onTestFinished(() => engine.close())
  const user = (await engine.identify(engine.firstKey.key))?.user
  if (user === undefined) throw new Error('the first key is not known')
  const find = async (question: string) =>
    (await engine.retrieve([await engine.collections.require(user, 'notes')], { question, limit: 3 })).passages
  return { engine, user, find }
}

async function fill({ engine, user }: Awaited<ReturnType<typeof start>>) {
  await engine.collections.create(user, 'notes')
  const rooms = Array.from({ length: 30 }, (_, at) => `Room ${at} has a ${at % 2 === 0 ? 'computer' : 'printer'}.`)
  for (const [at, text] of ['Thirty days of vacation.', ...rooms].entries()) {
    const content = await engine.files.receive([new TextEncoder().encode(text)])
    await engine.files.upload(user, 'notes', { name: `${at}.md`, content })
  }
  await engine.collections.generateIndex(user, 'notes')
}

const OFF = { by: 'words', offeredMegabytes: 135 }
const READY = { by: 'meaning', state: 'ready', percent: 100, isChosen: true }

test('search by meaning is switched on and off while it runs; the choice and the vectors are kept', async () => {
  const { folder, offeredModel, asked } = await openSource()
  const first = await start(join(folder, 'data'), { offeredModel })
  await fill(first)
  expect(first.engine.search()).toEqual(OFF)
  expect([await first.find('Urlaub?'), asked]).toEqual([[], []])
  await first.engine.chooseMeaning(true)
  await first.engine.chooseMeaning(true)
  await vi.waitFor(() => expect(first.engine.search()).toMatchObject(READY), PATIENCE)
  expect(await first.find('Urlaub?')).toMatchObject([{ file: '0.md' }])
  await first.engine.close()

  const second = await start(join(folder, 'data'), { offeredModel })
  await vi.waitFor(() => expect(second.engine.search()).toMatchObject(READY), PATIENCE)
  expect(await second.find('Urlaub?')).toMatchObject([{ file: '0.md' }])
  await second.engine.chooseMeaning(false)
  expect(second.engine.search()).toEqual(OFF)
  expect(await second.find('Urlaub?')).toEqual([])
  expect(await second.find('vacation')).toMatchObject([{ file: '0.md' }])
  await second.engine.chooseMeaning(true)
  await vi.waitFor(() => expect(second.engine.search()).toMatchObject(READY), PATIENCE)
  expect(await second.find('Urlaub?')).toMatchObject([{ file: '0.md' }])
  expect(asked.filter((url) => url === '/model.onnx')).toHaveLength(1)
})

test('two presses at once open one model, and the last of several counts', async () => {
  const { folder, offeredModel, asked } = await openSource()
  const started = await start(join(folder, 'data'), { offeredModel })
  const { engine } = started
  await fill(started)
  await Promise.all([engine.chooseMeaning(true), engine.chooseMeaning(true)])
  await vi.waitFor(() => expect(engine.search()).toMatchObject(READY), PATIENCE)
  expect(asked.filter((url) => url === '/model.onnx')).toHaveLength(1)
  await Promise.all([engine.chooseMeaning(false), engine.chooseMeaning(true), engine.chooseMeaning(false)])
  expect(engine.search()).toEqual(OFF)
})

test('a model that cannot be downloaded is told in a sentence, questions go on by words, and it can be switched off', async () => {
  const { folder, offeredModel, setAway } = await openSource()
  setAway(true)
  const running = await start(join(folder, 'data'), { offeredModel })
  await fill(running)
  await running.engine.chooseMeaning(true)
  await vi.waitFor(
    () =>
      expect(running.engine.search()).toMatchObject({
        state: 'preparing',
        downloaded: 0,
        problem: expect.stringContaining('cannot be downloaded from http://127.0.0.1'),
      }),
    PATIENCE,
  )
  expect(await running.find('vacation')).toMatchObject([{ file: '0.md' }])
  await running.engine.chooseMeaning(false)
  expect(running.engine.search()).toEqual(OFF)
})

test('where a setting names a model, nothing is offered and nothing is switched', async () => {
  const { folder, offeredModel } = await openSource()
  const { engine } = await start(join(folder, 'data'), { embeddingModel: join(folder, 'model.onnx'), offeredModel })
  await vi.waitFor(() => expect(engine.search()).toMatchObject({ state: 'ready' }), PATIENCE)
  expect(engine.search()).not.toHaveProperty('isChosen')
  await expect(engine.chooseMeaning(false)).rejects.toThrow('change EMBEDDING_MODEL')
})
