import type { VNode } from 'preact'
import { useLayoutEffect, useRef, useState } from 'preact/hooks'
import { texts } from '../texts.ts'

/** Shows the name of the person, and lets it be changed. */
export function NameForm({ name, onName }: { name: string; onName: (name: string) => void }): VNode {
  const [open, setOpen] = useState(false)
  const input = useRef<HTMLInputElement>(null)
  useLayoutEffect(() => {
    if (open) input.current?.select()
  }, [open])
  if (!open) {
    return (
      <button type="button" class="person" title={texts.changeName} onClick={() => setOpen(true)}>
        <span class="avatar" aria-hidden="true">
          {initial(name)}
        </span>
        <span class="person-name">{name}</span>
      </button>
    )
  }
  const save = (event: Event) => {
    event.preventDefault()
    onName(input.current?.value ?? '')
    setOpen(false)
  }
  return (
    <form class="small-form" onSubmit={save}>
      <label for="your-name">{texts.yourName}</label>
      <input id="your-name" ref={input} defaultValue={name} maxLength={60} autocomplete="nickname" />
      <div class="form-buttons">
        <button type="submit" class="button primary">
          {texts.save}
        </button>
        <button type="button" class="button" onClick={() => setOpen(false)}>
          {texts.cancel}
        </button>
      </div>
    </form>
  )
}

export function initial(name: string): string {
  return (Array.from(name)[0] ?? '?').toLocaleUpperCase()
}

const KEY = 'footbridge.name'

/** The display name of this browser; kept in its local storage if allowed. */
export function useDisplayName(): readonly [string, (name: string) => void] {
  const [name, setName] = useState(() => read() || texts.you)
  const change = (wanted: string) => {
    const kept = wanted.trim().slice(0, 60)
    setName(kept || texts.you)
    try {
      localStorage.setItem(KEY, kept)
    } catch {
      // Storage is switched off: the name lasts as long as the page.
    }
  }
  return [name, change]
}

function read(): string | null {
  try {
    return localStorage.getItem(KEY)
  } catch {
    return null
  }
}
