import { fork } from 'node:child_process'
import { connect, type Socket } from 'node:net'
import { once } from 'node:events'
import { expect, onTestFinished, test } from 'vitest'
import { createPlatformClient } from '#platform/client/client.ts'
import { failureOf } from './setup.ts'

/** A listener whose process is stopped: its queue fills up and further connections are never made. */
async function deafListener(): Promise<number> {
  const code = `import { createServer } from 'node:net'
    const server = createServer()
    server.listen({ port: 0, host: '127.0.0.1', backlog: 1 }, () => process.send(server.address().port))`
  const child = fork('-', { execArgv: ['--input-type=module', '-e', code] })
  const [port] = (await once(child, 'message')) as [number]
  child.kill('SIGSTOP')
  const queued: Socket[] = []
  onTestFinished(() => {
    for (const socket of queued) socket.destroy()
    child.kill('SIGKILL')
  })
  for (let full = false; !full;) {
    const socket = connect(port, '127.0.0.1').on('error', () => {})
    queued.push(socket)
    full = await Promise.race([
      once(socket, 'connect').then(() => false),
      new Promise<boolean>((resolve) => {
        setTimeout(resolve, 250, true)
      }),
    ])
  }
  return port
}

test('a connection that never stands is given up within its own limit, and nothing was sent', async () => {
  const baseUrl = `http://127.0.0.1:${await deafListener()}/v1`
  const client = createPlatformClient({ baseUrl, apiKey: 'k', timeLimits: { connectMs: 100 } })
  const error = await failureOf(client.collections.create('c'))
  expect(error).toMatchObject({ code: 'unreachable', maybeDone: false })
  expect(error.message).toContain('no connection within the time limit')
  await client.close()
})
