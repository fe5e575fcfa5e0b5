import type { VNode } from 'preact'
import { useState } from 'preact/hooks'
import type { WebChannel } from '#adapters/web/protocol.ts'
import type { ChatActions } from '../chat/use-chat.ts'
import { texts } from '../texts.ts'
import { ChannelDialog } from '../dialogs/channel-dialog.tsx'
import { Icon } from '../parts/icons.tsx'

interface HeaderProps {
  readonly channel: WebChannel | undefined
  readonly label: string
  readonly actions: ChatActions
  readonly menuOpen: boolean
  readonly onMenu: () => void
  readonly filesOpen: boolean
  readonly onFiles: () => void
}

/** Name of the channel, its files, its settings. */
export function Header({ channel, label, actions, menuOpen, onMenu, filesOpen, onFiles }: HeaderProps): VNode {
  const [changing, setChanging] = useState(false)
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
      {channel && (
        <div class="header-buttons">
          <button
            type="button"
            class="icon-button"
            aria-label={channel.direct ? texts.yourFiles : texts.files}
            title={channel.direct ? texts.yourFiles : texts.files}
            aria-expanded={filesOpen}
            onClick={onFiles}
          >
            <Icon name="files" />
          </button>
          <button
            type="button"
            class="icon-button"
            aria-label={channel.direct ? texts.changeChat : texts.changeChannel}
            title={channel.direct ? texts.changeChat : texts.changeChannel}
            aria-haspopup="dialog"
            onClick={() => setChanging(true)}
          >
            <Icon name="more" />
          </button>
        </div>
      )}
      {changing && channel && <ChannelDialog channel={channel} actions={actions} onDone={() => setChanging(false)} />}
    </header>
  )
}
