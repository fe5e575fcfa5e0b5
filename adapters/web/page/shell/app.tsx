import type { VNode } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { Composer } from '../composer/composer.tsx'
import { DropTarget } from '../composer/drop-target.tsx'
import { EmptyState } from './empty-state.tsx'
import { MessageLog } from '../log/message-log.tsx'
import { type OpenReference, ReferencePanel } from '../references/reference-panel.tsx'
import { Sidebar } from './sidebar.tsx'
import { texts } from '../texts.ts'
import { useChat } from '../chat/use-chat.ts'
import { useComposer } from '../composer/use-composer.ts'
import { useDisplayName } from './name-form.tsx'
import type { WebChannel } from '../../protocol.ts'
import { Icon } from './icons.tsx'

export function App(): VNode {
  const [name, setName] = useDisplayName()
  const chat = useChat(name)
  const [menuOpen, setMenuOpen] = useState(false)
  const [reference, setReference] = useState<OpenReference>()
  const { state } = chat
  useEffect(() => setReference(undefined), [state.current])
  const channel = state.channels.find(({ id }) => id === state.current)
  const composer = useComposer(channel, state.maxFileBytes, chat.actions.send)
  const log = channel && state.logs[channel.id]
  const pending = state.pending.filter((message) => message.channel === channel?.id)
  const empty = log?.messages.length === 0 && pending.length === 0
  const label = channel ? (channel.direct ? channel.name : `#${channel.name}`) : 'Footbridge'
  useEffect(() => {
    document.title = label === 'Footbridge' ? label : `${label} · Footbridge`
  }, [label])
  return (
    <div class={`app ${reference ? 'with-panel' : ''}`}>
      <Sidebar chat={chat} name={name} onName={setName} open={menuOpen} onClose={() => setMenuOpen(false)} />
      <main class="main" aria-busy={!log}>
        <Header channel={channel} label={label} menuOpen={menuOpen} onMenu={() => setMenuOpen(!menuOpen)} />
        {!state.connected && (
          <p class="connection" role="status">
            {texts.connectionLost}
          </p>
        )}
        <DropTarget label={label} onFiles={composer.addFiles} onProblem={composer.setProblem}>
          {channel && log && empty && <EmptyState channel={channel} onFiles={composer.addFiles} />}
          {channel && log && !empty && (
            <MessageLog
              key={channel.id}
              actions={chat.actions}
              channel={channel}
              label={label}
              log={log}
              pending={pending}
              statuses={state.statuses.filter((status) => status.channel === channel.id)}
              onReply={composer.replyTo}
              onReference={setReference}
              openReference={reference}
            />
          )}
          {channel && <Composer composer={composer} channel={channel} label={label} />}
        </DropTarget>
      </main>
      {reference && <ReferencePanel open={reference} onOpen={setReference} onClose={() => setReference(undefined)} />}
    </div>
  )
}

interface HeaderProps {
  readonly channel: WebChannel | undefined
  readonly label: string
  readonly menuOpen: boolean
  readonly onMenu: () => void
}

function Header({ channel, label, menuOpen, onMenu }: HeaderProps): VNode {
  return (
    <header class="header">
      <button
        type="button"
        class="icon-button menu-button"
        aria-label={texts.openMenu}
        aria-expanded={menuOpen}
        aria-controls="sidebar"
        onClick={onMenu}
      >
        <Icon name="menu" />
      </button>
      <div class="header-text">
        <h1>{label}</h1>
        {channel && <p>{channel.direct ? texts.directHint : texts.channelHint}</p>}
      </div>
    </header>
  )
}
