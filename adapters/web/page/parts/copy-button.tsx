import type { VNode } from 'preact'
import { useState } from 'preact/hooks'
import { texts } from '../texts.ts'
import { Icon } from './icons.tsx'

/** Copies a text. With a label it is drawn without its word, which the label says. */
export function CopyButton({ text, label }: { text: string; label?: string }): VNode {
  const [copied, setCopied] = useState(false)
  const copy = async () => {
    // Browsers give no clipboard on an address without https.
    if (navigator.clipboard === undefined) return
    await navigator.clipboard.writeText(text)
    setCopied(true)
    setTimeout(() => setCopied(false), 2000)
  }
  return (
    <button
      type="button"
      class="quiet-button"
      aria-label={label}
      title={label}
      onClick={() => void copy().catch(() => {})}
    >
      <Icon name={copied ? 'check' : 'copy'} />
      {label === undefined && (copied ? texts.copied : texts.copy)}
    </button>
  )
}
