import { mkdtemp, rm } from 'node:fs/promises'
import { enableCompileCache, getCompileCacheDir } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { createThread } from '../../../../src/platform/engine/storage/thread.ts'

const folder = await mkdtemp(join(tmpdir(), 'footbridge-thread-'))
afterAll(() => rm(folder, { recursive: true, force: true }))

/** Answers every call with where it keeps compiled code and what it sees of the environment. */
const script = new URL(
  `data:text/javascript,${encodeURIComponent(`
    import { getCompileCacheDir } from 'node:module'
    import { parentPort } from 'node:worker_threads'
    parentPort.on('message', (call) => {
      if (call === 'close') parentPort.close()
      else parentPort.postMessage({ id: call.id, result: [getCompileCacheDir(), Object.keys(process.env)] })
    })`)}`,
)

test('a thread finds what the process has compiled before, and nothing else of its surroundings', async () => {
  enableCompileCache(folder)
  const thread = createThread(script)
  expect(await thread.ask({})).toEqual([getCompileCacheDir(), ['NODE_COMPILE_CACHE']])
  await thread.close()
})

/** Stands still on `stall`; answers everything else with what it was asked. */
const stalling = new URL(
  `data:text/javascript,${encodeURIComponent(`
    import { parentPort } from 'node:worker_threads'
    parentPort.on('message', (call) => {
      if (call === 'close') return parentPort.close()
      parentPort.postMessage({ id: call.id, working: true })
      while (call.word === 'stall');
      parentPort.postMessage({ id: call.id, result: call.word })
    })`)}`,
)

test('a call that the thread is stuck in fails, and those behind it are answered by a new thread', async () => {
  const thread = createThread(stalling, { stallMs: 500 })
  const words = ['one', 'stall', 'two', 'stall', 'three']
  const answers = await Promise.allSettled(words.map((word) => thread.ask({ word })))
  expect(answers.map((one) => (one.status === 'fulfilled' ? one.value : String(one.reason)))).toEqual([
    'one',
    expect.stringContaining('took longer than'),
    'two',
    expect.stringContaining('divide the file'),
    'three',
  ])
  expect(await thread.ask({ word: 'four' })).toBe('four')
  await thread.close()
})
