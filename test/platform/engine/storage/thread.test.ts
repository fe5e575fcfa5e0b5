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
