const ROW_BYTES = 64
const PORTS = 65_536

/** Addresses of clients by the port that the front uses towards the main thread. Both threads see the same memory. */
export interface Peers {
  readonly memory: SharedArrayBuffer
  set(port: number, address: string): void
  clear(port: number): void
  get(port: number | undefined): string | undefined
}

export function createPeers(memory = new SharedArrayBuffer(ROW_BYTES * PORTS)): Peers {
  const rows = Buffer.from(memory)
  return {
    memory,
    set(port, address) {
      // The length is written last: it makes the row valid.
      const length = rows.write(address, port * ROW_BYTES + 1, ROW_BYTES - 1, 'latin1')
      rows[port * ROW_BYTES] = length
    },
    clear(port) {
      rows[port * ROW_BYTES] = 0
    },
    get(port) {
      const at = (port ?? 0) * ROW_BYTES
      const length = rows[at] ?? 0
      return length === 0 ? undefined : rows.toString('latin1', at + 1, at + 1 + length)
    },
  }
}
