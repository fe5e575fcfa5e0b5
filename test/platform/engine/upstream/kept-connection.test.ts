import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, it, onTestFinished } from 'vitest'
import { readEvents } from '#platform/engine/upstream/event-stream.ts'
import { createUpstreamHttp } from '#platform/engine/upstream/http.ts'

const EVENT = 'data: {"choices":[{"delta":{"content":"hi"},"finish_reason":"stop"}]}\n\n'

/** A model server that counts its connections; `end` ends an answer after its end mark. */
async function open(end: (response: ServerResponse) => void) {
  let [connections, closed] = [0, 0]
  const server = createServer((_, response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    response.write(`${EVENT}data: [DONE]\n\n`)
    end(response)
  })
  server.on('connection', (socket) => {
    connections += 1
    socket.on('close', () => (closed += 1))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const http = createUpstreamHttp({ baseUrl: `http://127.0.0.1:${port}/v1` })
  onTestFinished(async () => {
    await http.close()
    server.closeAllConnections()
    server.close()
  })
  async function ask(): Promise<number> {
    const response = await http.send({ method: 'POST', path: '/chat/completions', json: {} })
    return (await Array.fromAsync(readEvents(response, undefined))).flat().length
  }
  return { ask, connections: () => connections, closed: () => closed }
}

it('the connection of an answer that was read to its end mark serves the next question', async () => {
  const { ask, connections } = await open((response) => setTimeout(() => response.end(), 20))
  for (let count = 0; count < 3; count += 1) {
    expect(await ask()).toBe(1)
    // The end of the response comes 20 ms later, more on a busy machine.
    await new Promise((resolve) => setTimeout(resolve, 300))
  }
  expect(connections()).toBe(1)
})

it('a server that does not end its answer behind the end mark loses the connection', async () => {
  const { ask, closed } = await open(() => {})
  expect(await ask()).toBe(1)
  await expect.poll(closed, { timeout: 3000 }).toBe(1)
})
