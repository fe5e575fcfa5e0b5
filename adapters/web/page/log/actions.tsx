import type { VNode } from 'preact'
import { useState } from 'preact/hooks'
import type { Action, WebMessage } from '../../protocol.ts'
import { ApiError } from '../chat/api.ts'
import { PromptDialog } from '../shell/prompt-dialog.tsx'
import { texts } from '../texts.ts'
import type { ChatActions } from '../chat/use-chat.ts'

/** More than these are drawn smaller, so that a long row stays a row of choices and not a wall. */
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
