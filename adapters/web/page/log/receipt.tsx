import type { VNode } from 'preact'
import { useState } from 'preact/hooks'
import type { FileOutline, ReceiptItem, WebMessage } from '#adapters/web/protocol.ts'
import { Samples, useOutlines } from '../parts/samples.tsx'
import { Icon } from '../parts/icons.tsx'
import { texts } from '../texts.ts'
import { type MessageTools, usePress } from './actions.tsx'

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

interface ReceiptProps {
  readonly message: WebMessage
  readonly tools: MessageTools
}

/** Fewer ready files are not folded. */
const MIN_FOLDED = 4

/** The receipt of a drop: a card a file with its own buttons, many ready ones folded, and questions to begin with. */
export function Receipt({ message, tools }: ReceiptProps): VNode {
  const { receipt, channel } = message
  const suggests = tools.newestReceipt === message.id
  const [open, setOpen] = useState(false)
  const outlines = useOutlines(channel, receipt, suggests || open)
  const settled = receipt.filter(({ state, actions = [] }) => state === 'ready' && actions.length === 0)
  const folded = settled.length < MIN_FOLDED ? [] : settled
  const card = (item: ReceiptItem) => (
    <Card key={item.file} item={item} pages={outlines.get(item.fileId ?? '')?.pages} message={message} tools={tools} />
  )
  const others = receipt.filter((item) => !folded.includes(item))
  return (
    <div data-testid="receipt">
      {folded.length > 0 && (
        <details
          class="receipt-fold"
          data-testid="receipt-fold"
          onToggle={({ currentTarget }) => setOpen(currentTarget.open)}
        >
          <summary>
            <Icon name="check" />
            {texts.filesReady(folded.length)}
          </summary>
          <ul class="receipt" aria-label={texts.receipts}>
            {folded.map(card)}
          </ul>
        </details>
      )}
      {others.length > 0 && (
        <ul class="receipt" aria-label={texts.receipts}>
          {others.map(card)}
        </ul>
      )}
      {suggests && <Samples outlines={toNamed(receipt, outlines)} onAsk={tools.onAsk} />}
    </div>
  )
}

const toNamed = (receipt: readonly ReceiptItem[], outlines: ReadonlyMap<string, FileOutline>) =>
  receipt.flatMap(({ file, fileId = '' }) => {
    const outline = outlines.get(fileId)
    return outline === undefined ? [] : [{ ...outline, file }]
  })

interface CardProps extends ReceiptProps {
  readonly item: ReceiptItem
  /** Undefined or 0: it has no pages. */
  readonly pages: number | undefined
}

function Card({ item, pages, message, tools }: CardProps): VNode {
  const { file, state, note, actions = [] } = item
  const { busy, problem, press } = usePress(message, tools.actions)
  return (
    <li class={`receipt-item ${state}`} data-testid="receipt-item" data-state={state}>
      <span class="receipt-icon" aria-hidden="true">
        <Icon name={state === 'ready' ? 'check' : state === 'failed' ? 'alert' : 'file'} />
      </span>
      <span class="file-name" title={file}>
        {file}
      </span>
      <span class="receipt-state">
        {texts.states[state]}
        {state === 'ready' && pages ? ` · ${texts.pages(pages)}` : ''}
      </span>
      <span class="bar" aria-hidden="true">
        {[1, 2, 3, 4, 5].map((step) => (
          <i key={step} class={step < STEPS[state] ? 'done' : step === STEPS[state] ? 'now' : ''} />
        ))}
      </span>
      {note && <span class="receipt-note">{note}</span>}
      {actions.length > 0 && (
        <span class="receipt-buttons" role="group" aria-label={texts.actionsFor(file)}>
          {actions.map((action) => (
            <button
              key={action.id}
              type="button"
              class={`button small ${action.style ?? ''}`}
              disabled={busy}
              onClick={() => press(action)}
            >
              {action.label}
            </button>
          ))}
        </span>
      )}
      {problem && (
        <p class="problem" role="alert">
          {problem}
        </p>
      )}
    </li>
  )
}
