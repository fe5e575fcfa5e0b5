import type { ComponentChildren, VNode } from 'preact'
import { useId, useLayoutEffect, useRef } from 'preact/hooks'
import { texts } from '../texts.ts'
import { Icon } from './icons.tsx'

interface ModalProps {
  readonly title: string
  readonly testId: string
  readonly onDone: () => void
  /** @param close closes the dialog, which then calls `onDone`. */
  readonly children: (close: () => void) => ComponentChildren
}

/**
 * A dialog over the page. The browser's own keeps the focus inside (it begins at the element with `autofocus`), closes
 * on Escape and gives the focus back to the button that opened it.
 */
export function Modal({ title, testId, onDone, children }: ModalProps): VNode {
  const dialog = useRef<HTMLDialogElement>(null)
  const id = useId()
  useLayoutEffect(() => dialog.current?.showModal(), [])
  const close = () => dialog.current?.close()
  return (
    <dialog
      ref={dialog}
      class="prompt"
      aria-labelledby={id}
      data-testid={testId}
      onClose={onDone}
      onClick={(event) => event.target === event.currentTarget && event.currentTarget.close()}
    >
      <div class="prompt-body">
        <header class="prompt-head">
          <h2 id={id}>{title}</h2>
          <button type="button" class="icon-button" aria-label={texts.close} onClick={close}>
            <Icon name="close" />
          </button>
        </header>
        {children(close)}
      </div>
    </dialog>
  )
}
