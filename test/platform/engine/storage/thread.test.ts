import { execFile } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { enableCompileCache, getCompileCacheDir } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { promisify } from 'node:util'
import { afterAll, expect, test, vi } from 'vitest'
import { createThread } from '#platform/engine/storage/thread.ts'
import { PATIENCE } from '#test/support/patience.ts'

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

/** Hangs on `stall`; answers everything else with the request. */
const stalling = new URL(
  `data:text/javascript,${encodeURIComponent(`
    import { parentPort } from 'node:worker_threads'
    parentPort.on('message', (call) => {
      if (call === 'close') return parentPort.close()
      if (call.isSilent !== true) parentPort.postMessage({ id: call.id, working: true })
      while (call.word === 'stall');
      parentPort.postMessage({ id: call.id, result: call.word })
    })`)}`,
)

test.each([
  ['that says what it works on', false],
  ['that answers in order', true],
])(
  'a call that a thread %s is stuck in fails, and those behind it are answered by a new thread',
  async (_, isSilent) => {
    const thread = createThread(stalling, { stallMs: 500, isInOrder: isSilent })
    const words = ['one', 'stall', 'two', 'stall', 'three']
    const answers = await Promise.allSettled(words.map((word) => thread.ask({ word, isSilent })))
    expect(answers.map((one) => (one.status === 'fulfilled' ? one.value : String(one.reason)))).toEqual([
      'one',
      expect.stringContaining('took longer than'),
      'two',
      expect.stringContaining('divide the file'),
      'three',
    ])
    expect(await thread.ask({ word: 'four', isSilent })).toBe('four')
    await thread.close()
  },
)

test('the owner of a thread hears what its work is about', async () => {
  const telling = new URL(
    `data:text/javascript,${encodeURIComponent(`
      import { parentPort } from 'node:worker_threads'
      parentPort.on('message', (call) => {
        if (call === 'close') return parentPort.close()
        for (const about of call.about) parentPort.postMessage({ id: call.id, working: true, about })
        parentPort.postMessage({ id: call.id, result: 'done' })
      })`)}`,
  )
  const heard: number[] = []
  const thread = createThread(telling, { onWorking: (about) => heard.push(about) })
  expect(await thread.ask({ about: [7, 8] })).toBe('done')
  expect(heard).toEqual([7, 8])
  await thread.close()
})

/** Says which thread answers. */
const numbered = new URL(
  `data:text/javascript,${encodeURIComponent(`
    import { parentPort, threadId } from 'node:worker_threads'
    parentPort.on('message', (call) => {
      if (call === 'close') return parentPort.close()
      parentPort.postMessage({ id: call.id, result: threadId })
    })`)}`,
)

test('a thread without work ends, and another one answers the next call', async () => {
  const thread = createThread(numbered, { idleMs: 20 })
  const first = await thread.ask({})
  expect(await thread.ask({})).toBe(first)
  await vi.waitFor(async () => {
    // Longer than it is kept: a call in the moment of its end waits for the next one.
    await delay(50)
    expect(await thread.ask({})).not.toBe(first)
  }, PATIENCE)
  await thread.close()
  await expect(thread.ask({})).rejects.toThrow('stopping')
})

test('calls in the moment in which a thread ends are all answered', async () => {
  const thread = createThread(numbered, { idleMs: 0 })
  const threads = new Set<unknown>()
  for (let round = 0; round < 20; round += 1) {
    const [one, other] = await Promise.all([thread.ask({}), thread.ask({})])
    expect(one).toBe(other)
    threads.add(one)
    await delay(round % 4)
  }
  expect(threads.size).toBeGreaterThan(1)
  await thread.close()
})

/** Nothing else keeps this program alive; the answer waits to be read while the thread is closed. */
const closing = (module: string, worker: string) => `
  import { createThread } from '${module}'
  const thread = createThread(new URL(${JSON.stringify(worker)}))
  await thread.ask({ word: 'begun' })
  const answer = thread.ask({ word: 'last' })
  for (const end = Date.now() + 300; Date.now() < end; );
  const closed = thread.close()
  const said = await answer
  await closed
  process.stdout.write(said + ', then closed')`

test('a process waits for the end of a thread that it closes with an answer unread', async () => {
  const slow = `data:text/javascript,${encodeURIComponent(`
    import { parentPort } from 'node:worker_threads'
    parentPort.on('message', (call) => {
      if (call !== 'close') return parentPort.postMessage({ id: call.id, result: call.word })
      for (const end = Date.now() + 200; Date.now() < end; );
      parentPort.close()
    })`)}`
  const module = new URL('../../../../src/platform/engine/storage/thread.ts', import.meta.url).href
  const words = ['--input-type=module', '-e', closing(module, slow)]
  const { stdout } = await promisify(execFile)(process.execPath, words)
  expect(stdout).toBe('last, then closed')
})

/** `wait` is never answered; `elsewhere` says that another thread hangs over it; `die` ends the thread. */
const ending = new URL(
  `data:text/javascript,${encodeURIComponent(`
    import { parentPort } from 'node:worker_threads'
    parentPort.on('message', (call) => {
      if (call === 'close') return parentPort.close()
      if (call.word === 'wait') return
      parentPort.postMessage({ id: call.id, working: true, isElsewhere: call.word === 'elsewhere' })
      if (call.word === 'elsewhere') return
      if (call.word === 'die') throw new Error('out of memory')
      parentPort.postMessage({ id: call.id, result: call.word })
    })`)}`,
)

const settledOf = async (answers: readonly Promise<unknown>[]) =>
  (await Promise.allSettled(answers)).map((one) => (one.status === 'fulfilled' ? one.value : String(one.reason)))

test('a call fails in which a thread of the thread stands still, whatever is answered meanwhile', async () => {
  const thread = createThread(ending, { stallMs: 300 })
  const stuck = settledOf([thread.ask({ word: 'elsewhere' })])
  const said: unknown[] = []
  let isOver = false
  void stuck.then(() => (isOver = true))
  while (!isOver) {
    // oxlint-disable-next-line no-await-in-loop -- calls of others, one after the other
    said.push(await thread.ask({ word: 'other' }))
    // oxlint-disable-next-line no-await-in-loop
    await delay(20)
  }
  expect(await stuck).toEqual([expect.stringContaining('took longer than')])
  expect(new Set(said)).toEqual(new Set(['other']))
  await thread.close()
})

test('a thread that dies over a call fails that one; the others are answered by a new thread', async () => {
  const thread = createThread(ending)
  const answers = ['one', 'die', 'two', 'die', 'three'].map((word) => thread.ask({ word }))
  expect(await settledOf(answers)).toEqual([
    'one',
    expect.stringContaining('out of memory'),
    'two',
    expect.stringContaining('out of memory'),
    'three',
  ])
  await thread.close()
})
