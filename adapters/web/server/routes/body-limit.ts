import type { MiddlewareHandler } from 'hono'

/**
 * Reads no more than `maxBytes` of a body; `refuse` says why. Hono's own limit rebuilds the request where no length is
 * announced (a proxy that passes a body on in pieces), which fails on the request objects of its Node server.
 */
export function limitBody(maxBytes: number, refuse: () => Error): MiddlewareHandler {
  return async (context, next) => {
    const { raw } = context.req
    const announced = context.req.header('content-length')
    if (announced !== undefined && Number(announced) > maxBytes) throw refuse()
    if (announced === undefined && raw.body !== null) {
      const body = await read(raw.body, maxBytes, refuse)
      context.req.raw = new Request(raw.url, { method: raw.method, headers: raw.headers, body })
    }
    await next()
  }
}

async function read(
  body: ReadableStream<Uint8Array>,
  maxBytes: number,
  refuse: () => Error,
): Promise<Uint8Array<ArrayBuffer>> {
  const pieces: Uint8Array[] = []
  let sizeBytes = 0
  for await (const piece of body) {
    sizeBytes += piece.byteLength
    if (sizeBytes > maxBytes) throw refuse()
    pieces.push(piece)
  }
  return Uint8Array.from(Buffer.concat(pieces))
}
