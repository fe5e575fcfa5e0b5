import type { VNode } from 'preact'
import { useId, useLayoutEffect, useRef, useState } from 'preact/hooks'
import { reasonsFor, toReason } from '#adapters/shared/reasons.ts'
import type { Action } from '#adapters/web/protocol.ts'
import { sentenceOf } from '../chat/api.ts'
import { language, texts } from '../texts.ts'
import { Modal } from '../parts/modal.tsx'

interface PromptDialogProps {
  readonly prompt: NonNullable<Action['prompt']>
  /** Initial text of the field. */
  readonly begin: string
  readonly danger: boolean
  /** The field may stay empty: a vote needs no reason. */
  readonly optional: boolean
  readonly onSend: (text: string) => Promise<void>
  readonly onDone: () => void
}

/** A dialog with one field, and boxes for reasons where it asks for them. */
export function PromptDialog({ prompt, onDone, ...rest }: PromptDialogProps): VNode {
  return (
    <Modal title={prompt.title} testId="prompt" onDone={onDone}>
      {(close) => <PromptForm label={prompt.label} reasons={prompt.reasons} {...rest} onClose={close} />}
    </Modal>
  )
}

interface PromptFormProps extends Omit<PromptDialogProps, 'prompt' | 'onDone'> {
  readonly label: string
  readonly reasons: true | undefined
  readonly onClose: () => void
}

function PromptForm({ label, reasons, begin, danger, optional, onSend, onClose }: PromptFormProps): VNode {
  const [ticked, setTicked] = useState<readonly string[]>([])
  const send = (text: string) => onSend(toReason(ticked, text))
  const { field, busy, problem, submit } = useSending(send, onClose, optional)
  const id = useId()
  return (
    <form class="prompt-form" onSubmit={submit}>
      {reasons && <Reasons ticked={ticked} onChange={setTicked} />}
      <label for={id}>{label}</label>
      <textarea
        ref={field}
        id={id}
        rows={5}
        autofocus
        defaultValue={begin}
        aria-invalid={problem !== ''}
        aria-describedby={problem === '' ? undefined : `${id}-problem`}
        onKeyDown={(event) => {
          // Enter makes a line: the text may have several.
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
        <button type="button" class="button" onClick={onClose}>
          {texts.cancel}
        </button>
      </div>
    </form>
  )
}

interface ReasonsProps {
  readonly ticked: readonly string[]
  readonly onChange: (ticked: readonly string[]) => void
}

function Reasons({ ticked, onChange }: ReasonsProps): VNode {
  const { label, options } = reasonsFor(language)
  return (
    <fieldset class="prompt-reasons">
      <legend>{label}</legend>
      {options.map(({ value, label: words }) => (
        <label key={value}>
          <input
            type="checkbox"
            checked={ticked.includes(value)}
            onChange={({ currentTarget: { checked } }) =>
              onChange(checked ? [...ticked, value] : ticked.filter((each) => each !== value))
            }
          />
          {words}
        </label>
      ))}
    </fieldset>
  )
}

/** Sends the field's text: shows a message for empty text and failures, calls `onSent` after success. */
function useSending(onSend: (text: string) => Promise<void>, onSent: () => void, optional: boolean) {
  const field = useRef<HTMLTextAreaElement>(null)
  const [busy, setBusy] = useState(false)
  const [problem, setProblem] = useState('')
  useLayoutEffect(() => {
    const end = field.current?.value.length ?? 0
    field.current?.setSelectionRange(end, end)
  }, [])
  const send = async () => {
    const text = field.current?.value ?? ''
    if (!optional && text.trim() === '') {
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
      setProblem(sentenceOf(error))
      setBusy(false)
    }
  }
  const submit = (event: Event) => {
    event.preventDefault()
    if (!busy) void send()
  }
  return { field, busy, problem, submit }
}
