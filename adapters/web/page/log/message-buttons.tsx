import type { VNode } from 'preact'
import { useState } from 'preact/hooks'
import type { WebMessage } from '../../protocol.ts'
import { Icon } from '../shell/icons.tsx'
import { OwnButtons, type OwnMode } from './own-message.tsx'
import { texts } from '../texts.ts'
import type { ChatActions } from '../chat/use-chat.ts'

interface MessageButtonsProps {
  readonly message: WebMessage
  readonly actions: ChatActions
  readonly onMode: (mode: OwnMode) => void
}

/** What can be done with a message: keep it; edit and delete one's own. Seen when it is pointed at or focused. */
export function MessageButtons({ message, actions, onMode }: MessageButtonsProps): VNode | null {
  const own = !message.ours
  const worthKeeping = own || message.kind === 'answer'
  if (!worthKeeping || message.streaming) return null
  return (
    <span class="own-buttons">
      <PinButton message={message} actions={actions} />
      {own && <OwnButtons onMode={onMode} />}
    </span>
  )
}

function PinButton({ message, actions }: { message: WebMessage; actions: ChatActions }): VNode {
  const [state, setState] = useState<'idle' | 'busy' | 'done' | 'failed'>('idle')
  const pin = async () => {
    setState('busy')
    try {
      await actions.pin(message)
      setState('done')
    } catch {
      setState('failed')
    }
  }
  const label = { idle: texts.pin, busy: texts.pin, done: texts.pinned, failed: texts.pinFailed }[state]
  return (
    <button
      type="button"
      class={`icon-button small pin ${state}`}
      aria-label={label}
      title={label}
      aria-disabled={state === 'busy' || state === 'done'}
      onClick={() => {
        if (state === 'idle' || state === 'failed') void pin()
      }}
    >
      <Icon name={state === 'done' ? 'check' : state === 'failed' ? 'alert' : 'pin'} />
    </button>
  )
}
