import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { setTimeout } from 'node:timers/promises'
import { Agent, request } from 'undici'
import { expect, it, onTestFinished } from 'vitest'
import { listenWithFront, logStandstill } from '#front/front.ts'
import { send } from '../platform/hostile/send.ts'
import { createLogSink } from '../platform/server/platform.ts'
import { closeAtEnd } from '../support/close-at-end.ts'
import { inLong } from '#test/support/forms.ts'

type Fetch = (request: Request, address?: string) => Promise<Response> | Response

async function open(fetch: Fetch) {
  const sink = createLogSink()
  const front = closeAtEnd(
    await listenWithFront({ host: '127.0.0.1', port: 0, version: '1.2.3', log: sink.log as never, fetch }),
  )
  return { front, entries: sink.entries }
}

/** Keeps the main thread busy until the file is there. */
function standStillUntil(path: string): boolean {
  const end = performance.now() + 20_000
  while (performance.now() < end) if (existsSync(path)) return true
  return false
}

it('answers /health while the main thread stands still, and tells which function it was', async () => {
  const { front, entries } = await open(() => new Response('here'))
  const folder = mkdtempSync(join(tmpdir(), 'footbridge-front-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const path = join(folder, 'said')
  const ask = `const ask = () => fetch('${front.url}/health').then((reply) => reply.text())
    const said = [await ask(), await ask()].join(' ')
    await new Promise((resolve) => setTimeout(resolve, 500))
    writeFileSync('${path}', said)`
  // A program of its own asks: this one hangs.
  const asking = spawn(process.execPath, [
    '--input-type=module',
    '-e',
    `import { writeFileSync } from 'node:fs'; ${ask}`,
  ])
  const ended = once(asking, 'close')
  expect(standStillUntil(path)).toBe(true)
  await ended
  expect(readFileSync(path, 'utf8')).toBe('{"status":"ok","version":"1.2.3"} {"status":"ok","version":"1.2.3"}')
  // vitest loads a test file by a name of its own.
  const isTold = () =>
    entries.some(({ fields }) => 'at' in fields && /front\.test\.ts(\?\S+)? standStillUntil$/.test(String(fields.at)))
  await expect.poll(isTold).toBe(true)
})

it('warns of a wait that our own CPU caused for more than a second, and of no other', () => {
  const { log, entries } = createLogSink()
  const short = { ms: 459, cpuMs: 300, at: 'src/main.ts start' }
  logStandstill(log as never, short)
  logStandstill(log as never, { ...short, ms: 9000, cpuMs: 900 })
  logStandstill(log as never, { ...short, ms: 1500, cpuMs: 1400 })
  expect(entries.map(({ level }) => level)).toEqual(['debug', 'debug', 'warn'])
})

it('passes requests and answers on as they are, with the address of the client', async () => {
  const { front } = await open(async (asked, address) =>
    Response.json({ address, path: new URL(asked.url).pathname, bytes: (await asked.arrayBuffer()).byteLength }),
  )
  const dispatcher = new Agent({ connections: 1 })
  const ask = async (path: string, body?: Uint8Array) => {
    const reply = await request(`${front.url}${path}`, { method: body ? 'POST' : 'GET', body, dispatcher })
    return reply.body.json()
  }
  // One connection: a check between two other requests is seen, and a body that looks like a check is not one.
  const hidden = Buffer.from('GET /health HTTP/1.1\r\n\r\n')
  expect(await ask('/one')).toEqual({ address: '127.0.0.1', path: '/one', bytes: 0 })
  expect(await ask('/two', hidden)).toEqual({ address: '127.0.0.1', path: '/two', bytes: hidden.length })
  expect(await ask('/health')).toEqual({ status: 'ok', version: '1.2.3' })
  expect(await ask('/three', Buffer.alloc(3_000_000))).toMatchObject({ bytes: 3_000_000 })
  expect(await ask('/health?from=probe')).toEqual({ status: 'ok', version: '1.2.3' })
  expect(await ask('/healthy')).toMatchObject({ path: '/healthy' })
  await dispatcher.close()
})

it('tells the main thread when a client has gone', async () => {
  const gone = Promise.withResolvers<void>()
  const { front } = await open((asked) => {
    asked.signal.addEventListener('abort', () => gone.resolve())
    return new Response(new ReadableStream({ start: (stream) => stream.enqueue(Buffer.from('first')) }))
  })
  const reply = await request(front.url)
  reply.body.once('data', () => reply.body.destroy())
  reply.body.on('error', () => undefined)
  expect(await gone.promise).toBeUndefined()
})

it('answers each request once, whatever the pieces that it comes in', async () => {
  const { front } = await open(() => new Response('here'))
  const bytes = Buffer.from(
    'GET / HTTP/1.1\r\nhost: a\r\n\r\nGET /health HTTP/1.1\r\nhost: a\r\nconnection: close\r\n\r\n',
  )
  for (const size of [1, 7, bytes.length]) {
    const socket = connect(front.port, '127.0.0.1')
    let said = ''
    socket.on('data', (piece: Buffer) => (said += piece.toString()))
    for (let at = 0; at < bytes.length; at += size) socket.write(bytes.subarray(at, at + size))
    // oxlint-disable-next-line no-await-in-loop -- one after the other
    await once(socket, 'close')
    expect(said.match(/HTTP\/1\.1 200/g)).toHaveLength(2)
  }
})

it('keeps answers in the order of their requests', async () => {
  const { front } = await open(async (asked) => {
    if (asked.url.endsWith('/slow')) await setTimeout(300)
    return new Response(new URL(asked.url).pathname)
  })
  const socket = connect(front.port, '127.0.0.1')
  let said = ''
  const toldHealth = Promise.withResolvers<void>()
  let isAsked = false
  socket.on('data', (piece: Buffer) => {
    said += piece.toString()
    // Two requests came at once: the second is still owed when the answer to the first arrives.
    if (!isAsked) socket.write('GET /health HTTP/1.1\r\nhost: a\r\nconnection: close\r\n\r\n')
    isAsked = true
  })
  socket.on('close', () => toldHealth.resolve())
  socket.write('GET /first HTTP/1.1\r\nhost: a\r\n\r\nGET /slow HTTP/1.1\r\nhost: a\r\n\r\n')
  await toldHealth.promise
  expect(said.match(/\/first|\/slow|\/health/g)).toEqual(['/first', '/slow', '/health'])
})

it('passes bytes on as they were, also where both ends are slow', async () => {
  const { front } = await open(async (asked) => {
    const pieces: Uint8Array[] = []
    if (asked.body !== null)
      for await (const piece of asked.body) {
        pieces.push(piece)
        if (pieces.length % 16 === 0) await setTimeout(1)
      }
    return new Response(Buffer.concat(pieces))
  })
  const bodies = Array.from({ length: 8 }, (_, nth) => Buffer.alloc(1_000_003, randomBytes(9_973 + nth)))
  const echoes = bodies.map(async (body) => {
    const reply = await request(front.url, { method: 'POST', body: Readable.from(body), headersTimeout: 20_000 })
    const pieces: Buffer[] = []
    for await (const piece of reply.body) {
      pieces.push(piece as Buffer)
      await setTimeout(1)
    }
    return Buffer.concat(pieces).equals(body)
  })
  expect(await Promise.all(echoes)).toEqual(bodies.map(() => true))
})

it('ends a client that asks for /health without reading the answers', async () => {
  const { front } = await open(() => new Response('here'))
  const client = connect(front.port, '127.0.0.1')
  onTestFinished(() => void client.destroy())
  client.on('error', () => undefined)
  client.pause()
  const many = Buffer.from('GET /health HTTP/1.1\r\n\r\n'.repeat(40_000))
  // 40 MB of requests would make over 200 MB of answers.
  const isTaken = () =>
    !client.destroyed &&
    (client.write(many) || Promise.race([once(client, 'drain').catch(() => false), setTimeout(1_500, false)]))
  let sent = 0
  while (sent < 40 && (await isTaken()) !== false) sent += 1
  expect(sent).toBeLessThan(40)
})

it('names PORT when the port is taken', async () => {
  const { front } = await open(() => new Response('here'))
  const second = listenWithFront({
    host: '127.0.0.1',
    port: front.port,
    version: '1',
    log: createLogSink().log as never,
    fetch: () => new Response(''),
  })
  await expect(second).rejects.toThrow(`Port ${front.port} is taken by another program`)
})

it('is closed although a client does not read its answer', inLong, async () => {
  const { front } = await open(() => new Response(new Uint8Array(32 * 1024 * 1024)))
  const client = connect(front.port, '127.0.0.1', () => client.write('GET / HTTP/1.1\r\nhost: here\r\n\r\n'))
  onTestFinished(() => void client.destroy())
  client.on('error', () => undefined)
  await once(client, 'readable')
  let closed = false
  void front.close().then(() => (closed = true))
  await expect.poll(() => closed, { timeout: 15_000 }).toBe(true)
})

it.each([
  ['TLS', 400, '\u0016\u0003\u0001\u0002\u0000\u0001\u0000\u0001\u00fc\u0003\u0003', 'no HTTP request'],
  ['an address of 200 kB', 431, `GET /${'a'.repeat(200_000)} HTTP/1.1\r\nhost: x\r\n\r\n`, 'longer than 16 KB'],
])('answers %s with %i and a reason', async (what, status, text, reason) => {
  const { front } = await open(() => new Response('here'))
  const answered = await send(front.port, { what, pieces: [Buffer.from(text, 'latin1')] }, 10_000)
  expect(answered.status).toBe(status)
  expect(answered.text).toContain(reason)
})
