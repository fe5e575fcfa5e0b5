import { useCallback, useEffect, useMemo, useReducer, useRef } from 'preact/hooks'
import type { Action, WebMessage } from '#adapters/web/protocol.ts'
import { api, ApiError, connect, newId, sentenceOf, upload, type UploadFile } from './api.ts'
import { type ChatAction, type ChatState, EMPTY, type Pending, reduce } from './state.ts'

/** Pause before a failed load is repeated, milliseconds. */
const RETRY_MS = 2000

export interface NewPost {
  readonly channel: string
  readonly thread?: string | undefined
  readonly text: string
  readonly files: readonly UploadFile[]
}

/** All actions of the page; each shows its failure. The object is stable between renders. */
export interface ChatActions {
  readonly open: (channel: string) => void
  readonly loadEarlier: (channel: string) => Promise<void>
  readonly newChat: () => Promise<void>
  readonly createChannel: (name: string) => Promise<void>
  readonly changeChannel: (id: string, change: { readonly name?: string; readonly archived?: boolean }) => Promise<void>
  readonly deleteChannel: (id: string) => Promise<void>
  readonly send: (post: NewPost) => void
  readonly retry: (id: string) => void
  readonly discard: (id: string) => void
  readonly resend: (message: WebMessage) => void
  readonly edit: (message: WebMessage, text: string) => Promise<void>
  readonly remove: (message: WebMessage) => Promise<void>
  /** @param text typed in the button's dialog. */
  readonly press: (message: WebMessage, action: Action, text?: string) => Promise<void>
  readonly pin: (message: WebMessage) => Promise<void>
  readonly stop: (message: WebMessage) => Promise<void>
}

export interface Chat {
  readonly state: ChatState
  readonly actions: ChatActions
}

export function useChat(name: string): Chat {
  const [state, dispatch] = useReducer(reduce, EMPTY)
  const now = useRef(state)
  now.current = state
  useConnection(dispatch)
  useHistory(state, dispatch)
  const sending = useSending(dispatch, name)

  const open = useCallback((channel: string) => {
    dispatch({ type: 'open', channel })
    if (channelInAddress() !== channel) location.hash = channel
  }, [])
  useEffect(() => {
    const follow = () => dispatch({ type: 'open', channel: channelInAddress() })
    addEventListener('hashchange', follow)
    return () => removeEventListener('hashchange', follow)
  }, [])
  useEffect(() => {
    if (!state.loaded || state.channels.some(({ id }) => id === state.current)) return
    const wanted = state.channels.find(({ id }) => id === channelInAddress()) ?? state.channels[0]
    if (wanted) dispatch({ type: 'open', channel: wanted.id })
  }, [state.loaded, state.channels, state.current])

  const actions = useMemo(
    (): ChatActions => ({
      ...sending,
      open,
      async loadEarlier(channel: string) {
        const before = now.current.logs[channel]?.before
        if (before === null || before === undefined) return
        dispatch({ type: 'history', channel, history: await api.history(channel, before), older: true })
      },
      async newChat() {
        const channel = await api.newChat()
        dispatch({ type: 'events', events: [{ type: 'channel', channel }] })
        open(channel.id)
      },
      async createChannel(wanted: string) {
        const channel = await api.createChannel(wanted)
        dispatch({ type: 'events', events: [{ type: 'channel', channel }] })
        open(channel.id)
      },
      async changeChannel(id, change) {
        const channel = await api.changeChannel(id, change)
        dispatch({ type: 'events', events: [{ type: 'channel', channel }] })
      },
      async deleteChannel(id) {
        await api.deleteChannel(id)
        dispatch({ type: 'events', events: [{ type: 'channel-gone', channel: id }] })
      },
      edit: async (message: WebMessage, text: string) => void (await api.edit(message.id, text)),
      remove: async (message: WebMessage) => void (await api.remove(message.id)),
      async press(message: WebMessage, { id, value }: Action, text?: string) {
        await api.press(message.id, { action: id, value, name, text })
      },
      pin: async (message: WebMessage) => void (await api.pin(message.id, name)),
      stop: async (message: WebMessage) => void (await api.stop(message.channel, message.thread, name)),
    }),
    [name, open, sending],
  )
  return { state, actions }
}

/** `#general/<message>` opens a channel and scrolls to the message. */
function channelInAddress(): string {
  return decodeURIComponent(location.hash.slice(1).split('/', 1)[0] ?? '')
}

export function messageInAddress(): string | undefined {
  return location.hash.split('/')[1]
}

const pause = () =>
  new Promise((resolve) => {
    setTimeout(resolve, RETRY_MS)
  })

function useConnection(dispatch: (action: ChatAction) => void): void {
  useEffect(() => {
    /** Number of the newest load; no load has it once the page is closed. */
    let wanted = 0
    const loadState = async () => {
      wanted += 1
      const own = wanted
      for (let failed = false; wanted === own; failed = true) {
        const state = await api.state().catch(() => undefined)
        if (wanted !== own) return
        if (state !== undefined) {
          if (failed) dispatch({ type: 'connected', connected: true })
          dispatch({ type: 'state', state })
          return
        }
        dispatch({ type: 'connected', connected: false })
        await pause()
      }
    }
    const disconnect = connect({
      onConnected: (connected) => dispatch({ type: 'connected', connected }),
      onRefused: () => void loadState(),
      onEvents(events) {
        // A stream that was not resumed misses events: everything is reloaded.
        if (events.some((event) => event.type === 'hello' && !event.resumed)) void loadState()
        dispatch({ type: 'events', events })
      },
    })
    return () => {
      wanted += 1
      disconnect()
    }
  }, [dispatch])
}

function useHistory(state: ChatState, dispatch: (action: ChatAction) => void): void {
  const { current, loaded, channels, round } = state
  const missing = loaded && !state.logs[current] && channels.some(({ id }) => id === current)
  useEffect(() => {
    if (!missing) return undefined
    let wanted = true
    const load = async () => {
      for (let failed = false; wanted; failed = true) {
        dispatch({ type: 'asked', channel: current })
        const history = await api.history(current).catch(() => undefined)
        if (!wanted) return
        if (history !== undefined) {
          if (failed) dispatch({ type: 'connected', connected: true })
          dispatch({ type: 'history', channel: current, history, older: false })
          return
        }
        dispatch({ type: 'connected', connected: false })
        await pause()
      }
    }
    void load()
    return () => {
      wanted = false
    }
  }, [missing, current, round, dispatch])
}

/** Sending: files first, then the message that names them. Every step may be repeated with the same ids. */
function useSending(
  dispatch: (action: ChatAction) => void,
  name: string,
): Pick<ChatActions, 'send' | 'retry' | 'discard' | 'resend'> {
  const posts = useRef(new Map<string, NewPost>())
  /** Ids of uploaded files: a retry does not upload them again. */
  const arrived = useRef(new Set<string>())
  const author = useRef(name)
  author.current = name
  return useMemo(() => {
    const attempt = async (id: string, post: NewPost) => {
      const pending = toPending(id, post)
      dispatch({ type: 'pending', pending })
      try {
        const show = (progress: number) => dispatch({ type: 'pending', pending: { ...pending, progress } })
        await uploadAll(post.files, arrived.current, show)
        const { channel, thread, text } = post
        const files = post.files.map((file) => file.id)
        const message = await api.post(channel, { id, text, thread, files, name: author.current })
        dispatch({ type: 'events', events: [{ type: 'message', message }] })
        forget(id)
      } catch (error) {
        // The server deletes unused uploads after a day: the next retry uploads them again.
        if (error instanceof ApiError && error.code === 'upload-missing') forgetUploads(post)
        const failure = sentenceOf(error)
        dispatch({ type: 'pending', pending: { ...pending, failure } })
      }
    }
    const forgetUploads = (post: NewPost | undefined) => {
      for (const file of post?.files ?? []) arrived.current.delete(file.id)
    }
    const forget = (id: string) => {
      forgetUploads(posts.current.get(id))
      posts.current.delete(id)
      dispatch({ type: 'settled', id })
    }
    const resend = (message: WebMessage) => {
      const { channel, thread, text } = message
      const known = posts.current.get(message.id)
      // The files of a stored message are uploaded already: the server knows the message by its id.
      void attempt(message.id, known ?? { channel, thread, text, files: [] })
    }
    return {
      send(post: NewPost) {
        const id = newId()
        posts.current.set(id, post)
        void attempt(id, post)
      },
      retry(id: string) {
        const post = posts.current.get(id)
        if (post) void attempt(id, post)
      },
      discard: forget,
      resend,
    }
  }, [dispatch])
}

function toPending(id: string, { channel, thread, text, files }: NewPost): Pending {
  const sizes = files.map((file) => ({ name: file.name, sizeBytes: file.bytes.size }))
  return { id, channel, thread, text, files: sizes, ...(files.length > 0 && { progress: 0 }) }
}

async function uploadAll(
  files: readonly UploadFile[],
  arrived: Set<string>,
  onProgress: (share: number) => void,
): Promise<void> {
  const total = files.reduce((sum, { bytes }) => sum + bytes.size, 0)
  let done = 0
  for (const file of files) {
    // One after another: this keeps the order and does not share a slow connection.
    if (!arrived.has(file.id))
      await upload(file, (sent) => onProgress(total === 0 ? 1 : Math.min(1, (done + sent) / total)))
    arrived.add(file.id)
    done += file.bytes.size
  }
}
