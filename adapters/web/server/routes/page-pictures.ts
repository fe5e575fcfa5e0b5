import type { Log } from '#bridge/port/platform.ts'
import { createLru } from '#lib/lru.ts'
import { RequestFailure } from '../responses.ts'

/** Draws a page of a PDF as a picture (PNG), with the words of the quote marked. */
export type DrawPage = (
  pdf: Blob,
  page: { readonly page: number; readonly quote: string },
  signal: AbortSignal,
) => Promise<Uint8Array<ArrayBuffer>>

/** Bytes of the pictures that are kept. */
const MAX_KEPT = 32_000_000
/** Pictures that are drawn or waited for at once. */
const MAX_WAITING = 4

export interface PagePictures {
  /**
   * The picture as it was drawn before, or a new one. The caller checks who may read the file.
   *
   * @throws {RequestFailure} 404: the page cannot be drawn; 503: too many are drawn
   */
  of(file: string, page: number, quote: string, open: () => Promise<Blob>): Promise<Uint8Array<ArrayBuffer>>
}

export function createPagePictures(draw: DrawPage, log: Log): PagePictures {
  const kept = createLru<Uint8Array<ArrayBuffer>>(MAX_KEPT, ({ byteLength }) => byteLength)
  const drawing = new Map<string, Promise<Uint8Array<ArrayBuffer>>>()

  async function drawn(key: string, page: number, quote: string, open: () => Promise<Blob>) {
    const pdf = await open()
    try {
      // A person who turns the pages fast comes back: a picture that was begun is kept.
      const picture = await draw(pdf, { page, quote }, AbortSignal.timeout(60_000))
      kept.set(key, picture)
      return picture
    } catch (error) {
      log.debug({ err: error }, 'A page could not be drawn for the web page; it shows the passage alone')
      throw new RequestFailure(404, 'no-picture', 'This page cannot be shown as a picture.')
    }
  }

  return {
    async of(file, page, quote, open) {
      const key = JSON.stringify([file, page, quote])
      const known = kept.get(key) ?? drawing.get(key)
      if (known !== undefined) return known
      if (drawing.size >= MAX_WAITING)
        throw new RequestFailure(503, 'busy', 'Too many pages are drawn at the moment. Try again in a few seconds.', 5)
      const picture = drawn(key, page, quote, open).finally(() => drawing.delete(key))
      drawing.set(key, picture)
      return picture
    },
  }
}
