import { once } from 'node:events'
import { connect, createServer, type AddressInfo } from 'node:net'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { createDeadline } from '#platform/client/deadline.ts'

/** Holds this process up: nothing is read meanwhile. */
const standStill = (ms: number) => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms)

it.each(['within', 'watch'] as const)('what came while this process stood still is no silence: %s', async (kind) => {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const client = connect((server.address() as AddressInfo).port, '127.0.0.1')
  const [platform] = (await once(server, 'connection')) as [typeof client]
  const deadline = createDeadline({ doing: 'reading', totalMs: 60_000 })
  const read = async () => {
    const data = once(client, 'data', { signal: deadline.signal })
    platform.write('answer')
    standStill(40)
    return String((await data)[0])
  }
  const watch = deadline.watch(20)
  const waitTwice = () => {
    watch.begin()
    return read().finally(() => {
      watch.end()
      watch.begin()
    })
  }
  expect(await (kind === 'watch' ? waitTwice() : deadline.within(20, read))).toBe('answer')
  await nextTurn()
  expect(deadline.failure()).toBeUndefined()
  watch.release()
  deadline.release()
  client.destroy()
  server.close()
})
