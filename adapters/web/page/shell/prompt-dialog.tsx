import type { VNode } from 'preact'
import { useId, useLayoutEffect, useRef, useState } from 'preact/hooks'
import type { Action } from '../../protocol.ts'
import { ApiError } from '../chat/api.ts'
import { Icon } from './icons.tsx'
import { texts } from '../texts.ts'

interface PromptDialogProps {
  readonly prompt: NonNullable<Action['prompt']>
  /** Initial text of the field. */
  readonly begin: string
  readonly danger: boolean
  readonly onSend: (text: string) => Promise<void>
  readonly onDone: () => void
}

/**
 * One field over the page. The browser's own dialog keeps the focus inside, closes on Escape and gives the focus back to
 * the button that opened it.
 */
export function PromptDialog({ prompt, begin, danger, onSend, onDone }: PromptDialogProps): VNode {
  const dialog = useModal()
  const { field, busy, problem, submit } = useSending(onSend, () => dialog.current?.close())
  const id = useId()
  return (
    <dialog
      ref={dialog}
      class="prompt"
      aria-labelledby={`${id}-title`}
      data-testid="prompt"
      onClose={onDone}
      onClick={(event) => event.target === event.currentTarget && event.currentTarget.close()}
    >
      <form class="prompt-form" onSubmit={submit}>
        <header class="prompt-head">
          <h2 id={`${id}-title`}>{prompt.title}</h2>
          <button type="button" class="icon-button" aria-label={texts.close} onClick={() => dialog.current?.close()}>
            <Icon name="close" />
          </button>
        </header>
        <label for={`${id}-field`}>{prompt.label}</label>
        <textarea
          ref={field}
          id={`${id}-field`}
          rows={5}
          defaultValue={begin}
          aria-invalid={problem !== ''}
          aria-describedby={problem === '' ? undefined : `${id}-problem`}
          onKeyDown={(event) => {
            // Enter makes a line: what is typed here may have several.
            if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) submit(event)
          }}
        />
        {problem && (
          <p class="problem" role="alert" id={`${id}-problem`}>
            {problem}
          </p>
        )}
        <div class="form-buttons">
          <button type="submit" class={`button ${danger ? 'danger' : 'primary'}`} disabled={busy}>
            {texts.send}
          </button>
          <button type="button" class="button" onClick={() => dialog.current?.close()}>
            {texts.cancel}
          </button>
        </div>
      </form>
    </dialog>
  )
}

/** The dialog, opened over the page as soon as it is drawn. */
function useModal() {
  const dialog = useRef<HTMLDialogElement>(null)
  useLayoutEffect(() => dialog.current?.showModal(), [])
  return dialog
}

/** Sends the field's text: shows a message for empty text and failures, calls `onSent` after success. */
function useSending(onSend: (text: string) => Promise<void>, onSent: () => void) {
  const field = useRef<HTMLTextAreaElement>(null)
  const [busy, setBusy] = useState(false)
  const [problem, setProblem] = useState('')
  useLayoutEffect(() => {
    const end = field.current?.value.length ?? 0
    field.current?.focus()
    field.current?.setSelectionRange(end, end)
  }, [])
  const send = async () => {
    const text = field.current?.value ?? ''
    if (text.trim() === '') {
      setProblem(texts.promptEmpty)
      field.current?.focus()
      return
    }
    setBusy(true)
    setProblem('')
    try {
      await onSend(text)
      onSent()
    } catch (error) {
      setProblem(error instanceof ApiError ? error.message : texts.unreachable)
      setBusy(false)
    }
  }
  const submit = (event: Event) => {
    event.preventDefault()
    if (!busy) void send()
  }
  return { field, busy, problem, submit }
}
