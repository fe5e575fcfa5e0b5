import type { Adapter } from '../port/adapter.ts'
import { channelKey } from '../port/keys.ts'
import type { ConversationRef, Reference } from '../port/message.ts'
import type { Log } from '../port/platform.ts'
import type { FileRecord } from '../port/records.ts'
import type { Store } from '../port/store.ts'
import type { Texts } from '../texts/texts.ts'
import { addressesIn } from './addresses.ts'
import { checkEntries, type RejectedEntry, type VerifiedEntry, type UncheckedEntry } from './entries.ts'
import { settleLinks } from './links.ts'
import { placeOf, timeIn } from './place.ts'
import { displayNameOf, openFileLookup } from './source-lookup.ts'
import type { Sources } from './sources.ts'
import { resolveMarks } from './marks.ts'
import type { SplitAnswer } from './splitter.ts'
import { findSupport, readCitations } from './support.ts'

/** How long a finished answer waits for the texts of its files, milliseconds. */
const CHECK_MS = 3000
/** How long it waits for the permalink of a message, milliseconds. */
const LINK_MS = 1500

export interface ReferenceServices {
  readonly store: Pick<Store, 'files'>
  readonly sources: Sources
  readonly adapterOf: (name: string) => Adapter | undefined
}

export interface AnswerToCheck {
  /** Plain names of the collections that were searched; empty: the answer uses no file. */
  readonly collections: readonly string[]
  readonly end: SplitAnswer
  readonly question: string
  /** The conversation of the answer. */
  readonly conversation: ConversationRef
  /** It answers nothing: the sentence nearest to the question counts, not the one nearest to its text. */
  readonly isUnanswered?: boolean
  readonly texts: Texts
  readonly log: Log
  /** Default 3,000. */
  readonly checkMs?: number
}

export interface Resolved {
  /** The answer: marks as `[n]`, those without a reference dropped, links live only for addresses from the sources. */
  readonly text: string
  /** The references that the text cites, with its numbers; all of them if it cites none. */
  readonly references: readonly Reference[]
  /** Notes under the text: the kind of these references, and the ones that could not be checked. */
  readonly notes: readonly string[]
  /** Entries that failed verification. */
  readonly rejected: readonly RejectedEntry[]
}

/**
 * Verifies each entry of the block against its file and adds the file's metadata. Numbers stay those of the block:
 * people saw them while the answer streamed.
 */
export async function resolveReferences(services: ReferenceServices, answer: AnswerToCheck): Promise<Resolved> {
  const { end, collections, question, texts, log } = answer
  if (collections.length === 0 || end.references.length === 0) {
    const { text } = resolveMarks(end.answer, [])
    return { text: withLiveLinks(text.trimEnd(), question, []), references: [], notes: [], rejected: [] }
  }
  const began = performance.now()
  const lookup = await openFileLookup({ files: services.store.files, sources: services.sources }, collections)
  const timer = deadline(answer.checkMs ?? CHECK_MS)
  const { entries, unchecked, rejected } = await checkEntries(lookup, end.references, timer.over)
  timer.clear()
  const checkedMs = performance.now() - began
  log.debug({ checkedMs, entries: entries.length }, 'The entries of a References block were checked')
  if (rejected.length > 0)
    log.warn(
      { rejected },
      'References were left out: their passages are not in the file. If they are, the cached text may be old',
    )
  const numbers = new Set([...entries, ...unchecked].map(({ number }) => number))
  const { text: marked, used } = resolveMarks(end.answer, end.references, numbers)
  const text = withLiveLinks(marked.trimEnd(), question, entries)
  // Without any marks it is unknown which passages the model used: all are shown.
  const cites = end.used.size > 0
  const shown = cites ? entries.filter(({ number }) => used.has(number)) : entries
  const late = cites ? unchecked.filter(({ number }) => used.has(number)) : []
  const addresses = createPermalinks(services, answer)
  const citing = answer.isUnanswered === true ? () => question : readCitations(text)
  const references = await Promise.all([
    ...shown.map((entry) => toReference(entry, { citing, question, addresses })),
    ...late.map((entry) => toUncheckedReference(entry, addresses)),
  ])
  const notes = [
    ...(cites || shown.length === 0 ? [] : [texts.references.read]),
    ...(late.length === 0 ? [] : [texts.references.unchecked(late.map(({ number }) => number))]),
    ...(cites && used.size === 0 ? [texts.references.noneStands] : []),
  ]
  return { text, references: references.toSorted((a, b) => a.number - b.number), notes, rejected }
}

/** Known addresses: those in the question and in the files of the passages. */
function withLiveLinks(text: string, question: string, entries: readonly VerifiedEntry[]): string {
  const asked = addressesIn(question)
  const files = entries.map(({ file }) => file.source.addresses)
  return settleLinks(text, (key) => asked.has(key) || files.some((addresses) => addresses.has(key)))
}

function deadline(ms: number) {
  const { promise, resolve } = Promise.withResolvers<void>()
  const timer = setTimeout(resolve, ms)
  return { over: promise, clear: () => clearTimeout(timer) }
}

type PermalinkOf = (entry: FileRecord) => Promise<string | undefined>

/** The permalink of the message that dropped a file, requested once per message; undefined if it fails. */
function createPermalinks(services: ReferenceServices, { conversation, log }: AnswerToCheck): PermalinkOf {
  const asked = new Map<string, Promise<string | undefined>>()
  async function ask(entry: FileRecord): Promise<string | undefined> {
    const isHere = entry.channel === channelKey(conversation)
    const { thread: _, ...here } = conversation
    const where = entry.conversation ?? (isHere ? here : undefined)
    if (where === undefined) return undefined
    const timer = deadline(LINK_MS)
    try {
      const link = services.adapterOf(where.adapter)?.permalink({ conversation: where, id: entry.messageId })
      return await Promise.race([link, timer.over.then(() => undefined)])
    } catch (error) {
      log.debug({ err: error }, 'Permalink of a message could not be fetched')
      return undefined
    } finally {
      timer.clear()
    }
  }
  return (entry) => {
    const key = `${entry.channel}\n${entry.messageId}`
    const link = asked.get(key) ?? ask(entry)
    asked.set(key, link)
    return link
  }
}

async function metadataOf(entry: FileRecord | undefined, addresses: PermalinkOf): Promise<Partial<Reference>> {
  if (entry === undefined) return {}
  const { version, droppedByName, droppedAt } = entry
  const link = await addresses(entry)
  return { version, droppedBy: droppedByName === entry.droppedBy ? undefined : droppedByName, droppedAt, link }
}

async function toReference(
  entry: VerifiedEntry,
  answer: { readonly citing: (number: number) => string; readonly question: string; readonly addresses: PermalinkOf },
): Promise<Reference> {
  const { number, file, quote } = entry
  const { passage } = quote
  const support = findSupport(passage, answer.citing(number), answer.question)
  const place = timeIn(passage, support) ?? placeOf(entry, support)
  return {
    number,
    file: displayNameOf(file.fileName, file.entry),
    passage,
    place,
    support,
    ...(await metadataOf(file.entry, answer.addresses)),
  }
}

/** Metadata comes from the file records; passage and place are unverified, so they are left out. */
async function toUncheckedReference({ number, search }: UncheckedEntry, addresses: PermalinkOf): Promise<Reference> {
  const { entry, fileName } = search
  return { number, file: displayNameOf(fileName, entry), passage: '', ...(await metadataOf(entry, addresses)) }
}
