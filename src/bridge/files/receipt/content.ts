import { ACTION } from '#bridge/delivery/button-ids.ts'
import type { Limits } from '#bridge/port/adapter.ts'
import type { Action, ReceiptItem } from '#bridge/port/message.ts'
import type { FileRecord } from '#bridge/port/records.ts'
import type { Texts } from '#bridge/texts/texts.ts'
import type { Progress } from '../collection/index-pass.ts'
import { canUndo, isFailed, isFinished, isRetryable, positionInDrop, stampOf } from '../file-records.ts'
import { escapeName, escapeNote, shorten } from '#bridge/texts/formats.ts'

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

export const iconOf = (state: ReceiptItem['state']): string => SIGNS[state]

const MINUTE_MS = 60_000

interface View {
  readonly texts: Texts
  readonly now: number
  readonly progress: Progress | undefined
}

/** One file as its receipt shows it. */
export function toItem(file: FileRecord, view: View): ReceiptItem {
  const { id, displayName, state, note, replacedBy } = file
  return {
    fileId: id,
    file: displayName,
    // A replaced file can't be found any more, whatever its state was.
    state: replacedBy === undefined ? state : 'removed',
    note: isFinished(file) ? note : elapsedNote(file, view),
  }
}

/** The page that is being recognized; else elapsed time, from one minute on, and the progress of the index pass. */
function elapsedNote({ state, fileName, updatedAt }: FileRecord, { texts, now, progress }: View): string | undefined {
  const reading = state === 'indexing' ? progress?.reading?.get(fileName) : undefined
  if (reading !== undefined) return texts.files.readingPage(reading.page, reading.pages)
  const minutes = Math.floor((now - updatedAt) / MINUTE_MS)
  if (minutes < 1) return undefined
  const { elapsed, filesDone } = texts.files
  const isPartWay = state === 'indexing' && progress !== undefined && progress.done < progress.total
  return isPartWay && progress.total > 1
    ? `${elapsed(minutes)}, ${filesDone(progress.done, progress.total)}`
    : elapsed(minutes)
}

/** Limits of names and notes in characters: unlimited first, shorter if the message would be too long. */
const SHORTENED: readonly (readonly [name: number, note: number])[] = [
  [Infinity, Infinity],
  [60, 90],
  [30, 60],
  [15, 0],
]

/** The receipt in markdown; names and notes are shortened only if needed to show every file. */
export function receiptText(
  items: readonly ReceiptItem[],
  { texts, explain, limits }: { readonly texts: Texts; readonly explain: boolean; readonly limits: Limits },
): string {
  let text = ''
  for (const [name, note] of SHORTENED) {
    const short = items.map((item) => ({
      ...item,
      file: shorten(item.file, name),
      note: item.note && shorten(item.note, note),
    }))
    text = render(short, texts, explain)
    if (limits.measure(text) <= limits.textLength) return text
  }
  return text
}

function render(items: readonly ReceiptItem[], texts: Texts, explain: boolean): string {
  // Files that failed for one reason are one list below it.
  const groups = Map.groupBy(items, (item) => (item.state === 'failed' ? stateText(item, texts) : item))
  const lines = [...groups.values()].flatMap((alike) => linesOf(alike, texts))
  // Two spaces at the end: a line break in markdown.
  return [lines.join('  \n'), ...(explain ? [`_${texts.explainDrop}_`] : [])].join('\n\n')
}

function linesOf(alike: readonly ReceiptItem[], texts: Texts): readonly string[] {
  const names = alike.map(({ file }) => `**${escapeName(file)}**`)
  const [item, ...further] = alike
  if (item === undefined) return []
  const name = further.length === 0 ? names[0] : `**${texts.receipt.files(alike.length)}**`
  return [
    `${SIGNS[item.state]} ${name} — ${stateText(item, texts)}`,
    ...(further.length === 0 ? [] : names.map((one) => `• ${one}`)),
  ]
}

function stateText({ state, note: remark }: ReceiptItem, texts: Texts): string {
  const { receipt } = texts
  const note = remark === undefined ? undefined : escapeNote(remark)
  if (state === 'failed') return receipt.failed(note ?? texts.failures.internal)
  // The note says who removed the file, or which file replaced it.
  if (state === 'removed') return note ?? receipt.removed
  return note === undefined ? receipt[state] : `${receipt[state]} (${note})`
}

/** Discord shows five rows of five under a message. */
const MAX_BUTTONS = 25
const MAX_FAILED_WITH_BUTTONS = 3
/** Characters of a file name on a button; services cut a label at 75. */
const LABEL_NAME_CHARS = 40

/** Buttons about one file. The value is `<place>.<stamp>`: position of the file, and the stamp of its state. */
export function fileButtons(file: FileRecord, { files: { button } }: Texts): Action[] {
  const value = `${positionInDrop(file)}.${stampOf(file)}`
  const actions: Action[] = []
  if (isRetryable(file)) actions.push({ id: ACTION.retry, label: button.retry, value })
  if (isFailed(file)) actions.push({ id: ACTION.remove, label: button.remove, value })
  if (canUndo(file)) actions.push({ id: ACTION.undo, label: button.undo, value })
  if (canUndo(file) && file.state === 'ready') actions.push({ id: ACTION.keepBoth, label: button.keepBoth, value })
  return actions
}

/** Buttons for the current states; those of a file say which one. */
export function receiptButtons(files: readonly FileRecord[], texts: Texts, explain: boolean): Action[] {
  const { button } = texts.files
  const before: Action[] = []
  const retryable = files.filter(isRetryable)
  if (retryable.length > 1) {
    const newest = Math.max(...retryable.map(({ updatedAt }) => updatedAt))
    before.push({ id: ACTION.retryAll, label: button.retryAll, value: `all.${newest.toString(36)}` })
  }
  const hasManyFailed = files.filter(isFailed).length > MAX_FAILED_WITH_BUTTONS
  const after: Action[] = []
  if (explain) after.push({ id: ACTION.switchOff, label: texts.stopCollecting, value: 'files-off' })
  // A file has all of its buttons or none.
  const perFile: Action[] = []
  for (const file of files) {
    const name = shorten(file.displayName, LABEL_NAME_CHARS)
    // A wall of buttons does not help: many failed files get one list with one button.
    if (hasManyFailed && isFailed(file)) continue
    const actions = fileButtons(file, texts).map((action) =>
      files.length === 1 ? action : { ...action, label: button.of(action.label, name) },
    )
    if (before.length + perFile.length + actions.length + after.length <= MAX_BUTTONS) perFile.push(...actions)
  }
  return [...before, ...perFile, ...after]
}
