import { allPhrases, allSet, allWords, matchWhole, matchWithin, oneOf } from '#lexicon/match.ts'
import { closestNames } from '#lib/closest-names.ts'
import type { Scope } from '../channels/search-scope.ts'
import { isCurrent } from '../files/file-records.ts'
import { findFile } from '../files/find-file.ts'
import { channelKey } from '../port/keys.ts'
import type { FileRecord } from '../port/records.ts'
import { titleOf } from './outline.ts'
import type { AnswerServices, QuestionContext } from './question.ts'

/** The files of a channel, and a question about them. */
export interface Shelf {
  readonly services: AnswerServices
  readonly ctx: QuestionContext
  readonly scope: Scope
  /** Newest first. */
  readonly files: readonly FileRecord[]
}

/** Turns in which the file is looked for that was spoken of last. */
const MAX_TURNS = 12
/** On a larger shelf only titles of texts that are in the cache are looked at. */
const MAX_READ = 20
/** Files whose titles are looked at. */
const MAX_TITLES = 100

const LAST_FILE = matchWhole(allPhrases('requests', 'lastFile'))
const BEFORE_NAME = oneOf(allPhrases('requests', 'beforeName'))
const AFTER_NAME = oneOf(allPhrases('requests', 'afterName'))
const FILLER_WORDS = new RegExp(String.raw`^${BEFORE_NAME}\s+|\s+${AFTER_NAME}$`, 'giu')
const NEWEST = new RegExp(String.raw`^(?:${BEFORE_NAME}\s+)*${oneOf(allPhrases('requests', 'newest'))}\s+`, 'iu')
const ANY_FILE = matchWhole(allPhrases('requests', 'anyFile'))

/** Words for a kind of file, and the ends of the names that such files have. A CSV is a spreadsheet, and a PDF a scan, where there is no other. */
const KINDS = (
  [
    ['sheets', /\.(?:xl\w{1,2}|ods|fods)$/i],
    ['sheets', /\.(?:csv|tsv)$/i],
    ['slides', /\.(?:pp\w{1,2}|potx|odp|fodp|otp)$/i],
    ['pictures', /\.(?:png|jpe?g|gif|webp|bmp|tiff?|hei[cf]|avif)$/i],
    ['scans', /\.pdf$/i],
    ['mails', /\.(?:eml|msg|mbox)$/i],
    ['wordFiles', /\.(?:doc\w?|dot\w?|odt|ott|fodt|rtf)$/i],
    ['pdfs', /\.pdf$/i],
  ] as const
).map(([list, names]) => ({
  list,
  words: matchWhole(allPhrases('documents', list)),
  within: matchWithin(allPhrases('documents', list), 'giu'),
  names,
}))

/** Phrases for all kinds of files. */
export const KIND_PHRASES = [...new Set(KINDS.map(({ list }) => list))].flatMap((list) => allPhrases('documents', list))

const HAS_PAGES = /\.(?:pdf|pp\w{1,2}|odp)$/i

const hasPages = ({ displayName }: FileRecord) => HAS_PAGES.test(displayName)

/** The name without articles and words such as *document*. */
export const withoutFillers = (name: string): string =>
  name
    .replace(FILLER_WORDS, '')
    .replace(FILLER_WORDS, '')
    .replace(/^["'`“„]+|["'`”“]+$/g, '')

const tokensOf = (text: string): readonly string[] =>
  text
    .normalize('NFKC')
    .toLowerCase()
    .match(/[\p{L}\p{N}]+/gu) ?? []

/** Part of a longer word that may differ: a typing error, an ending. */
const MAX_OTHER = 0.2
const MIN_LONG_WORD = 5

const isLike = (wanted: string, names: readonly string[]) =>
  wanted.length >= MIN_LONG_WORD &&
  !/\d/.test(wanted) &&
  closestNames(wanted, names).some(({ distance }) => distance <= MAX_OTHER)

/** Whether a text has all these words, in any order. @param isLoose a long word may differ a little */
function holds(text: string, wanted: readonly string[], isLoose: boolean): boolean {
  const there = tokensOf(text)
  return wanted.length > 0 && wanted.every((word) => there.includes(word) || (isLoose && isLike(word, there)))
}

/**
 * Files with all these words in their names; else in their titles; else the one whose name is close to them.
 *
 * @param isExact without names that are close only
 */
export async function filesWithWords(
  { services, files }: Pick<Shelf, 'services' | 'files'>,
  words: string,
  { isExact = false }: { readonly isExact?: boolean } = {},
): Promise<readonly FileRecord[]> {
  const wanted = tokensOf(words)
  const byName = (isLoose: boolean) => files.filter(({ displayName }) => holds(displayName, wanted, isLoose))
  const named = byName(false)
  if (named.length > 0 || wanted.length === 0) return named
  const looked = files.slice(0, MAX_TITLES)
  const texts = await Promise.all(
    looked.map((file) => (files.length > MAX_READ ? cachedText(services, file) : textOf(services, file))),
  )
  const titled = looked.filter((_, index) => holds(titleOf(texts[index] ?? ''), wanted, false))
  if (titled.length > 0 || isExact) return titled
  const close = byName(true)
  return close.length === 1 ? close : []
}

const cachedText = ({ sources }: AnswerServices, { collection, fileName }: FileRecord) =>
  sources.cached(collection, fileName)

/** The text of a file; undefined while it can't be read. */
export async function textOf(services: AnswerServices, file: FileRecord): Promise<string | undefined> {
  if (!isCurrent(file)) return undefined
  await services.sources.read(file.collection, file.fileName)
  return cachedText(services, file)
}

/** Whether this names a kind of file, such as *the presentation*, or any file. */
export const isKind = (name: string): boolean => ANY_FILE.test(name) || KINDS.some(({ words }) => words.test(name))

/** Small words of a description: `the letter from Mrs Vasey`. */
const SMALL = new Set([
  ...allSet('talk', 'empty'),
  ...allSet('talk', 'prepositions'),
  ...allWords('documents', 'abbreviations').map((word) => word.toLowerCase()),
])
/** Characters at the beginning of a file that say what it is. */
const MAX_BEGINNING = 2000

/**
 * The files that a description fits, such as *the letter from Mrs Vasey* or *the accounts workbook*: its other words are
 * in the name, the title, or at the beginning of a file of that kind.
 *
 * @param isKindNamed only a description that names a kind of file
 */
export async function filesDescribed(
  { services, files }: Pick<Shelf, 'services' | 'files'>,
  name: string,
  isKindNamed: boolean,
): Promise<readonly FileRecord[]> {
  const kinds = KINDS.filter(({ within }) => name.search(within) !== -1)
  if (isKindNamed && kinds.length === 0) return []
  const bare = kinds.reduce((left, { within }) => left.replaceAll(within, ' '), name)
  const words = tokensOf(bare).filter((word) => !SMALL.has(word))
  const found = kinds
    .map(({ names }) => files.filter(({ displayName }) => names.test(displayName)))
    .find((some) => some.length > 0)
  if (words.length === 0 || (kinds.length > 0 && found === undefined)) return []
  const named = await filesWithWords({ services, files: found ?? files }, words.join(' '))
  if (named.length > 0 || found === undefined) return named
  const texts = await Promise.all(found.slice(0, MAX_READ).map((file) => textOf(services, file)))
  return found.filter((_, at) => holds((texts[at] ?? '').slice(0, MAX_BEGINNING), words, false))
}

/** The files that were dropped last, with one message, of the kind that is named. */
export function filesDroppedLast(files: readonly FileRecord[], name: string): readonly FileRecord[] {
  const found = ofKind(files, withoutFillers(name.replace(NEWEST, '')))
  return found.filter(({ messageId }) => messageId === found[0]?.messageId)
}

const ofKind = (files: readonly FileRecord[], words: string): readonly FileRecord[] => {
  if (ANY_FILE.test(words)) return files
  const kinds = KINDS.filter((kind) => kind.words.test(words))
  const found = kinds.map(({ names }) => files.filter(({ displayName }) => names.test(displayName)))
  return found.find((some) => some.length > 0) ?? []
}

/**
 * The files that may be meant: by name, as the newest one, by kind, by words of the name or the title, or as the one
 * that was spoken of last. One file: it is meant. None: this is no name of a file here.
 */
export async function filesNamed(shelf: Shelf, name: string): Promise<readonly FileRecord[]> {
  const { files } = shelf
  if (LAST_FILE.test(name)) return lastMentionedFile(shelf)
  const bare = withoutFillers(name)
  for (const each of [name, bare]) {
    const found = findFile(each, files)
    if (found.kind === 'one') return [found.file]
  }
  const newest = NEWEST.exec(name)?.[0]
  if (newest !== undefined) return ofKind(files, withoutFillers(name.slice(newest.length))).slice(0, 1)
  const kind = ofKind(files, bare)
  return kind.length > 0 ? kind : filesWithWords(shelf, bare)
}

/** For a page without the name of a file: the file that was spoken of last, or else files that have pages. */
export async function filesWithPages(shelf: Shelf): Promise<readonly FileRecord[]> {
  const last = await lastMentionedFile(shelf)
  const others = shelf.files.filter(hasPages)
  return last.some(hasPages) || others.length === 0 ? last : others
}

/** The file of the last answer here that cites one; else the newest one. */
async function lastMentionedFile({ services, ctx, files }: Shelf): Promise<readonly FileRecord[]> {
  const { store } = services
  const replied = files.find(({ messageId }) => messageId === ctx.message.replyTo)
  if (replied !== undefined) return [replied]
  const turns = await store.history.of(ctx.queue, MAX_TURNS)
  for (const { role, messageId } of turns.toReversed()) {
    if (role !== 'assistant') continue
    const answer = await store.answers.ofMessage(channelKey(ctx.message.conversation), messageId)
    const cited = answer?.references[0]?.file
    const file = files.find(({ displayName }) => displayName === cited)
    if (file !== undefined) return [file]
  }
  return files.slice(0, 1)
}
