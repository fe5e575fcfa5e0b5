import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { closeAtEnd } from '#test/support/close-at-end.ts'

const HEADER_BYTES = 12
const TYPE_A = 1

/** A response (RFC 1035): the question as it came, and its address, if one of IPv4 was asked for. */
function respond(query: Buffer, address: string): Buffer {
  const end = query.indexOf(0, HEADER_BYTES) + 5
  const isFour = query.readUInt16BE(end - 4) === TYPE_A
  const header = Buffer.from([0, 0, 0x81, 0x80, 0, 1, 0, isFour ? 1 : 0, 0, 0, 0, 0])
  query.copy(header, 0, 0, 2)
  const answer = Buffer.from([
    0xc0,
    HEADER_BYTES,
    0,
    TYPE_A,
    0,
    1,
    0,
    0,
    0,
    60,
    0,
    4,
    ...address.split('.').map(Number),
  ])
  return Buffer.concat([header, query.subarray(HEADER_BYTES, end), ...(isFour ? [answer] : [])])
}

/** A name server that has one address for every name; without one it never answers. */
export async function openNameServer(address?: string) {
  const socket = createSocket('udp4').bind(0, '127.0.0.1')
  await once(socket, 'listening')
  let asked = 0
  socket.on('message', (query, { port }) => {
    asked += 1
    if (address !== undefined) socket.send(respond(query, address), port, '127.0.0.1')
  })
  closeAtEnd({ close: async () => void socket.close() })
  return { servers: [`127.0.0.1:${socket.address().port}`], asked: () => asked }
}
