import type { VNode } from 'preact'
import { useState } from 'preact/hooks'
import { texts } from '../texts.ts'
import { SmallForm } from './small-form.tsx'

const MAX_NAME_CHARS = 60

/** Shows the name of the person, and lets it be changed. */
export function NameForm({ name, onName }: { name: string; onName: (name: string) => void }): VNode {
  const [open, setOpen] = useState(false)
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
  const save = (wanted: string) => {
    onName(wanted)
    setOpen(false)
  }
  return (
    <SmallForm
      label={texts.yourName}
      submit={texts.save}
      value={name}
      maxLength={MAX_NAME_CHARS}
      autocomplete="nickname"
      onSubmit={save}
      onCancel={() => setOpen(false)}
    />
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
    const kept = wanted.trim().slice(0, MAX_NAME_CHARS)
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
