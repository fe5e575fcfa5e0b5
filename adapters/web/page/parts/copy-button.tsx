import type { VNode } from 'preact'
import { useState } from 'preact/hooks'
import { texts } from '../texts.ts'
import { Icon } from './icons.tsx'

/** Copies a text. */
export function CopyButton({ text }: { text: string }): VNode {
  const [copied, setCopied] = useState(false)
  const copy = async () => {
    // Browsers give no clipboard on an address without https.
    if (navigator.clipboard === undefined) return
    await navigator.clipboard.writeText(text)
    setCopied(true)
    setTimeout(() => setCopied(false), 2000)
  }
  return (
    <button type="button" class="quiet-button" onClick={() => void copy().catch(() => {})}>
      <Icon name={copied ? 'check' : 'copy'} />
      {copied ? texts.copied : texts.copy}
    </button>
  )
}
