import type { VNode } from 'preact'
import { useEffect, useMemo, useRef, useState } from 'preact/hooks'
import type { WebChannel, WebMessage, WebSearch, WebStatus } from '#adapters/web/protocol.ts'
import { Icon } from '../parts/icons.tsx'
import { MessageView, PendingView } from './message.tsx'
import type { OpenReference } from '../references/reference-panel.tsx'
import { type ChannelLog, type Pending, type Thread, toThreads } from '../chat/state.ts'
import { texts } from '../texts.ts'
import { type ChatActions, messageInAddress } from '../chat/use-chat.ts'
import type { MessageTools } from './actions.tsx'
import { useMeaningOffer } from './meaning-offer.tsx'
import { toPlainText } from './markdown.ts'

interface MessageLogProps {
  readonly actions: ChatActions
  readonly channel: WebChannel
  readonly label: string
  readonly log: ChannelLog
  readonly pending: readonly Pending[]
  readonly statuses: readonly WebStatus[]
  readonly openReference: OpenReference | undefined
  /** How files are searched. */
  readonly search: WebSearch | undefined
  readonly onReply: (thread: string, excerpt: string) => void
  readonly onReference: (reference: OpenReference) => void
  readonly onAsk: (question: string) => void
}

export function MessageLog(props: MessageLogProps): VNode {
  const { actions, channel, log, pending, statuses, onReference, openReference, onAsk, search } = props
  const threads = useMemo(() => toThreads(log.messages, pending, statuses), [log.messages, pending, statuses])
  const scroller = useStayAtEnd(threads)
  useAddressedMessage(log, () => actions.loadEarlier(channel.id))
  const announcement = useAnnouncement(log)
  const newestReceipt = log.messages.findLast(({ receipt }) => receipt.length > 0)?.id
  const offered = useMeaningOffer(log, search)
  const meaningOffer = useMemo(
    () => (offered === undefined || search === undefined ? undefined : { message: offered, search }),
    [offered, search],
  )
  const tools = useMemo(
    (): MessageTools => ({ actions, onReference, openReference, onAsk, newestReceipt, meaningOffer }),
    [actions, onReference, openReference, onAsk, newestReceipt, meaningOffer],
  )
  const general = statuses.find(({ thread }) => thread === undefined)?.text
  return (
    <div class="scroller" ref={scroller} tabIndex={0} role="region" aria-label={props.label}>
      {log.before !== null && (
        <button type="button" class="button earlier" onClick={() => void actions.loadEarlier(channel.id)}>
          {texts.earlier}
        </button>
      )}
      <div class="log" role="log" aria-live="off" aria-label={texts.messagesIn(props.label)} data-testid="log">
        {threads.map((thread) => (
          <ThreadView
            key={thread.id}
            thread={thread}
            direct={channel.direct}
            sending={pending}
            tools={tools}
            onReply={props.onReply}
          />
        ))}
        {general && <StatusLine text={general} />}
      </div>
      <p class="hidden" role="status" data-testid="announcement">
        {announcement}
      </p>
    </div>
  )
}

interface ThreadViewProps {
  readonly thread: Thread
  readonly direct: boolean
  /** All that this browser is sending. */
  readonly sending: readonly Pending[]
  readonly tools: MessageTools
  readonly onReply: (thread: string, excerpt: string) => void
}

function ThreadView({ thread, direct, sending, tools, onReply }: ThreadViewProps): VNode {
  const { root, replies, pending, status } = thread
  const alone = direct || (!root && replies.length === 0)
  const first = pending.find(({ id }) => id === thread.id)
  const later = pending.filter(({ id }) => id !== thread.id)
  const view = (message: WebMessage) => (
    <MessageView
      key={message.id}
      message={message}
      sending={sending.find(({ id }) => id === message.id)}
      tools={tools}
    />
  )
  return (
    <section class="thread" data-testid="thread">
      {root && view(root)}
      {!root && replies.length > 0 && <p class="quiet-line">{texts.earlierThread}</p>}
      {first && <PendingView pending={first} actions={tools.actions} />}
      {(replies.length > 0 || later.length > 0 || status) && (
        <div class="replies">
          {replies.map(view)}
          {later.map((message) => (
            <PendingView key={message.id} pending={message} actions={tools.actions} />
          ))}
          {status && <StatusLine text={status} />}
        </div>
      )}
      {!alone && (
        <button
          type="button"
          class="reply-button"
          data-testid="reply"
          onClick={() => onReply(thread.id, excerptOf(root))}
        >
          <Icon name="reply" />
          {texts.reply}
        </button>
      )}
    </section>
  )
}

function excerptOf(root: WebMessage | undefined): string {
  const words = root?.text.replace(/@footbridge\b/gi, '').trim()
  return words || root?.attachments[0]?.name || root?.author || texts.earlierThread
}

function StatusLine({ text }: { text: string }): VNode {
  return (
    <p class="status" data-testid="status">
      <span class="dots" aria-hidden="true">
        <i />
        <i />
        <i />
      </span>
      Footbridge {text}
    </p>
  )
}

/** Keeps the log scrolled to its end, unless the person has scrolled up. */
function useStayAtEnd(threads: readonly Thread[]) {
  const scroller = useRef<HTMLDivElement>(null)
  const atEnd = useRef(true)
  useEffect(() => {
    const box = scroller.current
    if (!box) return undefined
    const look = () => {
      atEnd.current = box.scrollHeight - box.scrollTop - box.clientHeight < 80
    }
    // Fonts, opened passages and a smaller window change the height without a new message.
    const follow = new ResizeObserver(() => {
      if (atEnd.current) box.scrollTop = box.scrollHeight
    })
    box.addEventListener('scroll', look, { passive: true })
    follow.observe(box)
    for (const child of box.children) follow.observe(child)
    return () => {
      box.removeEventListener('scroll', look)
      follow.disconnect()
    }
  }, [])
  const sent = threads.reduce((count, { pending }) => count + pending.length, 0)
  useEffect(() => {
    // One's own new message is always scrolled to.
    if (sent > 0) atEnd.current = true
    const box = scroller.current
    if (box && atEnd.current && !messageInAddress()) box.scrollTop = box.scrollHeight
  }, [sent])
  return scroller
}

/** A permalink brings its message into view, and has earlier messages loaded until it is there. */
function useAddressedMessage(log: ChannelLog, loadEarlier: () => Promise<void>): void {
  const shown = useRef('')
  const go = useRef(() => {})
  go.current = () => {
    const id = messageInAddress()
    if (!id || shown.current === id) return
    const target = document.getElementById(`m-${id}`)
    if (target) {
      shown.current = id
      target.scrollIntoView({ block: 'center' })
      target.focus()
    } else if (log.before !== null) void loadEarlier().catch(() => {})
  }
  useEffect(() => go.current(), [log])
  useEffect(() => {
    const again = () => {
      shown.current = ''
      go.current()
    }
    addEventListener('hashchange', again)
    return () => removeEventListener('hashchange', again)
  }, [])
}

/**
 * The words that a screen reader says: those of each new message of Footbridge, once it is complete, and how files end.
 * The log itself is not live: it would be read with its buttons and marks.
 */
function useAnnouncement(log: ChannelLog): string {
  const [announcement, setAnnouncement] = useState('')
  const said = useRef<ReadonlyMap<string, string>>(undefined)
  useEffect(() => {
    const before = said.current
    const now = new Map(log.messages.filter(({ ours }) => ours).map((message) => [message.id, spokenOnce(message)]))
    said.current = now
    const news = [...now].filter(([id, words]) => words !== '' && before?.get(id) !== words)
    // Messages from before the channel was opened are read by going there.
    const first = log.messages.find(({ id }) => before?.has(id))?.seq ?? Infinity
    const isNew = ([id]: readonly [string, string]) => (log.messages.find((one) => one.id === id)?.seq ?? 0) >= first
    const words = before === undefined ? [] : (before.size === 0 ? news : news.filter(isNew)).map(([, each]) => each)
    if (words.length > 0) setAnnouncement(words.join('\n'))
  }, [log.messages])
  return announcement
}

/** Words by message. A changed message is another object, so only changed ones are read again. */
const spokenWords = new WeakMap<WebMessage, string>()

function spokenOnce(message: WebMessage): string {
  const words = spokenWords.get(message) ?? spoken(message)
  spokenWords.set(message, words)
  return words
}

function spoken({ streaming, kind, text, receipt }: WebMessage): string {
  if (streaming) return texts.answering
  if (receipt.length > 0) {
    const ended = receipt.filter(({ state }) => state === 'ready' || state === 'failed')
    return ended
      .map(({ file, state, note }) => `${file}: ${[texts.states[state], note].filter(Boolean).join(', ')}`)
      .join('. ')
  }
  return (kind === 'answer' ? texts.answered : '') + toPlainText(text)
}
