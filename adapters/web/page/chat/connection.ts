import type { WebEvent } from '../../protocol.ts'

/** Pause before a connection that the server refused is tried again. The browser itself repeats lost ones sooner. */
const RETRY_MS = 2000

interface Listener {
  /** Events in order, those of one frame together. */
  readonly onEvents: (events: readonly WebEvent[]) => void
  readonly onConnected: (connected: boolean) => void
  /** The server refused the stream: it is stopping, or the session is over. */
  readonly onRefused: () => void
}

/** Listens to the server's events until the returned function is called. */
export function connect({ onEvents, onConnected, onRefused }: Listener): () => void {
  let source: EventSource
  let closed = false
  let waiting: WebEvent[] = []

  const flush = () => {
    const events = waiting
    waiting = []
    if (events.length > 0 && !closed) onEvents(events)
  }
  const open = () => {
    source = new EventSource('/api/web/events')
    source.addEventListener('open', () => onConnected(true))
    source.addEventListener('message', ({ data }: MessageEvent<string>) => {
      waiting.push(JSON.parse(data) as WebEvent)
      if (waiting.length > 1) return
      // A hidden page draws no frames, but its texts must go on growing.
      if (document.hidden) queueMicrotask(flush)
      else requestAnimationFrame(flush)
    })
    source.addEventListener('error', () => {
      onConnected(false)
      if (source.readyState !== EventSource.CLOSED || closed) return
      onRefused()
      setTimeout(() => !closed && open(), RETRY_MS)
    })
  }
  open()
  return () => {
    closed = true
    source.close()
  }
}
