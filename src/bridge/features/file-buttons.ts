import { mayChange } from '../channels/permissions.ts'
import { ACTION } from '../delivery/button-ids.ts'
import type { Button, ButtonDoing, JobPorts } from '../delivery/job-context.ts'
import { say } from '../delivery/reply.ts'
import { hasWayBack, isRetryable, nameOfDropper, stampOf } from '../files/file-records.ts'
import { again, drive, inHand } from '../files/ingest/resume.ts'
import { removeEntry } from '../files/removal/remove-file.ts'
import { giveWay, keepBoth, undo, wayBackFrom } from '../files/removal/undo-version.ts'
import type { FileRecord } from '../port/records.ts'
import { sentenceFor } from '../texts/failure-sentence.ts'
import { shownName, shownPerson } from '../texts/names.ts'
import { textsFor } from '../texts/texts.ts'

/** Goes the whole way again; anybody may. */
export const retryFile: Button = {
  id: ACTION.retry,
  beside: true,
  async run(ports, doing) {
    const entry = await entryOf(ports, doing, isRetryable)
    if (entry === undefined) return
    if (entry.claimedBy !== doing.jobId) await takeInHand(ports, doing, [entry])
    await drive(ports, doing, entry.collection)
  },
}

export const retryAllFiles: Button = {
  id: ACTION.retryAll,
  beside: true,
  async run(ports, doing) {
    const entries = await entriesOf(ports, doing)
    const [first] = entries
    if (first === undefined) return over(doing)
    // What is in hand already was so before a restart; the rest is as it was when the button was pressed.
    const failed = entries.filter((entry) => isRetryable(entry) && entry.claimedBy !== doing.jobId)
    const isResumed = (await inHand(ports, doing.jobId, first.collection)).length > 0
    if (failed.length === 0 && !isResumed) return over(doing)
    await takeInHand(ports, doing, failed)
    await drive(ports, doing, first.collection)
  },
}

/** Out of the list, and out of the collection if it got there. */
export const removeFailed: Button = {
  id: ACTION.remove,
  beside: true,
  async run(ports, doing) {
    const entry = await entryOf(ports, doing, ({ state }) => state === 'failed')
    if (entry === undefined) return
    if (!(await mayChange(ports, doing, [entry]))) return refuse(doing, entry)
    try {
      if (entry.state !== 'removed')
        await removeEntry(ports, doing, entry, textsFor(entry.language).files.removedBy(doing.author.name))
    } catch (error) {
      if (doing.signal.aborted) throw error
      doing.log.warn({ err: error, file: entry.id }, 'A file could not be removed')
      const why = sentenceFor(error, doing.texts, doing.author.language)
      return whisper(doing, doing.texts.files.forgetFailed(shownName(entry), why))
    }
    // The version before it takes its place again.
    await drive(ports, doing, entry.collection)
  },
}

export const undoVersion: Button = {
  id: ACTION.undo,
  beside: true,
  run: (ports, doing) => goBack(ports, doing, undo),
}

export const keepBothVersions: Button = {
  id: ACTION.keepBoth,
  beside: true,
  run: (ports, doing) => goBack(ports, doing, keepBoth),
}

async function goBack(ports: JobPorts, doing: ButtonDoing, how: typeof undo): Promise<void> {
  const entry = await entryOf(ports, doing, hasWayBack)
  if (entry === undefined) return
  if (entry.claimedBy !== doing.jobId) {
    const { earlier, isKept } = await wayBackFrom(ports, entry)
    if (!(await mayChange(ports, doing, earlier === undefined ? [entry] : [entry, earlier])))
      return refuse(doing, entry)
    if (earlier === undefined || !isKept) return whisper(doing, doing.texts.files.bytesGone(shownName(entry)))
    try {
      if (!(await giveWay(ports, doing, entry, (it) => how(ports, doing, entry, it)))) return over(doing)
    } catch (error) {
      if (doing.signal.aborted) throw error
      doing.log.warn({ err: error, file: entry.id }, 'A version could not be taken out')
      const why = sentenceFor(error, doing.texts, doing.author.language)
      return whisper(doing, doing.texts.files.undoFailed(shownName(entry), why))
    }
    ports.receipts.touch(entry.jobId)
  }
  await drive(ports, doing, entry.collection)
}

async function takeInHand(
  { store, clock, receipts }: JobPorts,
  { jobId }: ButtonDoing,
  entries: readonly FileRecord[],
): Promise<void> {
  for (const entry of entries) {
    await store.files.put(again(entry, jobId, { updatedAt: clock() }))
    receipts.touch(entry.jobId)
  }
}

/** The files of the receipt under which the button stands. */
async function entriesOf(
  { store }: JobPorts,
  { conversation, inbound }: ButtonDoing,
): Promise<readonly FileRecord[]> {
  const row = await store.outbox.byMessage(conversation, inbound.messageId)
  return row === undefined ? [] : store.files.ofJob(row.jobId)
}

/**
 * The file of this button as it is now; undefined when it is not any more what the button was made for, which is said. What
 * this very job has in hand is given again after a restart.
 */
async function entryOf(
  ports: JobPorts,
  doing: ButtonDoing,
  isMeant: (entry: FileRecord) => boolean,
): Promise<FileRecord | undefined> {
  const [place, stamp] = doing.inbound.action.value.split('.')
  const entries = await entriesOf(ports, doing)
  const entry = entries.find(({ id }) => id.endsWith(`#${place}`))
  if (entry?.claimedBy === doing.jobId) return entry
  if (entry !== undefined && isMeant(entry) && stampOf(entry) === stamp) return entry
  if (entry !== undefined) ports.receipts.touch(entry.jobId)
  await over(doing)
  return undefined
}

const over = (doing: ButtonDoing) => whisper(doing, doing.texts.files.buttonOver)

const refuse = (doing: ButtonDoing, entry: FileRecord) =>
  whisper(doing, doing.texts.files.ownerOnly(shownPerson(nameOfDropper(entry))))

const whisper = (doing: ButtonDoing, text: string) => say(doing, text, { privateTo: doing.author.id })
