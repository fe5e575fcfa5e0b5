import type { VNode } from 'preact'
import { useLayoutEffect, useRef, useState } from 'preact/hooks'
import type { WebMessage } from '#adapters/web/protocol.ts'
import { sentenceOf } from '../chat/api.ts'
import { Icon } from '../parts/icons.tsx'
import { texts } from '../texts.ts'
import type { ChatActions } from '../chat/use-chat.ts'

/** The change that a person is making to a message of their own. */
export type OwnMode = 'editing' | 'deleting' | undefined

/** Edit and delete. */
export function OwnButtons({ onMode }: { onMode: (mode: OwnMode) => void }): VNode {
  return (
    <>
      <button
        type="button"
        class="icon-button small"
        aria-label={texts.edit}
        title={texts.edit}
        onClick={() => onMode('editing')}
      >
        <Icon name="edit" />
      </button>
      <button
        type="button"
        class="icon-button small"
        aria-label={texts.remove}
        title={texts.remove}
        onClick={() => onMode('deleting')}
      >
        <Icon name="trash" />
      </button>
    </>
  )
}

interface OwnFormProps {
  readonly message: WebMessage
  readonly actions: ChatActions
  readonly mode: 'editing' | 'deleting'
  readonly onDone: () => void
}

/** The new text, or the question whether to delete. */
export function OwnForm({ message, actions, mode, onDone }: OwnFormProps): VNode {
  const field = useRef<HTMLTextAreaElement>(null)
  const confirm = useRef<HTMLButtonElement>(null)
  const [problem, setProblem] = useState('')
  const editing = mode === 'editing'
  useLayoutEffect(() => (editing ? field : confirm).current?.focus(), [editing])
  const carryOut = async () => {
    try {
      if (editing) await actions.edit(message, field.current?.value ?? '')
      else await actions.remove(message)
      onDone()
    } catch (error) {
      setProblem(sentenceOf(error))
    }
  }
  const submit = (event: Event) => {
    event.preventDefault()
    void carryOut()
  }
  const onFieldKey = (event: KeyboardEvent) => {
    if (event.key === 'Enter' && !event.shiftKey && !event.isComposing && !event.repeat) submit(event)
  }
  return (
    <form class="own-form" onSubmit={submit} onKeyDown={(event) => event.key === 'Escape' && onDone()}>
      {editing ? (
        <textarea ref={field} rows={3} aria-label={texts.edit} defaultValue={message.text} onKeyDown={onFieldKey} />
      ) : (
        <p>{message.attachments.length > 0 ? texts.removeFilesSure : texts.removeSure}</p>
      )}
      {problem && (
        <p class="problem" role="alert">
          {problem}
        </p>
      )}
      <div class="form-buttons">
        <button ref={confirm} type="submit" class={`button small ${editing ? 'primary' : 'danger'}`}>
          {editing ? texts.save : texts.remove}
        </button>
        <button type="button" class="button small" onClick={onDone}>
          {texts.cancel}
        </button>
      </div>
    </form>
  )
}
