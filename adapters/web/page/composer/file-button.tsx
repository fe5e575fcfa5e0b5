import type { ComponentChildren, VNode } from 'preact'
import { useRef } from 'preact/hooks'

interface FileButtonProps {
  readonly class: string
  readonly label?: string
  readonly testId?: string
  readonly onFiles: (files: readonly File[]) => void
  readonly children: ComponentChildren
}

/** A button that opens the file chooser. */
export function FileButton({ class: style, label, testId, onFiles, children }: FileButtonProps): VNode {
  const input = useRef<HTMLInputElement>(null)
  return (
    <>
      <button
        type="button"
        class={style}
        aria-label={label}
        title={label}
        onClick={() => input.current?.click()}
      >
        {children}
      </button>
      <input
        ref={input}
        type="file"
        multiple
        hidden
        tabIndex={-1}
        data-testid={testId}
        onChange={({ currentTarget }) => {
          onFiles([...(currentTarget.files ?? [])])
          // The same file may be chosen again.
          currentTarget.value = ''
        }}
      />
    </>
  )
}
