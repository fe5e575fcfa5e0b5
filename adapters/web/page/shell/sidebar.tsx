import type { VNode } from 'preact'
import { useLayoutEffect, useRef, useState } from 'preact/hooks'
import type { WebChannel } from '../../protocol.ts'
import { api, ApiError } from '../chat/api.ts'
import { Icon } from './icons.tsx'
import { NameForm } from './name-form.tsx'
import { texts } from '../texts.ts'
import type { Chat } from '../chat/use-chat.ts'

interface SidebarProps {
  readonly chat: Chat
  readonly name: string
  readonly onName: (name: string) => void
  /** Used on narrow screens only; elsewhere the sidebar is always visible. */
  readonly open: boolean
  readonly onClose: () => void
}

export function Sidebar({ chat, name, onName, open, onClose }: SidebarProps): VNode {
  const { state } = chat
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
        <h2>{texts.direct}</h2>
        <ul>{state.channels.filter(({ direct }) => direct).map(entry)}</ul>
        <h2>{texts.channels}</h2>
        <ul>{state.channels.filter(({ direct }) => !direct).map(entry)}</ul>
        <NewChannel chat={chat} onDone={onClose} />
        <div class="sidebar-foot">
          <NameForm name={name} onName={onName} />
          {state.login && (
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
      </nav>
    </>
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
          {channel.direct ? <Icon name="bridge" /> : '#'}
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
  const [failure, setFailure] = useState('')
  const input = useRef<HTMLInputElement>(null)
  useLayoutEffect(() => {
    if (open) input.current?.focus()
  }, [open])
  const create = async (event: Event) => {
    event.preventDefault()
    try {
      await chat.actions.createChannel(input.current?.value ?? '')
      setOpen(false)
      setFailure('')
      onDone()
    } catch (error) {
      setFailure(error instanceof ApiError ? error.message : texts.unreachable)
    }
  }
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
  return (
    <form class="small-form" onSubmit={(event) => void create(event)}>
      <label for="channel-name">{texts.channelName}</label>
      <input id="channel-name" ref={input} maxLength={60} required autocomplete="off" />
      {failure && (
        <p class="problem" role="alert">
          {failure}
        </p>
      )}
      <div class="form-buttons">
        <button type="submit" class="button primary">
          {texts.create}
        </button>
        <button type="button" class="button" onClick={() => setOpen(false)}>
          {texts.cancel}
        </button>
      </div>
    </form>
  )
}
