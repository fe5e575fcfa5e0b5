import { createHash } from 'node:crypto'
import type { Context, Hono } from 'hono'
import { z } from 'zod'
import { toDisplayName } from '#lib/file-kind.ts'
import { FILE_POLICY, RequestFailure } from '../responses.ts'
import { kindOfUpload } from '#adapters/shared/files.ts'
import { tooLarge } from '../store/upload-bytes.ts'
import { sessionToken } from './login.ts'
import { clientId, invalid, type RouteServices } from './requests.ts'

const query = z.object({
  name: z.string().min(1).max(500),
  /** Only recordings made on the page say `voice`; any other kind follows from type and name. */
  kind: z.literal('voice').optional(),
  durationMs: z.coerce.number().int().nonnegative().optional(),
})

/** One file per request, streamed to disk. */
export function addUploadRoutes(app: Hono, { store, maxFileBytes, log }: RouteServices): void {
  app.put('/api/web/uploads/:id', async (context) => {
    const id = clientId.safeParse(context.req.param('id'))
    const asked = query.safeParse(context.req.query())
    if (!id.success || !asked.success) {
      throw invalid()
    }
    const known = await store.uploads.get(id.data)
    if (known) return context.json(known)
    const sizeBytes = Number(context.req.header('content-length') ?? maxFileBytes)
    if (sizeBytes > maxFileBytes) throw tooLarge(maxFileBytes)
    const name = baseName(asked.data.name)
    const mimeType = context.req.header('content-type') ?? ''
    const upload = {
      id: id.data,
      name,
      mimeType,
      kind: asked.data.kind ?? kindOfUpload(name, mimeType),
      durationMs: asked.data.durationMs,
    }
    const bytes = context.req.raw.body ?? new Blob([]).stream()
    try {
      return context.json(
        await store.uploads.write(upload, bytes, maxFileBytes, { owner: personOf(context), sizeBytes }),
        201,
      )
    } catch (error) {
      if (error instanceof RequestFailure) throw error
      // Most often the browser was closed; else the disk is full.
      log.warn(
        { err: error, sizeBytes: context.req.header('content-length') },
        'An upload did not arrive whole: its page was closed, or the disk is full',
      )
      throw new RequestFailure(
        503,
        'upload-failed',
        `${name} did not arrive whole. Try again; if it stays, see whether the disk of Footbridge is full.`,
      )
    }
  })

  app.get('/api/web/files/:id', (context) => sendFile(context, store.uploads))
}

/** The session without its secret; on loopback without a password all are one person. */
const personOf = (context: Context): string =>
  createHash('sha256')
    .update(sessionToken(context) ?? '')
    .digest('base64url')

async function sendFile(context: Context, uploads: RouteServices['store']['uploads']): Promise<Response> {
  const id = context.req.param('id') ?? ''
  const file = await uploads.get(id)
  const bytes = file && (await uploads.read(id))
  if (!file || !bytes) throw new RequestFailure(404, 'not-found', 'This file is not here any more.')
  const type = /^audio\/[\w.+-]+/.exec(file.mimeType)?.[0] ?? 'application/octet-stream'
  return new Response(bytes, {
    headers: {
      'content-type': type,
      'content-length': String(file.sizeBytes),
      'content-disposition': `attachment; filename*=UTF-8''${encodeFileName(file.name)}`,
      'content-security-policy': FILE_POLICY,
      'cache-control': 'private, no-store',
    },
  })
}

/** RFC 8187: also encodes characters that `encodeURIComponent` leaves but the header must not contain. */
export function encodeFileName(name: string): string {
  return encodeURIComponent(name).replaceAll(/['()*]/g, (char) => `%${char.charCodeAt(0).toString(16)}`)
}

/** Some browsers send a path for a dropped folder's files. */
const baseName = (name: string): string => toDisplayName(name.split(/[/\\]/).findLast((part) => part !== '') ?? name)
