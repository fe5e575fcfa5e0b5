import { describe, expect, it } from 'vitest'
import { listen } from '../../../src/platform/server/listen.ts'

const answer = () => new Response('here')

describe('listen', () => {
  it('takes a free port and says which', async () => {
    const server = await listen({ host: '127.0.0.1', port: 0, fetch: answer })
    expect(server.url).toBe(`http://127.0.0.1:${server.port}`)
    expect(await (await fetch(server.url)).text()).toBe('here')
    await server.close()
    await server.close()
    await expect(fetch(server.url)).rejects.toThrow('fetch failed')
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
})
