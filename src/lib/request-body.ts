import type { Readable } from 'node:stream'

const messages = new WeakMap<Request, Readable>()

/** Notes from which message of Node a request was made. */
export const cameBy = (request: Request, message: Readable): void => void messages.set(request, message)

/**
 * The body of a request, each piece the memory into which it was read: `request.body` has a copy of each, and the
 * memory of a copied piece could not be given back at once (`release`). To be called once; then `request.body` is not
 * used. Null without a body.
 */
export function bodyOf(request: Request): ReadableStream<Uint8Array<ArrayBuffer>> | null {
  const message = messages.get(request)
  if (message === undefined || message.readableDidRead || message.destroyed) return request.body
  // A body that is given up leaves its connection open: why is to be answered.
  const pieces = message.iterator({ destroyOnReturn: false }) as AsyncIterator<Uint8Array<ArrayBuffer>>
  return new ReadableStream(
    {
      async pull(controller) {
        const { done, value } = await pieces.next()
        if (done === true) controller.close()
        else controller.enqueue(value)
      },
      cancel() {
        // It ends with the piece that it waits for.
        void pieces.return?.()
      },
    },
    { highWaterMark: 0 },
  )
}
