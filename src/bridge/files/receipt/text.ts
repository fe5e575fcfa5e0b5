import type { Limits } from '../../port/adapter.ts'
import { isOver } from '../file-records.ts'
import type { Progress } from '../collection/index-pass.ts'
import type { ReceiptItem } from '../../port/message.ts'
import type { LedgerEntry } from '../../port/store.ts'
import type { Texts } from '../../texts/texts.ts'

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

const MINUTE_MS = 60_000

/** One file as its receipt shows it now. */
export function toItem(
  entry: LedgerEntry,
  view: { readonly texts: Texts; readonly now: number; readonly progress: Progress | undefined },
): ReceiptItem {
  const { displayName: file, state, chunks, note, replacedBy } = entry
  const said = isOver(entry) ? note : lasting(entry, view)
  return {
    file,
    // What was replaced can't be found any more, whatever it was before.
    state: replacedBy === undefined ? state : 'removed',
    ...(chunks === undefined ? {} : { chunks }),
    ...(said === undefined ? {} : { note: said }),
  }
}

/** For work that lasts: how long already, and how far the pass is. */
function lasting(
  { state, updatedAt }: LedgerEntry,
  {
    texts,
    now,
    progress,
  }: { readonly texts: Texts; readonly now: number; readonly progress: Progress | undefined },
): string | undefined {
  const minutes = Math.floor((now - updatedAt) / MINUTE_MS)
  if (minutes < 1) return undefined
  const { elapsed, filesDone } = texts.files
  const isPartWay = state === 'indexing' && progress !== undefined && progress.done < progress.total
  return isPartWay && progress.total > 1
    ? `${elapsed(minutes)}, ${filesDone(progress.done, progress.total)}`
    : elapsed(minutes)
}

/** How much of names and notes is shown, in characters: all of it, unless many files would burst the message. */
const ROOM: readonly (readonly [name: number, note: number])[] = [
  [Infinity, Infinity],
  [60, 90],
  [30, 60],
  [15, 0],
]

/** The receipt in words, with names and notes shortened as little as it takes to show every file. */
export function receiptText(
  items: readonly ReceiptItem[],
  { texts, explain, limits }: { readonly texts: Texts; readonly explain: boolean; readonly limits: Limits },
): string {
  let text = ''
  for (const [name, note] of ROOM) {
    const short = items.map((item) => ({
      ...item,
      file: shorten(item.file, name),
      ...(item.note === undefined ? {} : { note: shorten(item.note, note) }),
    }))
    text = render(short, texts, explain)
    if (limits.measure(text) <= limits.textLength) return text
  }
  return text
}

export function shorten(text: string, length: number): string {
  const characters = Array.from(text)
  return characters.length <= length ? text : `${characters.slice(0, length).join('').trimEnd()}…`
}

/** A line a file. */
function render(items: readonly ReceiptItem[], texts: Texts, explain: boolean): string {
  const lines = items.map(
    (item) => `${SIGNS[item.state]} **${escapeName(item.file)}** — ${describe(item, texts)}`,
  )
  // Two spaces at the end: a line break in markdown.
  return [lines.join('  \n'), ...(explain ? [`_${texts.explainDrop}_`] : [])].join('\n\n')
}

function describe({ state, note: said, chunks }: ReceiptItem, texts: Texts): string {
  const { receipt } = texts
  const note = said === undefined ? undefined : escapeNote(said)
  if (state === 'failed') return receipt.failed(note ?? texts.failures.internal)
  // Who took it out, or what came in its place, says it all.
  if (state === 'removed') return note ?? receipt.removed
  const now = state === 'ready' ? receipt.ready(chunks ?? 0) : receipt[state]
  return note === undefined ? now : `${now} (${note})`
}

export function escapeName(name: string): string {
  return name.replace(/[\\`*_[\]<>~|]/g, String.raw`\$&`)
}

/** As long as a name in a sentence may be: services take names of thousands of characters, and no message as long. */
const LONGEST_NAME = 120
const LONGEST_PERSON = 80

/** The name of a file in a sentence of ours. */
export const shownName = ({ displayName }: Pick<LedgerEntry, 'displayName'>, length = LONGEST_NAME): string =>
  escapeName(shorten(displayName, length))

/** A person's name in a sentence of ours: anybody's text. */
export const shownPerson = (name: string): string => escapeName(shorten(name, LONGEST_PERSON))

/** A reason or a remark with names in it, where markdown is read: nothing in it becomes a link or the like. */
export const escapeNote = (note: string): string => note.replace(/[*[\]<>~|]/g, String.raw`\$&`)

export const signOf = (state: ReceiptItem['state']): string => SIGNS[state]
