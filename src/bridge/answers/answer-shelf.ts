import { matchPart, allPhrases, matchWhole } from '#lexicon/match.ts'
import { EXTRACTIVE } from '../channels/models.ts'
import type { Scope } from '../channels/search-scope.ts'
import { nameOfDropper } from '../files/file-records.ts'
import { listFiles } from '../files/find-file.ts'
import type { FileRecord } from '../port/records.ts'
import { createLinkFilter, settleLinks } from '../references/links.ts'
import { dayOf, shownName, shownPerson, shorten, zoneOf } from '../texts/formats.ts'
import {
  filesDescribed,
  filesDroppedLast,
  filesNamed,
  filesWithPages,
  isKind,
  type Shelf,
  textOf,
  withoutFillers,
} from './file-named.ts'
import { toOutline } from './outline.ts'
import { pagesIn, quotePage } from './pages.ts'
import type { AnswerServices, Retrieval, Draft, QuestionContext } from './question.ts'
import type { AnswerSink } from './read-answer.ts'
import { readShelfQuestion, type ShelfQuestion, type Since } from './shelf-question.ts'
import { summarise } from './summary.ts'

const MAX_LISTED = 12
const MAX_NAME_CHARS = 80
const DAY_MS = 86_400_000

/**
 * Answers a question about the files themselves: their contents, pages and summary, who dropped one, which are new, how
 * one is removed. It cites no passage, and is never an unanswered question.
 *
 * @returns undefined for any other question, also where it names no file that is here.
 */
export async function answerShelfQuestion(
  services: AnswerServices,
  ctx: QuestionContext,
  { scope, asked, out }: { readonly scope: Scope; readonly asked: Retrieval; readonly out: AnswerSink },
): Promise<Draft | undefined> {
  const question = ctx.rewrite === undefined ? readShelfQuestion(ctx.question) : undefined
  if (question === undefined || question.kind === 'whichFile' || question.kind === 'inFile') return undefined
  const files = await listFiles(services, scope.channel.collection)
  if (files.length === 0) return undefined
  const shelf = { services, ctx, scope, files }
  if (question.kind === 'news') return toDraft(asked, scope, listNewFiles(shelf, question.since))
  // The sender of a mail is in the mail.
  const asksSender = question.kind === 'dropper' && SENT.test(withoutFillers(question.name))
  if (asksSender && !OF_FILES.test(ctx.question)) return undefined
  const named = await filesOf(shelf, question)
  const [file] = named
  if (file === undefined) return undefined
  if (named.length > 1 && mayAskContent(question) && !isKind(withoutFillers(question.name ?? ''))) return undefined
  if (named.length > 1) return toDraft(asked, scope, [ctx.texts.shelf.several, ...toFileLines(shelf, named)].join('\n'))
  const told = await tellOf(shelf, file, question)
  if (told !== undefined) return toDraft(asked, scope, told)
  const text = await textOf(services, file)
  if (text === undefined) return toDraft(asked, scope, ctx.texts.shelf.unread(shownName(file)))
  const { model } = asked
  if (question.kind !== 'summary' || model === EXTRACTIVE)
    return toDraft(asked, scope, readOut(shelf, file, text, question))
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

/** Files that somebody else may have sent. */
const SENT = matchWhole([...allPhrases('documents', 'mails'), ...allPhrases('documents', 'pictures')])

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

type FileQuestion = Exclude<ShelfQuestion, { readonly kind: 'news' | 'whichFile' | 'inFile' }>

/** `What does the rent include?` may ask for words of the files, not for one of them. */
const mayAskContent = ({ kind }: FileQuestion) => kind === 'contents' || kind === 'dropper'

async function filesOf(shelf: Shelf, question: FileQuestion): Promise<readonly FileRecord[]> {
  if (question.name === undefined) return filesWithPages(shelf)
  const named = await filesNamed(shelf, question.name)
  return named.length > 0 ? named : filesDescribed(shelf, question.name, mayAskContent(question))
}

/** An answer that needs no text of the file. */
async function tellOf(shelf: Shelf, file: FileRecord, { kind, name = '' }: FileQuestion): Promise<string | undefined> {
  const { texts } = shelf.ctx
  if (kind === 'dropper') return tellDropper(shelf, file)
  if (kind === 'newest') {
    const last = filesDroppedLast(shelf.files, name)
    return [texts.shelf.newest(last.length), ...toFileLines(shelf, last)].join('\n')
  }
  return kind === 'remove' ? texts.shelf.toForget(file.displayName.replaceAll('`', '')) : undefined
}

/** Answers from the text of a file: how many pages it has, one of them, or its outline. */
function readOut({ ctx }: Shelf, file: FileRecord, text: string, question: FileQuestion): string {
  const { texts } = ctx
  const { shelf } = texts
  const name = shownName(file)
  const outline = (head: string) => withLines(ctx, head, toOutline(text, texts))
  if (question.kind !== 'pages' && question.kind !== 'page') return outline(shelf.contents(name))
  const pages = pagesIn(text)
  const isSlides = pages[0]?.isSlide === true
  const count = Math.max(0, ...pages.map(({ number }) => number))
  if (count === 0) return outline(shelf.noPages(name))
  const counted = shelf.pages(name, count, isSlides)
  if (question.kind !== 'page') return counted
  const page = pages.find(({ number }) => number === question.page)
  if (page === undefined) return `${shelf.noPage(question.page, isSlides)} ${counted}`
  return withLines(ctx, shelf.page(name, page.number, isSlides), quotePage(page) || shelf.emptyPage)
}

/** As many of the lines as one message takes. */
function withLines({ adapter: { limits } }: QuestionContext, head: string, text: string): string {
  const lines = text.split('\n')
  while (lines.length > 1 && limits.measure([head, ...lines].join('\n')) > limits.textLength) lines.pop()
  return [head, '', ...lines].join('\n')
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
