import type { Adapter, Limits } from './adapter.ts'
import { SWITCH_OFF } from './actions.ts'
import type { ReceiptItem } from './message.ts'
import type { Clock } from './ports.ts'
import type { LedgerEntry } from './store-port.ts'
import type { Sender } from './send.ts'
import type { Texts } from './texts.ts'

/** One message a drop that follows its files to their end. */
export interface Receipt {
  /** Shows the newest states soon: states that pass in between are skipped, never queued. */
  update(entries: readonly LedgerEntry[]): void
  /** Shows the last states for certain. */
  finish(entries: readonly LedgerEntry[]): Promise<void>
}

/** Where the receipt stands among the sends of a job. */
export const RECEIPT_SLOT = 'receipt'
const SIGNS: Readonly<Record<ReceiptItem['state'], string>> = {
  received: '📥',
  downloading: '📥',
  converting: '🔄',
  uploading: '📤',
  indexing: '🔎',
  ready: '✅',
  failed: '⚠️',
  removed: '🗑️',
}

export function createReceipt(options: {
  readonly adapter: Adapter
  readonly sender: Sender
  readonly texts: Texts
  readonly clock: Clock
  /** Explain once where files go, with the switch that turns it off. */
  readonly explain: boolean
  readonly onError: (error: unknown) => void
}): Receipt {
  const { adapter, sender, texts, clock, explain } = options
  let newest: readonly LedgerEntry[] = []
  let shown = ''
  let shownAt = 0
  let drawing: Promise<void> | undefined
  let finishing = false
  let wake: (() => void) | undefined

  async function draw(): Promise<void> {
    const items = newest.map(toItem)
    const text = fitReceipt(items, texts, explain, adapter.limits)
    if (text === shown) return
    await sender.show(RECEIPT_SLOT, {
      kind: 'receipt',
      text,
      receipt: items,
      ...(explain ? { actions: [{ id: SWITCH_OFF, label: texts.stopCollecting, value: 'files-off' }] } : {}),
    })
    shown = text
    shownAt = clock()
  }

  async function loop(): Promise<void> {
    for (;;) {
      if (shown !== '') await pause(shownAt + adapter.limits.editIntervalMs - clock())
      const before = newest
      await draw()
      if (newest === before) return
    }
  }

  async function pause(ms: number): Promise<void> {
    if (ms <= 0 || finishing) return
    let timer: NodeJS.Timeout | undefined
    await new Promise<void>((resolve) => {
      wake = resolve
      timer = setTimeout(resolve, ms)
    })
    clearTimeout(timer)
  }

  return {
    update(entries) {
      newest = entries
      // Without edits there is one message, at the end.
      if (adapter.edit === undefined) return
      drawing ??= loop()
        .catch(options.onError)
        .finally(() => {
          drawing = undefined
        })
    },
    async finish(entries) {
      finishing = true
      newest = entries
      wake?.()
      await drawing
      await draw()
      await sender.close(RECEIPT_SLOT, shown)
    },
  }
}

function toItem(entry: LedgerEntry): ReceiptItem {
  return {
    file: entry.displayName,
    state: entry.state,
    ...(entry.chunks === undefined ? {} : { chunks: entry.chunks }),
    ...(entry.note === undefined ? {} : { note: entry.note }),
  }
}

/** How much of names and notes is shown, in characters: all of it, unless many files would burst the message. */
const ROOM: readonly (readonly [name: number, note: number])[] = [
  [Infinity, Infinity],
  [60, 90],
  [30, 60],
  [15, 0],
]

/** The receipt, with names and notes shortened as little as it takes to show every file. */
function fitReceipt(items: readonly ReceiptItem[], texts: Texts, explain: boolean, limits: Limits): string {
  let text = ''
  for (const [name, note] of ROOM) {
    const short = items.map((item) => ({
      ...item,
      file: shorten(item.file, name),
      ...(item.note === undefined ? {} : { note: shorten(item.note, note) }),
    }))
    text = renderReceipt(short, texts, explain)
    if (limits.measure(text) <= limits.textLength) return text
  }
  return text
}

function shorten(text: string, length: number): string {
  const characters = Array.from(text)
  return characters.length <= length ? text : `${characters.slice(0, length).join('').trimEnd()}…`
}

/** The receipt in words, a line a file. */
function renderReceipt(items: readonly ReceiptItem[], texts: Texts, explain: boolean): string {
  const lines = items.map(
    (item) => `${SIGNS[item.state]} **${escape(item.file)}** — ${describe(item, texts)}`,
  )
  // Two spaces at the end: a line break in markdown.
  return [lines.join('  \n'), ...(explain ? [`_${texts.explainDrop}_`] : [])].join('\n\n')
}

function describe(item: ReceiptItem, texts: Texts): string {
  const { receipt } = texts
  if (item.state === 'failed') return receipt.failed(item.note ?? texts.failures.internal)
  if (item.state !== 'ready') return receipt[item.state]
  return [receipt.ready(item.chunks ?? 0), ...(item.note === undefined ? [] : [`(${item.note})`])].join(' ')
}

function escape(name: string): string {
  return name.replace(/[\\`*_[\]<>~|]/g, String.raw`\$&`)
}
