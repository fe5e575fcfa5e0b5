import type { VNode } from 'preact'
import { useLayoutEffect, useRef, useState } from 'preact/hooks'
import type { WebChannel } from '#adapters/web/protocol.ts'
import { api } from '../chat/api.ts'
import { MAX_NAME_CHARS } from '../dialogs/channel-dialog.tsx'
import { Icon } from '../parts/icons.tsx'
import { Chats, Folded } from './chats.tsx'
import { NameForm } from '../parts/name-form.tsx'
import { SmallForm } from '../parts/small-form.tsx'
import { texts } from '../texts.ts'
import type { Chat } from '../chat/use-chat.ts'

interface SidebarProps {
  readonly chat: Chat
  readonly name: string
  readonly onName: (name: string) => void
  /** Used on narrow screens only; elsewhere the sidebar is always visible. */
  readonly open: boolean
  readonly onClose: () => void
  readonly onSearch: () => void
  readonly onSettings: () => void
}

export function Sidebar({ chat, name, onName, open, onClose, onSearch, onSettings }: SidebarProps): VNode {
  const { state } = chat
  const channels = state.channels.filter(({ direct, archived: isAway }) => !direct && isAway !== true)
  const archived = state.channels.filter(({ archived: isAway }) => isAway === true)
  const first = useRef<HTMLElement>(null)
  useLayoutEffect(() => {
    if (open) first.current?.querySelector<HTMLElement>('[aria-current]')?.focus()
  }, [open])
  const show = (channel: WebChannel) => {
    chat.actions.open(channel.id)
    onClose()
  }
  const entry = (channel: WebChannel) => (
    <ChannelEntry
      key={channel.id}
      channel={channel}
      current={channel.id === state.current}
      unread={state.unread.includes(channel.id)}
      onOpen={() => show(channel)}
    />
  )
  return (
    <>
      {open && <div class="veil" onClick={onClose} />}
      <nav
        id="sidebar"
        ref={first}
        class={`sidebar ${open ? 'open' : ''}`}
        aria-label={texts.channels}
        onKeyDown={(event) => event.key === 'Escape' && onClose()}
      >
        <Brand onClose={onClose} />
        <SearchButton onSearch={onSearch} />
        <Chats chat={chat} entry={entry} onDone={onClose} />
        <h2>{texts.channels}</h2>
        <ul>{channels.map(entry)}</ul>
        <NewChannel chat={chat} onDone={onClose} />
        <Folded summary={texts.archived(archived.length)} channels={archived} current={state.current}>
          {archived.map(entry)}
        </Folded>
        <Foot name={name} onName={onName} onSettings={onSettings} login={state.login} />
      </nav>
    </>
  )
}

interface FootProps extends Pick<SidebarProps, 'name' | 'onName' | 'onSettings'> {
  readonly login: boolean
}

function Foot({ name, onName, onSettings, login }: FootProps): VNode {
  return (
    <div class="sidebar-foot">
      <NameForm name={name} onName={onName} />
      <button
        type="button"
        class="icon-button"
        aria-label={texts.settings}
        title={texts.settings}
        aria-haspopup="dialog"
        onClick={onSettings}
      >
        <Icon name="settings" />
      </button>
      {login && (
        <button
          type="button"
          class="icon-button"
          aria-label={texts.logOut}
          title={texts.logOut}
          onClick={() => void api.logOut().then(() => location.assign('/login'))}
        >
          <Icon name="lock" />
        </button>
      )}
    </div>
  )
}

function SearchButton({ onSearch }: { onSearch: () => void }): VNode {
  return (
    <button type="button" class="channel quiet" aria-keyshortcuts="Control+K" onClick={onSearch}>
      <span class="channel-sign" aria-hidden="true">
        <Icon name="search" />
      </span>
      {texts.search}
      <kbd aria-hidden="true">Ctrl K</kbd>
    </button>
  )
}

function Brand({ onClose }: { onClose: () => void }): VNode {
  return (
    <div class="brand">
      <span class="brand-mark">
        <Icon name="bridge" />
      </span>
      <span>Footbridge</span>
      <button type="button" class="icon-button menu-close" aria-label={texts.closeMenu} onClick={onClose}>
        <Icon name="close" />
      </button>
    </div>
  )
}

interface ChannelEntryProps {
  readonly channel: WebChannel
  readonly current: boolean
  readonly unread: boolean
  readonly onOpen: () => void
}

function ChannelEntry({ channel, current, unread, onOpen }: ChannelEntryProps): VNode {
  return (
    <li>
      <button type="button" class="channel" aria-current={current ? 'page' : undefined} onClick={onOpen}>
        <span class="channel-sign" aria-hidden="true">
          {channel.direct ? <Icon name="chat" /> : '#'}
        </span>
        <span class="channel-name">{channel.name}</span>
        {unread && (
          <span class="unread">
            <span class="hidden">{texts.unread}</span>
          </span>
        )}
      </button>
    </li>
  )
}

function NewChannel({ chat, onDone }: { chat: Chat; onDone: () => void }): VNode {
  const [open, setOpen] = useState(false)
  if (!open) {
    return (
      <button type="button" class="channel quiet" onClick={() => setOpen(true)}>
        <span class="channel-sign" aria-hidden="true">
          <Icon name="plus" />
        </span>
        {texts.newChannel}
      </button>
    )
  }
  const create = async (name: string) => {
    await chat.actions.createChannel(name)
    setOpen(false)
    onDone()
  }
  return (
    <SmallForm
      label={texts.channelName}
      submit={texts.create}
      maxLength={MAX_NAME_CHARS}
      onSubmit={create}
      onCancel={() => setOpen(false)}
    />
  )
}
