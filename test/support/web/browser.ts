import { randomUUID } from 'node:crypto'
import type { WebAttachment, WebChannel, WebEvent, WebHistory, WebMessage, WebPost } from '#adapters/web/protocol.ts'

export const ORIGIN = 'http://127.0.0.1:3000'

/** A browser that calls the `fetch` of the adapter, without a port. */
export function createBrowser(
  fetch: (request: Request) => Promise<Response>,
  { origin = ORIGIN, cookie }: { readonly origin?: string; readonly cookie?: string } = {},
) {
  const request = (path: string, init: RequestInit = {}) => {
    const headers = new Headers(init.headers)
    if (init.method && init.method !== 'GET' && !headers.has('origin')) headers.set('origin', origin)
    if (!headers.has('host')) headers.set('host', new URL(origin).host)
    if (cookie) headers.set('cookie', cookie)
    return fetch(new Request(`${origin}${path}`, { ...init, headers, redirect: 'manual' }))
  }
  const send = (method: string, path: string, body: object) =>
    request(path, { method, headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) })
  const post = (channel: string, message: Partial<WebPost>) =>
    send('POST', `/api/web/channels/${channel}/messages`, { id: randomUUID(), text: '', ...message })
  return {
    request,
    send,
    post,
    say: (channel: string, message: Partial<WebPost>) => read<WebMessage>(post(channel, message)),
    createChannel: (name: string) => read<WebChannel>(send('POST', '/api/web/channels', { name })),
    history: (channel: string, before?: string) =>
      read<WebHistory>(
        request(`/api/web/channels/${channel}/messages${before === undefined ? '' : `?before=${before}`}`),
      ),
    upload: (
      name: string,
      bytes: Uint8Array<ArrayBuffer>,
      { id = randomUUID(), type = '', query = '' }: { id?: string; type?: string; query?: string } = {},
    ) =>
      read<WebAttachment>(
        request(`/api/web/uploads/${id}?name=${encodeURIComponent(name)}${query}`, {
          method: 'PUT',
          body: bytes,
          ...(type && { headers: { 'content-type': type } }),
        }),
      ),
    events: async (lastEventId?: string) =>
      readEvents(await request('/api/web/events', lastEventId ? { headers: { 'last-event-id': lastEventId } } : {})),
  }
}

async function read<T>(response: Promise<Response>): Promise<T> {
  const answer = await response
  if (!answer.ok) throw new Error(`${answer.status} ${await answer.text()}`)
  return (await answer.json()) as T
}

/** Reads an event stream one event at a time. */
function readEvents(response: Response) {
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader()
  if (!reader) throw new Error('The event stream has no body.')
  let buffer = ''
  let lastId = ''
  const next = async (): Promise<WebEvent | undefined> => {
    for (;;) {
      const end = buffer.indexOf('\n\n')
      if (end >= 0) {
        const block = buffer.slice(0, end)
        buffer = buffer.slice(end + 2)
        const data = /^data: (.*)$/m.exec(block)?.[1]
        lastId = /^id: (.*)$/m.exec(block)?.[1] ?? lastId
        if (data !== undefined) return JSON.parse(data) as WebEvent
        continue
      }
      const { value, done } = await reader.read()
      if (done) return undefined
      buffer += value
    }
  }
  return {
    response,
    next,
    /** The next event of this type; others are passed over. */
    async nextOf<T extends WebEvent['type']>(type: T): Promise<Extract<WebEvent, { type: T }>> {
      for (;;) {
        const event = await next()
        if (!event) throw new Error(`The stream ended before a ${type} came.`)
        if (event.type === type) return event as Extract<WebEvent, { type: T }>
      }
    },
    lastId: () => lastId,
    close: () => reader.cancel(),
  }
}
