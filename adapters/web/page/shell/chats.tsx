import type { ComponentChildren, VNode } from 'preact'
import type { WebChannel } from '#adapters/web/protocol.ts'
import { Icon } from '../parts/icons.tsx'
import { texts } from '../texts.ts'
import type { Chat } from '../chat/use-chat.ts'

/** More chats than these are folded. */
const NEWEST_CHATS = 8

interface ChatsProps {
  readonly chat: Chat
  readonly entry: (channel: WebChannel) => VNode
  readonly onDone: () => void
}

/** *New chat*, and the chats, newest first. One that nobody has written in is the button itself. */
export function Chats({ chat, entry, onDone }: ChatsProps): VNode {
  const { channels, current } = chat.state
  const all = channels.filter(({ direct }) => direct)
  const begun = all.filter(({ name }) => name !== '').toSorted((a, b) => (b.usedAt ?? 0) - (a.usedAt ?? 0))
  const older = begun.slice(NEWEST_CHATS)
  const isNew = all.some(({ id, name }) => id === current && name === '')
  return (
    <>
      <button
        type="button"
        class="channel quiet"
        aria-current={isNew ? 'page' : undefined}
        onClick={() => void chat.actions.newChat().then(onDone, () => {})}
      >
        <span class="channel-sign" aria-hidden="true">
          <Icon name="edit" />
        </span>
        {texts.newChat}
      </button>
      {begun.length > 0 && <h2>{texts.chats}</h2>}
      <ul>{begun.slice(0, NEWEST_CHATS).map(entry)}</ul>
      <Folded summary={texts.olderChats(older.length)} channels={older} current={current}>
        {older.map(entry)}
      </Folded>
    </>
  )
}

interface FoldedProps {
  readonly summary: string
  readonly channels: readonly WebChannel[]
  readonly current: string
  readonly children: ComponentChildren
}

/** Channels or chats out of the way, unless one of them is open. */
export function Folded({ summary, channels, current, children }: FoldedProps): VNode | null {
  if (channels.length === 0) return null
  return (
    <details class="archived" open={channels.some(({ id }) => id === current)}>
      <summary>{summary}</summary>
      <ul>{children}</ul>
    </details>
  )
}
