import { sealOf } from '../channels/collection-name.ts'
import { mayChange } from '../channels/permissions.ts'
import { ACTION } from '../delivery/button-ids.ts'
import type { Button, Command } from '../delivery/job-context.ts'
import { progressInPlace } from '../delivery/progress-message.ts'
import { sayInPlace } from '../delivery/replace-message.ts'
import { say } from '../delivery/reply.ts'
import { rebuildButton } from '../files/collection/missing-collection.ts'
import { rebuild as buildAgain } from '../files/collection/renew-collection.ts'
import { sentenceFor } from '../texts/failure-sentence.ts'
import { shownName } from '../texts/names.ts'

/** Asks, with the button that does it; nothing is done for a collection that is as we left it. */
export const rebuild: Command = {
  name: 'rebuild',
  pattern: /^(?:rebuild|wieder aufbauen)$/i,
  async run(ports, doing) {
    const { collection } = await ports.channels.of(doing.conversation)
    const lost = await ports.losses.sentence(collection, doing.texts, doing.signal)
    if (lost === undefined) return say(doing, doing.texts.files.nothingLost)
    await say(doing, lost, { actions: [rebuildButton(doing.texts, collection)] })
  },
}

export const rebuildYes: Button = {
  id: ACTION.rebuild,
  beside: true,
  async run(ports, doing) {
    const { texts, author, inbound, log, signal } = doing
    const { files } = texts
    const { collection } = await ports.channels.of(doing.conversation)
    if (inbound.action.value !== sealOf(collection))
      return say(doing, files.buttonOver, { privateTo: author.id })
    const entries = await ports.store.files.ofCollection(collection)
    if (!(await mayChange(ports, doing, entries)))
      return say(doing, files.rebuildOnly, { privateTo: author.id })
    const isBegun = entries.some(({ claimedBy }) => claimedBy === doing.jobId)
    if (!isBegun && (await ports.losses.sentence(collection, texts, signal)) === undefined)
      return sayInPlace(ports, doing, files.nothingLost)
    const progress = progressInPlace(ports, doing)
    try {
      const ended = await buildAgain(ports, doing, collection, (done, total) =>
        progress.update(files.rebuilding(done, total)),
      )
      await progress.finish()
      const failed = ended.filter(({ state }) => state !== 'ready')
      const names = failed.map((entry) => shownName(entry, 40))
      await sayInPlace(ports, doing, files.rebuilt(ended.length - failed.length, names.slice(0, 20)))
    } catch (error) {
      await progress.finish()
      if (signal.aborted) throw error
      log.warn({ err: error, collection }, 'A collection could not be built again')
      await say(doing, sentenceFor(error, texts, author.language))
    }
  },
}
