import type { VNode } from 'preact'
import type { ReceiptItem, WebMessage } from '#adapters/web/protocol.ts'
import { Samples, useOutline } from '../parts/samples.tsx'
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

/** The receipt of a drop, a card a file with its own buttons; the bridge updates the message as files progress. */
export function Receipt({ message, tools }: ReceiptProps): VNode {
  const suggests = tools.newestReceipt === message.id
  return (
    <ul class="receipt" aria-label={texts.receipts} data-testid="receipt">
      {message.receipt.map((item, index) => (
        <Card key={item.file} item={item} suggests={suggests && index < MAX_OUTLINES} message={message} tools={tools} />
      ))}
    </ul>
  )
}

/** Files of one drop that suggest questions: each outline costs the server a reading. */
const MAX_OUTLINES = 3

interface CardProps extends ReceiptProps {
  readonly item: ReceiptItem
  readonly suggests: boolean
}

function Card({ item, suggests, message, tools }: CardProps): VNode {
  const { file, state, chunks, note, actions = [] } = item
  const outline = useOutline(message.channel, item, suggests)
  const { busy, problem, press } = usePress(message, tools.actions)
  const size = outline && outline.pages > 0 ? texts.pages(outline.pages) : chunks !== undefined && texts.chunks(chunks)
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
        {state === 'ready' && size && ` · ${size}`}
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
      {outline && <Samples outline={outline} onAsk={tools.onAsk} />}
    </li>
  )
}
