import { createHash } from 'node:crypto'
import { mayChange } from '../channels/permissions.ts'
import { ACTION } from '../delivery/button-ids.ts'
import type { Button, ButtonDoing, Command, JobPorts } from '../delivery/job-context.ts'
import { sayInPlace } from '../delivery/replace-message.ts'
import { say } from '../delivery/reply.ts'
import { isOver, nameOfDropper, stands } from '../files/file-records.ts'
import { settleReceipts } from '../files/ingest/resume.ts'
import { removeEntry } from '../files/removal/remove-file.ts'
import { chainOf, sweep } from '../files/versions.ts'
import type { FileRecord } from '../port/records.ts'
import { sentenceFor } from '../texts/failure-sentence.ts'
import { shownName, shownPerson } from '../texts/names.ts'
import { textsFor } from '../texts/texts.ts'
import { fileMeant } from './list-files.ts'

const KIND = 'forget'

/** Takes a file with all its versions out for good, once confirmed by who dropped it or who administers. */
export const forget: Command = {
  name: 'forget',
  pattern: /^(?:forget|vergiss)\s+([^\n]{1,200})$/i,
  async run(ports, doing) {
    const entry = await fileMeant(ports, doing, doing.argument)
    if (entry === undefined) return
    const { files } = doing.texts
    const other = await heldBack(ports, doing, entry)
    if (other !== undefined)
      return say(doing, files.ownerOnly(shownPerson(nameOfDropper(other))), { privateTo: doing.author.id })
    const id = createHash('sha256').update(`${doing.jobId}\n${KIND}`).digest('base64url').slice(0, 22)
    await ports.store.buttonPayloads.put({ id, kind: KIND, data: { entryId: entry.id }, at: ports.clock() })
    const versions = (await chainOf(ports.store, entry)).filter(
      ({ version, state }) => version !== undefined && state !== 'removed',
    )
    await say(doing, files.forgetAsk(shownName(entry), versions.length, shownPerson(nameOfDropper(entry))), {
      actions: [
        { id: ACTION.forget, label: files.button.forget, value: id, style: 'danger' },
        { id: ACTION.keep, label: files.button.keep, value: id },
      ],
    })
  },
}

export const forgetYes: Button = {
  id: ACTION.forget,
  beside: true,
  async run(ports, doing) {
    const entry = await offered(ports, doing)
    if (entry === undefined) return
    const { texts, author, log, inbound } = doing
    const { files } = texts
    // Asked anew: whoever presses may be somebody else than who asked.
    const other = await heldBack(ports, doing, entry)
    if (other !== undefined)
      return say(doing, files.ownerOnly(shownPerson(nameOfDropper(other))), { privateTo: author.id })
    const name = shownName(entry)
    try {
      await forgetAll(ports, doing, entry)
    } catch (error) {
      if (doing.signal.aborted) throw error
      log.warn({ err: error, file: entry.id }, 'A file could not be removed')
      const why = sentenceFor(error, texts, author.language)
      return say(doing, files.forgetFailed(name, why), { privateTo: author.id })
    }
    // Last: after a restart the same press finds it again.
    await ports.store.buttonPayloads.take(inbound.action.value)
    await sayInPlace(ports, doing, files.forgot(name))
  },
}

/**
 * A version over which this person has no say; undefined: there is none. All versions go, so whoever replaced somebody's
 * file has not won the right to take that one out.
 */
async function heldBack(
  ports: JobPorts,
  doing: Pick<ButtonDoing, 'adapter' | 'author' | 'conversation' | 'log'>,
  entry: FileRecord,
): Promise<FileRecord | undefined> {
  const chain = await chainOf(ports.store, entry)
  const versions = chain.filter(({ version, state }) => version !== undefined && state !== 'removed')
  for (const one of [entry, ...versions]) if (!(await mayChange(ports, doing, [one]))) return one
  return undefined
}

export const forgetNo: Button = {
  id: ACTION.keep,
  async run(ports, doing) {
    const entry = await offered(ports, doing)
    if (entry === undefined) return
    await ports.store.buttonPayloads.take(doing.inbound.action.value)
    await sayInPlace(ports, doing, doing.texts.files.kept(shownName(entry)))
  },
}

async function offered({ store, channels }: JobPorts, doing: ButtonDoing): Promise<FileRecord | undefined> {
  const payload = await store.buttonPayloads.get(doing.inbound.action.value)
  const data = payload?.kind === KIND ? (payload.data as { readonly entryId: string }) : undefined
  const known = data && (await store.files.get(data.entryId))
  const { collection } = await channels.of(doing.conversation)
  const entry = known?.collection === collection ? known : undefined
  if (entry === undefined) await say(doing, doing.texts.files.buttonOver, { privateTo: doing.author.id })
  return entry
}

/** In the language of the receipt. */
const noteOn = ({ language }: FileRecord, { author }: ButtonDoing) =>
  textsFor(language).files.removedBy(author.name)

/** Every version and every repetition, and what is just being brought in under this name: until nothing of it is left. */
async function forgetAll(ports: JobPorts, doing: ButtonDoing, entry: FileRecord): Promise<void> {
  const { store, clock } = ports
  const { jobId } = doing
  const gone = [entry]
  for (;;) {
    const chain = (await chainOf(store, entry)).filter(({ state }) => state !== 'removed')
    for (const one of chain.filter((each) => isOver(each) && !stands(each))) {
      const { replacedBy: _, ...kept } = one
      const note = noteOn(one, doing)
      await store.files.put({ ...kept, state: 'removed', claimedBy: jobId, note, updatedAt: clock() })
      gone.push(one)
    }
    const left = chain.filter((each) => !isOver(each) || stands(each))
    // What is under way comes to its end first.
    const next = left.find(stands) ?? left[0]
    if (next === undefined) break
    await removeEntry(ports, doing, next, noteOn(next, doing))
    gone.push(next)
  }
  await sweep(store, entry.collection, clock())
  await settleReceipts(ports, doing, gone)
}
