import { takeTurn } from '../../../lib/keyed-mutex.ts'
import type { JobPorts } from '../../delivery/job-context.ts'
import { isCurrent } from '../../files/file-records.ts'
import { again, type DriveRun } from '../../files/ingest/resume.ts'
import { removeFile } from '../../files/ingest/upload-file.ts'
import { NOTE_KIND, noteOf } from '../../files/saved-messages/save-note.ts'
import { collectionsOf, ofAnswerKey } from '../../files/saved-messages/saved-origin.ts'
import type { AnswerRecord, FileRecord } from '../../port/records.ts'
import { textsFor } from '../../texts/texts.ts'
import { toMarkdown } from './reply-markdown.ts'
import type { PersonReply } from './state.ts'

/**
 * What was filed of several replies is to stand without one of them: the file with its words is taken out at once, and one of
 * the others' is in the hand of this job then. A filing that does not stand goes with the reply, like any other file of it.
 */
export async function refile(
  ports: JobPorts,
  run: DriveRun,
  answer: AnswerRecord,
  { gone, left }: { readonly gone: PersonReply; readonly left: readonly PersonReply[] },
): Promise<void> {
  const { store } = ports
  const markdown = await toMarkdown(run.adapter, answer, left)
  for (const collection of await collectionsOf(store, answer.conversation)) {
    for (const { id, fileName, attachmentId } of await store.files.ofCollection(collection)) {
      if (attachmentId !== ofAnswerKey(answer.id)) continue
      await takeTurn(ports.fileTurns, `${collection}/${fileName}`, run.signal, async () => {
        const entry = await store.files.get(id)
        if (entry !== undefined && isCurrent(entry))
          await replace(ports, run, entry, { gone, left, markdown })
      })
    }
  }
}

async function replace(
  { store, background, receipts, clock }: JobPorts,
  { jobId, signal }: DriveRun,
  entry: FileRecord,
  {
    gone,
    left: [first, ...others],
    markdown,
  }: { readonly gone: PersonReply; readonly left: readonly PersonReply[]; readonly markdown: string },
): Promise<void> {
  const note = entry.attachment && noteOf(entry.attachment)
  if (note === undefined || first === undefined) return
  await removeFile(background, entry, signal)
  await store.buttonPayloads.put({ id: note, kind: NOTE_KIND, data: markdown, at: clock() })
  const { sha256: _, sizeBytes: __, alsoFrom: ___, ...kept } = again(entry, jobId)
  await store.files.put({
    ...kept,
    note: textsFor(entry.language).files.without(gone.authorName),
    messageId: first.messageId,
    droppedBy: first.authorId,
    droppedByName: first.authorName,
    droppedAt: first.at,
    ...(others.length > 0 ? { alsoFrom: others.map(({ messageId }) => messageId) } : {}),
    updatedAt: clock(),
  })
  receipts.touch(entry.jobId)
}
