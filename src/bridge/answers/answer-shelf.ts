import { matchPart, oneOf, allPhrases, matchWhole } from '#lexicon/match.ts'
import { EXTRACTIVE } from '../channels/models.ts'
import type { Scope } from '../channels/search-scope.ts'
import { isCurrent, nameOfDropper } from '../files/file-records.ts'
import { findFile, listFiles } from '../files/find-file.ts'
import type { FileRecord } from '../port/records.ts'
import { createLinkFilter, settleLinks } from '../references/links.ts'
import { channelKey } from '../port/keys.ts'
import { dayOf, shownName, shownPerson, shorten, zoneOf } from '../texts/formats.ts'
import { titleOf, toOutline } from './outline.ts'
import type { AnswerServices, Retrieval, Draft, QuestionContext } from './question.ts'
import type { AnswerSink } from './read-answer.ts'
import { readShelfQuestion, type Since } from './shelf-question.ts'
import { summarise } from './summary.ts'

const MAX_LISTED = 12
const MAX_NAME_CHARS = 80
const DAY_MS = 86_400_000
/** Files whose titles are looked at. */
const MAX_TITLES = 100

interface Shelf {
  readonly services: AnswerServices
  readonly ctx: QuestionContext
  readonly scope: Scope
  readonly files: readonly FileRecord[]
}

/**
 * Answers a question about the files themselves: their contents, a summary, who dropped one, which are new. It cites no
 * passage, and is never an unanswered question.
 *
 * @returns undefined for any other question, also where it names no file that is here.
 */
export async function answerShelfQuestion(
  services: AnswerServices,
  ctx: QuestionContext,
  { scope, asked, out }: { readonly scope: Scope; readonly asked: Retrieval; readonly out: AnswerSink },
): Promise<Draft | undefined> {
  const question = ctx.rewrite === undefined ? readShelfQuestion(ctx.question) : undefined
  if (question === undefined) return undefined
  const files = await listFiles(services, scope.channel.collection)
  if (files.length === 0) return undefined
  const shelf = { services, ctx, scope, files }
  if (question.kind === 'news') return toDraft(asked, scope, listNewFiles(shelf, question.since))
  const file = await fileNamed(shelf, question.name)
  if (file === undefined) return undefined
  if (question.kind === 'dropper') return toDraft(asked, scope, await tellDropper(shelf, file))
  const text = isCurrent(file) ? await textOf(services, file) : undefined
  if (text === undefined) return toDraft(asked, scope, ctx.texts.shelf.unread(shownName(file)))
  const { model } = asked
  if (question.kind === 'contents' || model === EXTRACTIVE) return toDraft(asked, scope, outlineOf(shelf, file, text))
  let links = createLinkFilter(() => false)
  const request = {
    platform: services.platform,
    model,
    question: ctx.question,
    name: file.displayName,
    signal: ctx.signal,
  }
  const summary = await summarise(request, text, {
    push: (piece) => out.push(links.push(piece)),
    retract() {
      links = createLinkFilter(() => false)
      out.retract?.()
    },
  })
  const { texts } = ctx
  const said = [
    settleLinks(summary.text, () => false),
    ...(summary.isCut ? [texts.shelf.cut] : []),
    ...(summary.cutByLength ? [texts.cutByLength] : []),
  ]
  return { ...toDraft(asked, scope, said.join('\n\n')), model, isRewritable: false }
}

/** Words by which a question is about a file itself, whatever it calls it. */
const OF_FILES = matchPart(allPhrases('requests', 'ofFiles'))

/**
 * For a question about who dropped a file, and when, where no file of that name is here and no passage answers: the
 * newest files. It is never an unanswered question.
 *
 * @returns undefined for any other question.
 */
export async function answerUnknownFile(
  services: AnswerServices,
  ctx: QuestionContext,
  { scope, asked }: { readonly scope: Scope; readonly asked: Retrieval },
): Promise<Draft | undefined> {
  const question = ctx.rewrite === undefined ? readShelfQuestion(ctx.question) : undefined
  if (question?.kind !== 'dropper' || !OF_FILES.test(ctx.question)) return undefined
  const files = await listFiles(services, scope.channel.collection)
  const shelf = { services, ctx, scope, files }
  const name = shownName({ displayName: withoutFillers(question.name) }, MAX_NAME_CHARS)
  return toDraft(asked, scope, [ctx.texts.shelf.noSuchFile(name), ...toFileLines(shelf, files)].join('\n'))
}

/** A sentence of Footbridge. The line below it says which files were searched. */
const toDraft = (asked: Retrieval, { notes }: Scope, text: string): Draft => ({
  ...asked,
  model: '',
  text: [text, ...notes].join('\n\n'),
  references: [],
  near: [],
  outcome: 'plain',
})

async function textOf({ sources }: AnswerServices, { collection, fileName }: FileRecord): Promise<string | undefined> {
  await sources.read(collection, fileName)
  return sources.cached(collection, fileName)
}

function outlineOf({ ctx }: Shelf, file: FileRecord, text: string): string {
  const { limits } = ctx.adapter
  const head = ctx.texts.shelf.contents(shownName(file))
  const lines = toOutline(text, ctx.texts).split('\n')
  while (lines.length > 1 && limits.measure([head, ...lines].join('\n')) > limits.textLength) lines.pop()
  return [head, '', ...lines].join('\n')
}

const LAST_FILE = matchWhole(allPhrases('requests', 'lastFile'))
const BEFORE_NAME = oneOf(allPhrases('requests', 'beforeName'))
const AFTER_NAME = oneOf(allPhrases('requests', 'afterName'))
const FILLER_WORDS = new RegExp(String.raw`^${BEFORE_NAME}\s+|\s+${AFTER_NAME}$`, 'giu')

const withoutFillers = (name: string) =>
  name
    .replace(FILLER_WORDS, '')
    .replace(FILLER_WORDS, '')
    .replace(/^["'`“„]+|["'`”“]+$/g, '')

const tokensOf = (text: string) =>
  text
    .normalize('NFKC')
    .toLowerCase()
    .match(/[\p{L}\p{N}]+/gu) ?? []

/** The file that is meant: by its name, by words of its name or title, or the one that was spoken of last. */
async function fileNamed(shelf: Shelf, name: string): Promise<FileRecord | undefined> {
  const { services, files } = shelf
  if (LAST_FILE.test(name)) return lastMentionedFile(shelf)
  const bare = withoutFillers(name)
  for (const each of [name, bare]) {
    const found = findFile(each, files)
    if (found.kind === 'one') return found.file
  }
  const wanted = tokensOf(bare)
  if (wanted.length === 0) return undefined
  const holds = (text: string) => {
    const there = new Set(tokensOf(text))
    return wanted.every((token) => there.has(token))
  }
  const named = files.filter(({ displayName }) => holds(displayName))
  if (named.length > 0) return named.length === 1 ? named[0] : undefined
  const titles = await Promise.all(
    files.slice(0, MAX_TITLES).map(({ collection, fileName }) => services.sources.cached(collection, fileName)),
  )
  const titled = files.filter((_, index) => holds(titleOf(titles[index] ?? '')))
  return titled.length === 1 ? titled[0] : undefined
}

/** The file of the last answer here that cites one; else the newest one. */
async function lastMentionedFile({ services, ctx, files }: Shelf): Promise<FileRecord | undefined> {
  const { store } = services
  const replied = files.find(({ messageId }) => messageId === ctx.message.replyTo)
  if (replied !== undefined) return replied
  const turns = await store.history.of(ctx.queue, MAX_LISTED)
  for (const { role, messageId } of turns.toReversed()) {
    if (role !== 'assistant') continue
    const answer = await store.answers.ofMessage(channelKey(ctx.message.conversation), messageId)
    const cited = answer?.references[0]?.file
    const file = files.find(({ displayName }) => displayName === cited)
    if (file !== undefined) return file
  }
  return files[0]
}

async function tellDropper({ services, ctx }: Shelf, file: FileRecord): Promise<string> {
  const { conversation, messageId, droppedAt, version = 1 } = file
  const adapter = conversation && services.adapterOf(conversation.adapter)
  const link = conversation && (await adapter?.permalink({ conversation, id: messageId }).catch(() => undefined))
  const day = dayOf(droppedAt, readerOf(ctx), services.clock())
  return ctx.texts.shelf.dropped(shownName(file), shownPerson(nameOfDropper(file)), day, version, link)
}

const readerOf = ({ texts, message }: QuestionContext) => ({
  language: texts.language,
  timeZone: message.author.timeZone,
})

/** Start of the day in the person's zone, milliseconds. */
function startOfDay(now: number, since: Since, timeZone: string | undefined): number {
  const parts = new Intl.DateTimeFormat('en-GB', {
    timeZone,
    weekday: 'short',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
    hourCycle: 'h23',
  }).formatToParts(now)
  const part = (type: string) => parts.find((each) => each.type === type)?.value ?? ''
  const sinceMidnight = (Number(part('hour')) * 3600 + Number(part('minute')) * 60 + Number(part('second'))) * 1000
  const today = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat'].indexOf(part('weekday'))
  const days = 'days' in since ? since.days : (today - since.weekday + 7) % 7
  return now - sinceMidnight - (now % 1000) - days * DAY_MS
}

/** Files with who dropped them and when, one a line. */
function toFileLines(
  { services, ctx }: Pick<Shelf, 'services' | 'ctx'>,
  files: readonly FileRecord[],
): readonly string[] {
  const { shelf } = ctx.texts
  const lines = files.slice(0, MAX_LISTED).map((file) => {
    const who = shownPerson(shorten(nameOfDropper(file), 40))
    const day = dayOf(file.droppedAt, readerOf(ctx), services.clock())
    return `- ${shelf.newFile(shownName(file, MAX_NAME_CHARS), who, day, file.version ?? 1)}`
  })
  const rest = files.length - lines.length
  return rest > 0 ? [...lines, shelf.moreFiles(rest)] : lines
}

function listNewFiles(shelf: Shelf, since: Since): string {
  const { services, ctx, files } = shelf
  const texts = ctx.texts.shelf
  const reader = readerOf(ctx)
  const from = startOfDay(services.clock(), since, zoneOf(reader))
  const day = dayOf(new Date(from).toISOString(), reader, services.clock())
  const fresh = files.filter(({ droppedAt }) => Date.parse(droppedAt ?? '') >= from)
  if (fresh.length === 0) return [texts.nothingNew(day), ...toFileLines(shelf, files.slice(0, 1))].join('\n')
  return [texts.news(fresh.length, day), ...toFileLines(shelf, fresh)].join('\n')
}
