import { describe, expect, it } from 'vitest'
import { closeAtEnd } from '#test/support/close-at-end.ts'
import { send } from '../hostile/send.ts'
import { listen } from '#platform/server/listen.ts'

const answer = () => new Response('here')
/** As all routes with a body do, it waits for the body: an answer before the fault would count. */
const read = async (request: Request) => new Response(await request.text())

describe('listen', () => {
  it('takes a free port and says which', async () => {
    const server = await listen({ host: '127.0.0.1', port: 0, fetch: answer })
    expect(server.url).toBe(`http://127.0.0.1:${server.port}`)
    expect(await (await fetch(server.url)).text()).toBe('here')
    await server.close()
    await server.close()
    await expect(fetch(server.url)).rejects.toThrow('fetch failed')
  })

  it.each([
    ['a whole answer', 'end'],
    ['a stream', 'begin'],
  ])('closes as soon as %s under way is at its end, whoever keeps the connection', async (_, how) => {
    const { promise: release, resolve } = Promise.withResolvers<void>()
    const asked = Promise.withResolvers<void>()
    async function* pieces() {
      yield new TextEncoder().encode('he')
      await release
      yield new TextEncoder().encode('re')
    }
    const server = await listen({
      host: '127.0.0.1',
      port: 0,
      fetch: async () => {
        asked.resolve()
        if (how === 'end') await release
        return new Response(ReadableStream.from(pieces()))
      },
    })
    const answered = fetch(server.url).then((response) => response.text())
    await asked.promise
    await new Promise((later) => setTimeout(later, 50))
    const closed = server.close()
    resolve()
    expect(await answered).toBe('here')
    const since = performance.now()
    await closed
    expect(performance.now() - since).toBeLessThan(2000)
  })

  it('names PORT when the port is taken', async () => {
    const server = await listen({ host: '127.0.0.1', port: 0, fetch: answer })
    await expect(listen({ host: '127.0.0.1', port: server.port, fetch: answer })).rejects.toThrow(
      `Port ${server.port} is taken by another program: stop it, or set PORT to another one.`,
    )
    await server.close()
  })

  it('names HOST when the address is not of this machine', async () => {
    await expect(listen({ host: '127.0.0.1.invalid', port: 0, fetch: answer })).rejects.toThrow('HOST')
  })

  it.each([
    ['an address of 100 kB', 431, `GET /${'a'.repeat(100_000)} HTTP/1.1\r\nhost: x\r\n\r\n`, 'longer than 16 KB'],
    ['a header of 40 kB', 431, `GET / HTTP/1.1\r\nhost: x\r\nx: ${'a'.repeat(40_000)}\r\n\r\n`, 'longer than 16 KB'],
    ['noise', 400, 'STEAL / HTTP/1.1\r\n\r\n', 'no HTTP request'],
    ['broken chunks', 400, 'POST / HTTP/1.1\r\nhost: x\r\ntransfer-encoding: cow\r\n\r\n', 'no HTTP request'],
  ])('answers %s with %i and a reason', async (what, status, text, reason) => {
    const server = closeAtEnd(await listen({ host: '127.0.0.1', port: 0, fetch: read }))
    const answered = await send(server.port, { what, pieces: [text] }, 10_000)
    expect(answered.status).toBe(status)
    expect(JSON.parse(answered.text.slice(answered.text.indexOf('\r\n\r\n')))).toMatchObject({
      detail: expect.stringContaining(reason),
    })
  })
})
