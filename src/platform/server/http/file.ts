import type { Context } from 'hono'
import type { Download } from '#platform/engine/api/files.ts'
import type { Environment } from '../routing.ts'

/** Responds with the bytes of a stored file; to HEAD with its headers alone. */
export async function respondWithFile(
  c: Context<Environment>,
  { content, sizeBytes }: Pick<Download, 'content' | 'sizeBytes'>,
  about: { readonly 'content-type': string; readonly 'content-disposition': string },
): Promise<Response> {
  // Stored content must never be shown as a page of this origin.
  const headers = { ...about, 'content-length': String(sizeBytes), 'x-content-type-options': 'nosniff' }
  if (c.req.method === 'GET') return c.body(content, 200, headers)
  await content.cancel()
  return c.body(null, 200, headers)
}
