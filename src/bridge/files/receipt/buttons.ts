import { ACTION } from '../../delivery/button-ids.ts'
import { placeOf } from '../file-records.ts'
import type { Action } from '../../port/message.ts'
import type { LedgerEntry } from '../../port/store.ts'
import type { Texts } from '../../texts/texts.ts'
import { shorten } from './text.ts'

/** Discord shows five rows of five under a message. */
const MOST = 25
/** Of a file's name on a button; services cut a label at 75 characters. */
const NAME_CHARS = 40

/**
 * What can be done with the files of a receipt as they are now. A button carries the place of its file and the state that it
 * was made for, so one that was overtaken does nothing.
 */
export function receiptButtons(
  entries: readonly LedgerEntry[],
  texts: Texts,
  explain: boolean,
): readonly Action[] {
  const { button } = texts.files
  const isAlone = entries.length === 1
  const make = (id: string, label: string, entry: LedgerEntry): Action => ({
    id,
    label: isAlone ? label : button.of(label, shorten(entry.displayName, NAME_CHARS)),
    value: `${placeOf(entry)}.${stampOf(entry)}`,
  })
  const perFile = entries.map((entry) => [
    ...(isRetryable(entry) ? [make(ACTION.retry, button.retry, entry)] : []),
    ...(isFailed(entry) ? [make(ACTION.remove, button.remove, entry)] : []),
    ...(hasWayBack(entry) ? [make(ACTION.undo, button.undo, entry)] : []),
    ...(hasWayBack(entry) && entry.state === 'ready' ? [make(ACTION.keepBoth, button.keepBoth, entry)] : []),
  ])
  const retryable = entries.filter(isRetryable)
  const newest = Math.max(0, ...retryable.map(({ updatedAt }) => updatedAt))
  const all: Action = { id: ACTION.retryAll, label: button.retryAll, value: `all.${newest.toString(36)}` }
  const off: Action = { id: ACTION.switchOff, label: texts.stopCollecting, value: 'files-off' }
  const around = [...(retryable.length > 1 ? [all] : []), ...(explain ? [off] : [])]
  // A file has all of its buttons or none.
  const fitting: Action[] = []
  for (const actions of perFile)
    if (fitting.length + actions.length + around.length <= MOST) fitting.push(...actions)
  return [
    ...around.filter((action) => action === all),
    ...fitting,
    ...around.filter((action) => action === off),
  ]
}

const isFailed = ({ state, replacedBy }: LedgerEntry) => state === 'failed' && replacedBy === undefined

export const isRetryable = (entry: LedgerEntry): boolean => isFailed(entry) && entry.hopeless !== true

/** It took the place of another, and holds it still. */
export const hasWayBack = ({ state, replaces, replacedBy }: LedgerEntry): boolean =>
  replaces !== undefined && replacedBy === undefined && (state === 'ready' || state === 'failed')

/** Another after every change of the entry. */
export const stampOf = ({ updatedAt }: LedgerEntry): string => updatedAt.toString(36)
