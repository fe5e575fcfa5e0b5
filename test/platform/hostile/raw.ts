/** Pieces that hostile requests are put together from. */

export const management = '/collections/api/v1'
export const collections = `${management}/collection`
export const files = `${collections}/notes/files`

export type Headers = Readonly<Record<string, string>>

/** A well-formed head; the fault of the request is elsewhere. */
export function head(method: string, path: string, headers: Headers = {}): string {
  const lines = Object.entries({ host: '127.0.0.1', ...headers }).map(([name, value]) => `${name}: ${value}`)
  return [`${method} ${path} HTTP/1.1`, ...lines, '', ''].join('\r\n')
}

/** Head with the length of its body, and the body. */
export function whole(
  method: string,
  path: string,
  headers: Headers,
  body: string | Buffer,
): readonly (string | Buffer)[] {
  const length = String(Buffer.byteLength(body))
  return [head(method, path, { ...headers, 'content-length': length }), body]
}

const boundary = '----footbridge-hostile'

export const multipart = { 'content-type': `multipart/form-data; boundary=${boundary}` } as const

export interface Part {
  readonly name?: string
  /** Raw text of the parameter, quotes and all; undefined: a text field. */
  readonly file?: string
  readonly content: string | Buffer
}

export function toMultipart(parts: readonly Part[], options: { readonly open?: boolean } = {}): Buffer {
  const pieces = parts.flatMap(({ name = 'file', file, content }) => [
    `--${boundary}\r\ncontent-disposition: form-data; name="${name}"${file === undefined ? '' : `; filename="${file}"`}\r\n` +
      `${file === undefined ? '' : 'content-type: application/octet-stream\r\n'}\r\n`,
    content,
    '\r\n',
  ])
  const end = options.open === true ? [] : [`--${boundary}--\r\n`]
  return Buffer.concat([...pieces, ...end].map((piece) => (typeof piece === 'string' ? Buffer.from(piece) : piece)))
}
