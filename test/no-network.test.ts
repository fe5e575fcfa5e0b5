import { once } from 'node:events'
import { createServer, type AddressInfo, connect, Socket } from 'node:net'
import { connect as connectSecurely } from 'node:tls'
import { request } from 'undici'
import { expect, it } from 'vitest'

// Reserved for documentation (RFC 5737): nothing answers there, should a socket get out after all.
const ELSEWHERE = '192.0.2.1'
const REFUSAL = new RegExp(`may not reach ${ELSEWHERE.replaceAll('.', '[.]')}`)

it.each([
  ['an address and a port', () => connect(443, ELSEWHERE)],
  ['options', () => connect({ host: ELSEWHERE, port: 443 })],
  ['a socket of its own', () => new Socket().connect(443, ELSEWHERE)],
  ['TLS', () => connectSecurely({ host: ELSEWHERE, port: 443 })],
])('no test leaves this machine by %s', (_way, open) => {
  expect(open).toThrow(REFUSAL)
})

it.each([
  ['fetch', () => fetch(`http://${ELSEWHERE}/`)],
  ['undici', () => request(`http://${ELSEWHERE}/`)],
])('no test leaves this machine by %s', async (_way, ask) => {
  const failure: unknown = await ask().catch((error: unknown) => error)
  const causes = [failure, (failure as Error).cause]
  expect(causes.map(String).join('\n')).toMatch(REFUSAL)
})

it('a test reaches its own servers', async () => {
  const server = createServer((socket) => socket.end()).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1')
  await once(socket, 'connect')
  expect(socket.remoteAddress).toBe('127.0.0.1')
  socket.destroy()
  server.close()
  await once(server, 'close')
})
