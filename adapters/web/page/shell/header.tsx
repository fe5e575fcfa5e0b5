import type { VNode } from 'preact'
import type { WebChannel } from '../../protocol.ts'
import { Icon } from './icons.tsx'
import { texts } from '../texts.ts'

interface HeaderProps {
  readonly channel: WebChannel | undefined
  readonly label: string
  readonly menuOpen: boolean
  readonly onMenu: () => void
}

export function Header({ channel, label, menuOpen, onMenu }: HeaderProps): VNode {
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
