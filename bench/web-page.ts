import { randomUUID } from 'node:crypto'
import { EventSourceParserStream } from 'eventsource-parser/stream'
import type { WebChannel, WebEvent, WebMessage, WebState } from '#adapters/web/protocol.ts'

/** The web page without a browser: the requests that it makes. */
export interface WebPage {
  /** Drops a file into the first channel and resolves with its receipt when all in it is ready or failed. */
  drop(name: string, mimeType: string, bytes: Uint8Array): Promise<WebMessage>
  /** Asks in the first channel and resolves with the whole answer. */
  ask(text: string): Promise<WebMessage>
}

const settled = new Set(['ready', 'failed', 'removed'])

export async function openWebPage(url: string): Promise<WebPage> {
  async function call<Answer>(method: string, path: string, body?: string | Blob, type = 'application/json') {
    const init = body === undefined ? {} : { body, headers: { 'content-type': type } }
    const response = await fetch(`${url}/api/web/${path}`, { method, ...init })
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`)
    return (await response.json()) as Answer
  }
  const { channels } = await call<WebState>('GET', 'state')
  const channel = channels.find(({ direct }) => !direct) ?? (await newChannel())

  function newChannel(): Promise<WebChannel> {
    return call<WebChannel>('POST', 'channels', JSON.stringify({ name: 'bench' }))
  }

  async function post(text: string, files: readonly string[]): Promise<string> {
    const id = randomUUID()
    await call('POST', `channels/${channel.id}/messages`, JSON.stringify({ id, text, files }))
    return id
  }

  /** Reads the events of the page until the wanted message is under the posted one. */
  async function follow(act: () => Promise<string>, isWanted: (message: WebMessage) => boolean) {
    const leave = new AbortController()
    const { body } = await fetch(`${url}/api/web/events`, { signal: leave.signal })
    const events = (body ?? new ReadableStream())
      .pipeThrough(new TextDecoderStream())
      .pipeThrough(new EventSourceParserStream())
    try {
      const asked = await act()
      for await (const { data } of events) {
        const event = JSON.parse(data) as WebEvent
        if (event.type === 'message' && event.message.replyTo === asked && isWanted(event.message)) {
          return event.message
        }
      }
    } finally {
      leave.abort()
    }
    throw new Error('The events of the page ended too soon.')
  }

  return {
    drop: (name, mimeType, bytes) =>
      follow(
        async () => {
          const upload = randomUUID()
          await call(
            'PUT',
            `uploads/${upload}?name=${encodeURIComponent(name)}`,
            new Blob([Buffer.from(bytes)]),
            mimeType,
          )
          return post('', [upload])
        },
        ({ receipt }) => receipt.length > 0 && receipt.every(({ state }) => settled.has(state)),
      ),
    ask: (text) =>
      follow(
        () => post(`@footbridge ${text}`, []),
        (message) => message.kind !== 'receipt' && !message.streaming && message.text !== '',
      ),
  }
}
