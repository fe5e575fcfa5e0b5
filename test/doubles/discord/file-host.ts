import { createHash } from 'node:crypto'
import type { ServerResponse } from 'node:http'
import type { DoubleFile } from './types.ts'
import type { World } from './world.ts'

export interface FileHost {
  payload(file: DoubleFile): Record<string, unknown>
  /** Every address given out until now stops working; those given out later work. */
  readonly expire: () => void
  /** Redirects the address of the bytes to another one. */
  readonly redirect: (fileId: string, location: string) => void
  serve(path: string, query: URLSearchParams, response: ServerResponse): number
}

/** The CDN: addresses signed with `ex`, `is` and `hm`, refused once they have expired or were tampered with. */
export function createFileHost(world: World, options: { origin(): string; ttlMs: number }): FileHost {
  let generation = 0
  const redirects = new Map<string, string>()
  const sign = (id: string, expires: string) =>
    createHash('sha256').update(`${generation}:${id}:${expires}`).digest('hex')

  return {
    payload(file) {
      const expires = Math.floor((Date.now() + options.ttlMs) / 1000).toString(16)
      const issued = Math.floor(Date.now() / 1000).toString(16)
      const query = `ex=${expires}&is=${issued}&hm=${sign(file.id, expires)}&`
      const filename = flatName(file.name)
      const path = `/attachments/${file.channelId}/${file.id}/${filename}`
      return {
        id: file.id,
        filename,
        ...(filename === file.name ? {} : { title: file.name.replace(/\.[^.]*$/, '') }),
        size: file.bytes.byteLength,
        url: `${options.origin()}${path}?${query}`,
        proxy_url: `${options.origin()}${path}?${query}`,
        content_type: file.contentType,
        ...(file.durationSecs === undefined ? {} : { duration_secs: file.durationSecs, waveform: 'AAAAAAAAAAAA' }),
      }
    },
    expire: () => {
      generation += 1
    },
    redirect: (fileId, location) => void redirects.set(fileId, location),
    serve(path, query, response) {
      const file = world.files.get(path.split('/')[3] ?? '')
      const expires = query.get('ex') ?? ''
      const valid =
        file !== undefined &&
        query.get('hm') === sign(file.id, expires) &&
        Number.parseInt(expires, 16) * 1000 > Date.now()
      if (!valid) {
        response.writeHead(404, { 'content-type': 'text/plain' }).end('This content is no longer available.')
        return 404
      }
      const location = redirects.get(file.id)
      if (location !== undefined) {
        response.writeHead(302, { location }).end()
        return 302
      }
      response.writeHead(200, { 'content-type': file.contentType, 'content-length': String(file.bytes.byteLength) })
      response.end(file.bytes)
      return 200
    },
  }
}

/** Discord flattens names, and keeps the true one, without its ending, as the title. */
function flatName(name: string): string {
  const flat = name
    .normalize('NFKD')
    .replaceAll(/\s+/g, '_')
    .replaceAll(/[^\w.-]/g, '')
  return flat.replace(/^\.+/, '') || 'unknown'
}
