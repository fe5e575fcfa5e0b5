import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, it, onTestFinished } from 'vitest'
import { mostConnections } from '#platform/server/connections.ts'
import { listen, type ListenOptions } from '#platform/server/listen.ts'
import { closeAtEnd } from '#test/support/close-at-end.ts'
import { eventually } from '#test/support/eventually.ts'

const HEAD = 'GET /x HTTP/1.1\r\nhost: here\r\n\r\n'

async function open(fetch: ListenOptions['fetch'], more: Partial<ListenOptions> = {}) {
  const server = closeAtEnd(await listen({ host: '127.0.0.1', port: 0, fetch, ...more }))
  const dial = async (text: string, from?: string) => {
    const socket = connect({ port: server.port, host: '127.0.0.1', localAddress: from })
    onTestFinished(() => void socket.destroy())
    socket.on('error', () => undefined)
    await once(socket, 'connect')
    socket.write(text)
    return socket
  }
  return { dial }
}

/** All that came until the server ended the connection. */
async function readAll(socket: Socket): Promise<string> {
  let said = ''
  socket.setEncoding('latin1').on('data', (text) => (said += String(text)))
  // An error of a write, after the answer, is no fault.
  await new Promise((resolve) => socket.once('close', resolve))
  return said
}

const answersIn = (said: string) => said.match(/HTTP\/1\.1 200/g)?.length ?? 0

describe('a connection', () => {
  it('has one request at a time worked on, and ends where too many wait', async () => {
    let running = 0
    let most = 0
    let begun = 0
    const { dial } = await open(async () => {
      begun += 1
      running += 1
      most = Math.max(most, running)
      await sleep(1)
      running -= 1
      return new Response('here')
    })
    const said = await readAll(await dial(HEAD.repeat(700)))
    expect(most).toBe(1)
    expect(answersIn(said)).toBe(begun)
    expect(begun).toBe(33)
  })

  it('answers requests that wait in their order', async () => {
    const { dial } = await open(async ({ url }) => new Response(`at ${new URL(url).pathname}`))
    const socket = await dial(['/a', '/b', '/c'].map((path) => HEAD.replace('/x', path)).join(''))
    let said = ''
    socket.setEncoding('latin1').on('data', (text) => (said += String(text)))
    await eventually(() => said.includes('at /c'))
    expect(said.match(/at \/./g)).toEqual(['at /a', 'at /b', 'at /c'])
  })

  it('whose client leaves has nothing more worked on', async () => {
    let begun = 0
    const held = Promise.withResolvers<void>()
    const { dial } = await open(async () => {
      begun += 1
      await held.promise
      return new Response('here')
    })
    const socket = await dial(HEAD.repeat(20))
    await eventually(() => begun === 1)
    socket.destroy()
    await sleep(100)
    held.resolve()
    await sleep(100)
    expect(begun).toBe(1)
  })

  it('takes no body behind a request that is not answered', async () => {
    const { dial } = await open(async (request) => {
      await sleep(50)
      return new Response(await request.text())
    })
    const post = 'POST /x HTTP/1.1\r\nhost: here\r\ntransfer-encoding: chunked\r\n\r\n'
    const said = await readAll(await dial(HEAD + post + '1\r\na\r\n'.repeat(1000)))
    expect(answersIn(said)).toBe(1)
  })

  it('gets the answer to a body that is refused, and ends without reading the rest', async () => {
    const { dial } = await open(() => new Response('no', { status: 401 }))
    const socket = await dial('POST /x HTTP/1.1\r\nhost: here\r\ncontent-length: 9000000000\r\n\r\n')
    const piece = Buffer.alloc(1_000_000)
    const said = readAll(socket)
    for (let nth = 0; nth < 60; nth += 1) socket.write(piece)
    expect(await said).toMatch(/^HTTP\/1\.1 401/)
  })

  it('that is idle makes room for a newcomer, the oldest first; one that is being answered does not', async () => {
    const held = Promise.withResolvers<Response>()
    const { dial } = await open(({ url }) => (url.endsWith('/held') ? held.promise : new Response('here')), {
      connections: 3,
    })
    const answered = await dial(HEAD.replace('/x', '/held'))
    const oldest = await dial(HEAD)
    await once(oldest, 'data')
    const other = await dial(HEAD)
    await once(other, 'data')
    const newcomer = await dial(HEAD)
    await once(newcomer, 'data')
    await eventually(() => oldest.closed)
    expect([answered.closed, other.closed, newcomer.closed]).toEqual([false, false, false])
    held.resolve(new Response('late'))
    await once(answered, 'data')
  })
})

it('one address has not all connections, but a proxy of the own network has', async () => {
  const addresses = ['203.0.113.7', '10.0.0.5']
  const counts = addresses.map(async (address) => {
    const { dial } = await open(() => new Response('here'), { connections: 300, addressOf: () => address })
    const sockets = await Promise.all(Array.from({ length: 140 }, () => dial(HEAD)))
    await Promise.all(sockets.map((socket) => Promise.race([once(socket, 'data'), once(socket, 'close')])))
    await sleep(100)
    return sockets.filter((socket) => !socket.closed).length
  })
  expect(await Promise.all(counts)).toEqual([128, 140])
})

it('a household of IPv6 counts as one address, whichever of its own it sends from', async () => {
  let nth = 0
  const addresses = new Map<number | undefined, string>()
  const addressOf = (port: number | undefined) => {
    const known = addresses.get(port) ?? `2001:db8:1:2::${(nth += 1).toString(16)}`
    addresses.set(port, known)
    return known
  }
  const { dial } = await open(() => new Response('here'), { connections: 300, addressOf })
  const sockets = await Promise.all(Array.from({ length: 140 }, () => dial(HEAD)))
  await Promise.all(sockets.map((socket) => Promise.race([once(socket, 'data'), once(socket, 'close')])))
  await eventually(() => sockets.filter((socket) => !socket.closed).length <= 128)
  expect(new Set(addresses.values()).size).toBe(140)
})

it('connections leave descriptors for everything else', () => {
  expect(mostConnections(20_000)).toBe(512)
  expect(mostConnections(1024)).toBe(128)
  expect(mostConnections(256)).toBe(16)
})
