import type { VNode } from 'preact'
import { useState } from 'preact/hooks'
import { quotedWords } from '#adapters/shared/outgoing.ts'
import type { Action, WebMessage, WebSearch } from '#adapters/web/protocol.ts'
import { sentenceOf } from '../chat/api.ts'
import { PromptDialog } from '../dialogs/prompt-dialog.tsx'
import { texts } from '../texts.ts'
import type { ChatActions } from '../chat/use-chat.ts'
import { CopyButton } from '../parts/copy-button.tsx'
import { Icon, type IconName } from '../parts/icons.tsx'
import { OwnButtons, type OwnMode } from './own-message.tsx'
import type { OpenReference } from '../references/reference-panel.tsx'

/** More buttons than this are drawn smaller. */
const FEW = 4

/** Icons and names of the buttons under an answer, some of them with the name as a word; an action of another id is drawn with its label. */
const KNOWN: Readonly<Record<string, readonly [icon: IconName, name: string, isSaid?: true]>> = {
  'vote.up': ['up', texts.voteUp],
  'vote.down': ['down', texts.voteDown],
  'say.another': ['again', texts.another, true],
  'say.shorter': ['shorter', texts.shorter, true],
  'say.longer': ['longer', texts.longer, true],
  'answer.speak': ['speak', texts.readAloud],
}

interface ActionsProps {
  readonly message: WebMessage
  /** Buttons to draw; the message may have others elsewhere. */
  readonly shown: readonly Action[]
  readonly actions: ChatActions
}

/** The buttons under a message, under an answer as one slim row that begins with Copy. */
export function Actions({ message, shown, actions }: ActionsProps): VNode | null {
  const { busy, problem, press, asking, endAsking } = usePress(message, actions)
  const isAnswer = message.kind === 'answer'
  const copies = isAnswer && !message.streaming && message.text !== ''
  if (shown.length === 0 && !copies) return null
  const small = shown.length > FEW ? 'small' : ''
  return (
    <div class={isAnswer ? 'actions slim' : 'actions'} role="group" aria-label={texts.actions}>
      {copies && <CopyButton text={message.text} />}
      {shown.map((action) => (
        <ActionButton
          key={`${action.id} ${action.value}`}
          action={action}
          message={message}
          look={isAnswer ? '' : `button ${small} ${action.style ?? ''}`}
          disabled={busy}
          onPress={() => press(action)}
        />
      ))}
      {problem && (
        <p class="problem" role="alert">
          {problem}
        </p>
      )}
      {asking?.prompt && (
        <PromptDialog
          prompt={asking.prompt}
          begin={asking.prompt.prefill === 'message' ? quotedWords(message.text) : ''}
          danger={asking.style === 'danger'}
          optional={asking.group !== undefined}
          onSend={(text) => actions.press(message, asking, text)}
          onDone={endAsking}
        />
      )}
    </div>
  )
}

/** Pressing a button; one that asks for a text opens a dialog first. */
export function usePress(message: WebMessage, actions: ChatActions) {
  const [busy, setBusy] = useState(false)
  const [problem, setProblem] = useState('')
  const [asking, setAsking] = useState<Action>()
  const carryOut = async (action: Action) => {
    setBusy(true)
    setProblem('')
    try {
      await actions.press(message, action)
    } catch (error) {
      setProblem(sentenceOf(error))
    }
    setBusy(false)
  }
  const press = (action: Action) => (action.prompt ? setAsking(action) : void carryOut(action))
  return { busy, problem, press, asking, endAsking: () => setAsking(undefined) }
}

interface ActionButtonProps {
  readonly action: Action
  readonly message: WebMessage
  /** Classes of a button; empty: it is in the slim row. */
  readonly look: string
  readonly disabled: boolean
  readonly onPress: () => void
}

function ActionButton({ action, message, look, disabled, onPress }: ActionButtonProps): VNode {
  const { id, label, value, group, style, prompt } = action
  const { pressed } = message
  const isPressed = pressed?.action === id && pressed.value === value
  const known = look === '' ? KNOWN[id] : undefined
  const quiet = style === 'primary' ? 'button small primary' : `quiet-button ${isPressed ? 'pressed' : ''}`
  return (
    <button
      type="button"
      class={look || quiet}
      disabled={disabled}
      aria-haspopup={prompt && 'dialog'}
      aria-pressed={group === undefined ? undefined : isPressed}
      aria-label={known?.[1]}
      title={known?.[1]}
      onClick={onPress}
    >
      {known ? <Icon name={known[0]} /> : label}
      {known?.[2] && known[1]}
    </button>
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
  /** Sends a question as the person's own, in the thread of the message. */
  readonly onAsk: (question: string) => void
  /** The newest receipt of the channel: it suggests questions. */
  readonly newestReceipt: string | undefined
  /** Search by meaning is offered below this message. */
  readonly meaningOffer: { readonly message: string; readonly search: WebSearch } | undefined
}
