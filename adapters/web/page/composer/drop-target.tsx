import type { ComponentChildren, VNode } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'
import { Icon } from '../parts/icons.tsx'
import { texts } from '../texts.ts'

interface DropTargetProps {
  readonly label: string
  readonly onFiles: (files: readonly File[]) => void
  readonly onProblem: (problem: string) => void
  readonly children: ComponentChildren
}

/** Takes files dropped or pasted anywhere on the page: a near miss must not make the browser open the file. */
export function DropTarget({ label, onFiles, onProblem, children }: DropTargetProps): VNode {
  const [over, setOver] = useState(false)
  useEffect(() => {
    const stop = new AbortController()
    const listen = <K extends keyof DocumentEventMap>(type: K, react: (event: DocumentEventMap[K]) => void) =>
      document.addEventListener(type, react, { signal: stop.signal })
    listen('dragover', (event) => {
      if (!event.dataTransfer?.types.includes('Files')) return
      event.preventDefault()
      setOver(true)
    })
    listen('dragleave', (event) => event.relatedTarget === null && setOver(false))
    listen('drop', (event) => {
      setOver(false)
      if (!event.dataTransfer?.types.includes('Files')) return
      event.preventDefault()
      const items = [...event.dataTransfer.items]
      if (items.some((item) => item.webkitGetAsEntry()?.isDirectory)) onProblem(texts.noFolders)
      else onFiles([...event.dataTransfer.files])
    })
    listen('paste', (event) => {
      const files = [...(event.clipboardData?.files ?? [])]
      if (files.length > 0) onFiles(files)
    })
    return () => stop.abort()
  }, [onFiles, onProblem])
  return (
    <div class="stage">
      {children}
      {over && (
        <div class="drop-veil" aria-hidden="true">
          <Icon name="file" />
          <span>{texts.dropHere(label)}</span>
        </div>
      )}
    </div>
  )
}

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
      <button type="button" class={style} aria-label={label} title={label} onClick={() => input.current?.click()}>
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
