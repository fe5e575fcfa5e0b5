import type { VNode } from 'preact'
import { useState } from 'preact/hooks'
import { texts } from '../texts.ts'
import { keepSetting, keptSetting } from './kept-setting.ts'
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

/** The display name of this browser. */
export function useDisplayName(): readonly [string, (name: string) => void] {
  const [name, setName] = useState(() => keptSetting('name') ?? texts.you)
  const change = (wanted: string) => {
    const kept = wanted.trim().slice(0, MAX_NAME_CHARS)
    setName(kept || texts.you)
    keepSetting('name', kept)
  }
  return [name, change]
}
