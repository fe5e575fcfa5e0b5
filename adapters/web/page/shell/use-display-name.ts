import { useState } from 'preact/hooks'
import { texts } from '../texts.ts'

const KEY = 'footbridge.name'

/** The name under which this browser writes; kept in the browser, where it may be forbidden to keep anything. */
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
