import type { Command, CommandDoing } from '../delivery/job-context.ts'
import { say } from '../delivery/reply.ts'
import { isRetryable } from '../files/file-records.ts'
import { listFiles } from '../files/find-file.ts'
import { again, drive, inHand } from '../files/ingest/resume.ts'
import type { FileRecord } from '../port/records.ts'
import { shownName } from '../texts/names.ts'
import { fileMeant } from './list-files.ts'

/** Tries again what failed: one file, or all of them. The receipts where they were dropped show how it goes. */
export const retry: Command = {
  name: 'retry',
  pattern: /^(?:retry|wiederhole)(?:\s+([^\n]{1,200}))?$/i,
  async run(ports, doing) {
    const { argument, jobId, texts } = doing
    const { collection } = await ports.channels.of(doing.conversation)
    // After a restart what was taken in hand goes on.
    if ((await inHand(ports, jobId, collection)).length === 0) {
      const meant = argument === '' ? undefined : await fileMeant(ports, doing, argument)
      if (argument !== '' && meant === undefined) return
      const failed = (meant === undefined ? await listFiles(ports, collection) : [meant]).filter(isRetryable)
      if (failed.length === 0) return say(doing, whyNot(doing, meant))
      await say(doing, texts.files.retrying(failed.length))
      for (const entry of failed)
        await ports.store.files.put(again(entry, jobId, { updatedAt: ports.clock() }))
    }
    await drive(ports, doing, collection)
  },
}

function whyNot({ texts }: CommandDoing, meant: FileRecord | undefined): string {
  const { files, failures } = texts
  if (meant === undefined) return files.nothingFailed
  const name = shownName(meant)
  return meant.state === 'failed'
    ? files.permanent(name, meant.note ?? failures.internal)
    : files.notFailed(name)
}
