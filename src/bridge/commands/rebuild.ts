import { sealOf } from '../actions/here.ts'
import { ACTION } from '../actions/ids.ts'
import { sentenceFor } from '../failures.ts'
import { mayChange } from '../ingest/owner.ts'
import { rebuild as buildAgain } from '../ingest/rebuild.ts'
import type { Button, Command, Doing, JobPorts } from '../job-ports.ts'
import type { Message } from '../message.ts'
import { shownName } from '../receipt/text.ts'
import { createSender } from '../send.ts'
import { textsFor, type Texts } from '../texts.ts'
import { sayInPlace } from './in-place.ts'
import { progressInPlace } from './progress.ts'
import { say } from './say.ts'

/** Asks, with the button that does it; nothing is done for a collection that is as we left it. */
export const rebuild: Command = {
  name: 'rebuild',
  pattern: /^(?:rebuild|wieder aufbauen)$/i,
  async run(ports, doing) {
    const { collection } = await ports.channels.of(doing.conversation)
    const lost = await lostSentence(ports, collection, doing.texts, doing.signal)
    if (lost === undefined) return say(doing, doing.texts.files.nothingLost)
    await say(doing, lost, { actions: [buttonFor(doing.texts, collection)] })
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
    const entries = await ports.store.ledger.ofCollection(collection)
    if (!(await mayChange(ports, doing, entries)))
      return say(doing, files.rebuildOnly, { privateTo: author.id })
    const isBegun = entries.some(({ drivenBy }) => drivenBy === doing.jobId)
    if (!isBegun && (await lostSentence(ports, collection, texts, signal)) === undefined)
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

const buttonFor = (texts: Texts, collection: string) =>
  ({
    id: ACTION.rebuild,
    label: texts.files.button.rebuild,
    value: sealOf(collection),
    style: 'primary',
  }) as const

/** What is the matter with the collection, and what can be done; undefined: nothing. */
async function lostSentence(
  ports: Pick<JobPorts, 'watch'>,
  collection: string,
  texts: Texts,
  signal: AbortSignal,
): Promise<string | undefined> {
  const state = await ports.watch.look(collection, signal)
  if (state === 'there') return undefined
  const { files } = texts
  return `${state === 'gone' ? files.collectionGone : files.collectionAnew} ${files.rebuildHow}`
}

/**
 * Whether the collection of this channel is lost, and the sentence that says so. The first time it is said in the channel
 * itself too, with the button; the send is named after the collection that was there, so it is said once.
 */
export async function noticeLoss(
  ports: Pick<JobPorts, 'watch' | 'store' | 'clock'>,
  doing: Pick<Doing, 'adapter' | 'log' | 'signal'> & { readonly message: Message },
  collection: string,
): Promise<string | undefined> {
  const { adapter, log, signal, message } = doing
  const { conversation, author, id: replyTo } = message
  const texts = textsFor(author.language)
  const lost = await lostSentence(ports, collection, texts, signal)
  if (lost === undefined) return undefined
  const record = await ports.store.channels.ofCollection(collection)
  const { thread: _, ...channel } = conversation
  const sender = createSender({
    jobId: `lost:${collection}:${record?.collectionCreatedAt ?? ''}:${channel.channel}`,
    adapter,
    conversation: channel,
    replyTo,
    outbox: ports.store.outbox,
    clock: ports.clock,
  })
  try {
    if ((await sender.rows()).length === 0) {
      await sender.show('lost', { kind: 'error', text: lost, actions: [buttonFor(texts, collection)] })
      await sender.close('lost', lost)
    }
  } catch (error) {
    log.warn({ err: error }, 'That a collection is lost could not be said')
  }
  return lost
}
