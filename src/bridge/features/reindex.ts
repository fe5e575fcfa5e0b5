import { sealOf } from '../channels/collection-name.ts'
import { administers } from '../channels/permissions.ts'
import { ACTION } from '../delivery/button-ids.ts'
import type { Button, ButtonDoing, Command, Doing, JobPorts } from '../delivery/job-context.ts'
import { progressInPlace } from '../delivery/progress-message.ts'
import { sayInPlace } from '../delivery/replace-message.ts'
import { say } from '../delivery/reply.ts'
import { reindex as indexAnew } from '../files/collection/renew-collection.ts'
import { listFiles } from '../files/find-file.ts'
import { sentenceFor } from '../texts/failure-sentence.ts'
import { shownName } from '../texts/names.ts'

/** Indexes all files of the channel anew, once confirmed by somebody who administers. */
export const reindex: Command = {
  name: 'reindex',
  pattern: /^(?:reindex|neu indizieren)$/i,
  async run(ports, doing) {
    const { files } = doing.texts
    if (!(await mayReindex(ports, doing))) return refuse(doing)
    const { collection } = await ports.channels.of(doing.conversation)
    const count = (await listFiles(ports, collection)).length
    if (count === 0) return say(doing, files.nothingHere)
    await say(doing, files.reindexAsk(count), {
      actions: [
        { id: ACTION.reindex, label: files.button.reindex, value: sealOf(collection), style: 'primary' },
      ],
    })
  },
}

export const reindexYes: Button = {
  id: ACTION.reindex,
  beside: true,
  async run(ports, doing) {
    if (!(await mayReindex(ports, doing))) return refuse(doing)
    const { collection } = await ports.channels.of(doing.conversation)
    const { texts, author, inbound, log, signal } = doing
    const { files } = texts
    if (inbound.action.value !== sealOf(collection))
      return say(doing, files.buttonOver, { privateTo: author.id })
    const progress = progressInPlace(ports, doing)
    try {
      const ended = await indexAnew(ports, doing, collection, (done, total) =>
        progress.update(files.reindexing(done, total)),
      )
      await progress.finish()
      const failed = ended.filter(({ state }) => state !== 'ready')
      const names = failed.map((entry) => shownName(entry, 40))
      await sayInPlace(ports, doing, files.reindexed(ended.length - failed.length, names.slice(0, 20)))
    } catch (error) {
      await progress.finish()
      if (signal.aborted) throw error
      log.warn({ err: error, collection }, 'A collection could not be indexed anew')
      await sayInPlace(ports, doing, files.reindexFailed(sentenceFor(error, texts, author.language)))
    }
  },
}

const mayReindex = (ports: JobPorts, doing: Doing) =>
  administers(ports, doing, doing.conversation, doing.author.id)

const refuse = (doing: Doing | ButtonDoing) =>
  say(doing, doing.texts.files.adminsOnly, { privateTo: doing.author.id })
