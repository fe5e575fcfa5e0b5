import type { ComponentChildren, VNode } from 'preact'
import { useId, useLayoutEffect, useRef, useState } from 'preact/hooks'
import { sentenceOf } from '../chat/api.ts'
import { texts } from '../texts.ts'

interface SmallFormProps {
  readonly label: string
  readonly submit: string
  readonly value?: string
  readonly maxLength: number
  readonly autocomplete?: 'nickname'
  /** Rejects with the sentence that the form shows. */
  readonly onSubmit: (text: string) => void | Promise<void>
  readonly onCancel: () => void
  /** Further fields. */
  readonly children?: ComponentChildren
}

/** One line to fill in: a name, with further fields below it. */
export function SmallForm({
  label,
  submit,
  value,
  maxLength,
  autocomplete,
  onSubmit,
  onCancel,
  children,
}: SmallFormProps): VNode {
  const id = useId()
  const input = useRef<HTMLInputElement>(null)
  const { problem, isSending, send } = useSending(onSubmit)
  useLayoutEffect(() => input.current?.select(), [])
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'Escape') return
    // Escape ends the form alone: a dialog around it stays open.
    event.preventDefault()
    event.stopPropagation()
    onCancel()
  }
  return (
    <form
      class="small-form"
      onSubmit={(event) => {
        event.preventDefault()
        void send(input.current?.value ?? '')
      }}
      onKeyDown={onKeyDown}
    >
      <label for={id}>{label}</label>
      <input
        id={id}
        ref={input}
        autofocus
        defaultValue={value ?? ''}
        maxLength={maxLength}
        autocomplete={autocomplete ?? 'off'}
      />
      {children}
      {problem && (
        <p class="problem" role="alert">
          {problem}
        </p>
      )}
      <div class="form-buttons">
        <button type="submit" class="button primary" aria-disabled={isSending}>
          {submit}
        </button>
        <button type="button" class="button" onClick={onCancel}>
          {texts.cancel}
        </button>
      </div>
    </form>
  )
}

/** Sends a text, one at a time, with the sentence of its failure. */
function useSending(onSubmit: SmallFormProps['onSubmit']) {
  const [problem, setProblem] = useState('')
  const [isSending, setSending] = useState(false)
  const send = async (text: string) => {
    if (isSending) return
    setSending(true)
    try {
      await onSubmit(text)
    } catch (error) {
      setProblem(sentenceOf(error))
    } finally {
      setSending(false)
    }
  }
  return { problem, isSending, send }
}
