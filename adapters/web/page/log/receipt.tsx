import type { VNode } from 'preact'
import type { ReceiptItem } from '../../protocol.ts'
import { Icon } from '../shell/icons.tsx'
import { texts } from '../texts.ts'

/** How far along a file is, in fifths. */
const STEPS: Record<ReceiptItem['state'], number> = {
  received: 1,
  downloading: 2,
  converting: 3,
  uploading: 3,
  indexing: 4,
  ready: 5,
  failed: 5,
  removed: 5,
}

/** The receipt of a drop; the bridge updates the message as files progress. */
export function Receipt({ items }: { items: readonly ReceiptItem[] }): VNode {
  return (
    <ul class="receipt" aria-label={texts.receipts} data-testid="receipt">
      {items.map((item) => (
        <li key={item.file} class={`receipt-item ${item.state}`} data-testid="receipt-item" data-state={item.state}>
          <span class="receipt-icon" aria-hidden="true">
            <Icon name={item.state === 'ready' ? 'check' : item.state === 'failed' ? 'alert' : 'file'} />
          </span>
          <span class="file-name" title={item.file}>
            {item.file}
          </span>
          <span class="receipt-state">
            {texts.states[item.state]}
            {item.chunks !== undefined && item.state === 'ready' && ` · ${texts.chunks(item.chunks)}`}
          </span>
          <span class="bar" aria-hidden="true">
            {[1, 2, 3, 4, 5].map((step) => (
              <i key={step} class={step < STEPS[item.state] ? 'done' : step === STEPS[item.state] ? 'now' : ''} />
            ))}
          </span>
          {item.note && <span class="receipt-note">{item.note}</span>}
        </li>
      ))}
    </ul>
  )
}
