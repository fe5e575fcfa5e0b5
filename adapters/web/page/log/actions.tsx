import type { VNode } from 'preact'
import { useState } from 'preact/hooks'
import type { Action, WebMessage } from '../../protocol.ts'
import { ApiError } from '../chat/api.ts'
import { PromptDialog } from '../shell/prompt-dialog.tsx'
import { texts } from '../texts.ts'
import type { ChatActions } from '../chat/use-chat.ts'
import { Icon } from '../shell/icons.tsx'
import { OwnButtons, type OwnMode } from './own-message.tsx'
import type { OpenReference } from '../references/reference-panel.tsx'

/** More buttons than this are drawn smaller. */
const FEW = 4

/** The buttons under a message. One that asks for a text opens a dialog first. */
export function Actions({ message, actions }: { message: WebMessage; actions: ChatActions }): VNode {
  const [busy, setBusy] = useState(false)
  const [problem, setProblem] = useState('')
  const [asking, setAsking] = useState<Action>()
  const press = async (action: Action) => {
    setBusy(true)
    setProblem('')
    try {
      await actions.press(message, action)
    } catch (error) {
      setProblem(error instanceof ApiError ? error.message : texts.unreachable)
    }
    setBusy(false)
  }
  const small = message.actions.length > FEW ? 'small' : ''
  return (
    <div class="actions" role="group" aria-label={texts.actions}>
      {message.actions.map((action) => (
        <button
          key={`${action.id} ${action.value}`}
          type="button"
          class={`button ${small} ${action.style ?? ''}`}
          disabled={busy}
          aria-haspopup={action.prompt && 'dialog'}
          onClick={() => (action.prompt ? setAsking(action) : void press(action))}
        >
          {action.label}
        </button>
      ))}
      {problem && (
        <p class="problem" role="alert">
          {problem}
        </p>
      )}
      {asking?.prompt && (
        <PromptDialog
          prompt={asking.prompt}
          begin={asking.prompt.prefill === 'message' ? message.text : ''}
          danger={asking.style === 'danger'}
          onSend={(text) => actions.press(message, asking, text)}
          onDone={() => setAsking(undefined)}
        />
      )}
    </div>
  )
}

interface MessageButtonsProps {
  readonly message: WebMessage
  readonly actions: ChatActions
  readonly onMode: (mode: OwnMode) => void
}

/** Tools of a message: save it (📌), edit and delete one's own. Visible on hover or focus. */
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

/** Props that every message needs to render. */
export interface MessageTools {
  readonly actions: ChatActions
  readonly openReference: OpenReference | undefined
  readonly onReference: (reference: OpenReference) => void
}
