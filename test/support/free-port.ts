import { randomInt } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:net'

/** Below the ports that systems hand to whoever asks for any: nobody is given one of these by chance. */
const [LOWEST, HIGHEST] = [12_000, 30_000]

/** A loopback port for a program that has to be told one; it stays free while that starts, and between two starts. */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = randomInt(LOWEST, HIGHEST)
    const server = createServer().listen(port, '127.0.0.1')
    // `once` rejects with the error of a port that is taken.
    const isFree = await once(server, 'listening').then(
      () => true,
      () => false,
    )
    if (!isFree) continue
    server.close()
    await once(server, 'close')
    return port
  }
}
