import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { openLocalModel } from '#platform/engine/embedding/local-model.ts'
import { separateWeights } from '#platform/engine/embedding/separate-weights.ts'
import { makeTinyModel } from '#test/support/tiny-model.ts'
import { createLogSink } from '#test/platform/server/platform.ts'

async function makeModel(size: number) {
  const folder = await mkdtemp(join(tmpdir(), 'footbridge-weights-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  const { path } = makeTinyModel(folder, [['holiday', 'vacation'], ['laptop']], size)
  return { folder, path, file: await readFile(path) }
}

it('the graph names weights by their place in the file, and the vectors stay what they were', async () => {
  const { folder, path, file } = await makeModel(384)
  const { graph, name } = separateWeights(file)
  expect(name).toBe('weights')
  expect(graph.length).toBeLessThan(1_000)
  const local = openLocalModel({ model: path, folder, log: createLogSink().log })
  onTestFinished(() => local.close())
  await local.prepareOnce()
  const vectors = await local.vectors(['holiday', 'vacation', 'laptop'], 'passage', AbortSignal.timeout(60_000))
  expect(vectors.map((vector) => [vector.length, vector.indexOf(1)])).toEqual([
    [384, 0],
    [384, 0],
    [384, 1],
  ])
})

it('small weights stay where they are', async () => {
  const { file } = await makeModel(16)
  const { graph, name } = separateWeights(file)
  expect(name).toBeUndefined()
  expect(graph.equals(file)).toBe(true)
})

it.each([1, 40, 400, 3_000])('a file that ends after %d bytes is told', async (bytes) => {
  const { file } = await makeModel(384)
  expect(() => separateWeights(file.subarray(0, bytes))).toThrow('no whole ONNX model')
})
