import { createServer, type AddressInfo } from 'node:net'

const message = (kind: string, body: Uint8Array) => {
  const head = Buffer.alloc(5)
  head.write(kind, 'latin1')
  head.writeUInt32BE(body.byteLength + 4, 1)
  return Buffer.concat([head, body])
}
const int16 = (value: number) => Buffer.from([value >> 8, value & 255])
const int32 = (value: number) => Buffer.from([0, 0, value >> 8, value & 255])
const text = (value: string) => Buffer.from(`${value}\0`)

const ready = message('Z', Buffer.from('I'))
const done = message('C', text('SELECT 1'))

/** Speaks as much of PostgreSQL's protocol as it takes to say that it is version 14. */
export async function startOldServer(): Promise<{ readonly port: number; close(): Promise<void> }> {
  const version = '14'
  const row = Buffer.concat([
    message(
      'T',
      Buffer.concat([
        int16(1),
        text('version'),
        int32(0),
        int16(0),
        int32(23),
        int16(4),
        Buffer.from([255, 255, 255, 255]),
        int16(0),
      ]),
    ),
    message('D', Buffer.concat([int16(1), int32(version.length), Buffer.from(version)])),
  ])
  const server = createServer((socket) => {
    socket.once('data', () => {
      socket.write(Buffer.concat([message('R', int32(0)), ready]))
      socket.on('data', (asked) => {
        if (!asked.includes('SELECT') && !asked.includes('SET')) return
        socket.write(Buffer.concat(asked.includes('SELECT') ? [row, done, ready] : [done, ready]))
      })
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    port: (server.address() as AddressInfo).port,
    close: () => new Promise((resolve) => server.close(() => resolve())),
  }
}
