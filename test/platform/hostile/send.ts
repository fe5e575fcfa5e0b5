import { connect } from 'node:net'

/** One request, byte by byte, as no client library would send it. */
export interface HostileRequest {
  /** For whoever reads that it was not refused. */
  readonly what: string
  readonly pieces: readonly (string | Buffer)[]
  /** After the pieces the sending side is closed; else the connection stays open, silent, until there is an answer. */
  readonly isCut?: boolean
}

export interface HostileAnswer {
  /** 0: the connection ended without an answer. */
  readonly status: number
  /** The part that came with the head. */
  readonly text: string
}

/** @throws {Error} when nothing came for `timeoutMs` */
export function send(port: number, request: HostileRequest, timeoutMs: number): Promise<HostileAnswer> {
  return new Promise((resolve, reject) => {
    const socket = connect({ port, host: '127.0.0.1' })
    let said = ''
    const timer = setTimeout(() => {
      socket.destroy()
      reject(new Error(`No answer for ${timeoutMs} ms: ${request.what}`))
    }, timeoutMs)
    const end = () => {
      clearTimeout(timer)
      socket.destroy()
      resolve({ status: Number(/^HTTP\/1\.[01] (\d{3})/.exec(said)?.[1] ?? 0), text: said })
    }
    socket.setEncoding('latin1')
    socket.on('data', (text) => {
      said += String(text)
      // An interim answer asks for the body, which is on its way anyhow.
      said = said.replace(/^HTTP\/1\.1 100 [^\r]*\r\n\r\n/, '')
      const head = said.indexOf('\r\n\r\n')
      if (head < 0) return
      const length = Number(/^content-length: (\d+)/im.exec(said.slice(0, head))?.[1] ?? 0)
      if (said.length >= head + 4 + length) end()
    })
    // The server may close before it was sent everything: its answer still counts.
    socket.on('error', () => undefined)
    socket.on('close', end)
    socket.on('connect', () => {
      for (const piece of request.pieces) socket.write(piece)
      if (request.isCut === true) socket.end()
    })
  })
}
