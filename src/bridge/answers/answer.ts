import { setTimeout as sleep } from 'node:timers/promises'
import { createLru } from '#lib/lru.ts'
import { type MessageContext, isStopped } from '../delivery/job-context.ts'
import { createStreamedAnswer, FIRST_SLOT, type StreamedAnswer } from '../delivery/streamed-answer.ts'
import { AdapterError, isTransientFailure } from '../port/errors.ts'
import { isStorageAway } from '../delivery/storage-away.ts'
import { channelKey } from '../port/keys.ts'
import type { OutboxRow } from '../port/store.ts'
import { isWorthRetrying } from '../texts/errors.ts'
import { EXTRACTIVE } from '../channels/models.ts'
import { buttonsUnder, retryButton, stopButton } from './buttons.ts'
import { draftAnswer } from './draft.ts'
import { uploadParts, toShownAndParts } from './long-parts.ts'
import { toFailureSentence, toFailureText } from './no-answer.ts'
import type { ExpandingSink } from './query-expansion.ts'
import { answerQuietly } from './quiet.ts'
import type { AnswerServices, Retrieval, Draft, Question, QuestionContext } from './question.ts'
import { showReferenceCards } from './reference-cards.ts'
import { answerId, isFirstAnswer, recordDraft, recordShown, rememberQuestion } from './record.ts'

export type Answers = ReturnType<typeof createAnswers>

interface ShowServices extends AnswerServices {
  /** Drafts that could not be shown yet, by the id of their answer: a retry shows them without asking the model again. */
  readonly pendingDrafts: ReturnType<typeof createLru<Draft>>
}

/** Enough for the questions of a long outage; an answer has a few kilobytes. */
const MAX_PENDING_DRAFTS = 2000
/** Work that is not needed for the request to the model waits this long, milliseconds: in a burst the requests leave first. */
const AFTER_REQUEST_MS = 25

/** Answers to questions, made once; the context of the job is that of the message that asked. */
export const createAnswers = (
  shared: AnswerServices,
  services: ShowServices = { ...shared, pendingDrafts: createLru<Draft>(MAX_PENDING_DRAFTS) },
) => ({
  /**
   * Answers a question, and shows the answer with references and buttons, or a sentence that says why it has no answer.
   * Each is stored as an `AnswerRecord` before it is shown.
   *
   * @returns for a `rewrite` that failed: the sentence that says why. The earlier answer then stays unchanged.
   */
  answer: (ctx: MessageContext, question: Question): Promise<string | undefined> =>
    ask(services, { ...ctx, ...question }),
})

async function ask(services: ShowServices, ctx: QuestionContext): Promise<string | undefined> {
  const rows = answerRows(await ctx.sender.rows())
  if (isShown(rows) && ctx.overwrites !== true) await recordAfterCrash(services, ctx, rows)
  else if (ctx.quiet === true) await answerQuietly(services, ctx, (reply, draft) => show(services, ctx, reply, draft))
  else return answerVisibly(services, ctx, rows)
  return undefined
}

const answerRows = (rows: readonly OutboxRow[]) => rows.filter(({ slot }) => slot.startsWith('answer.'))

/** The first row is closed last: once it is closed, the whole answer is shown. */
const isShown = (rows: readonly OutboxRow[]) =>
  rows.some(({ slot, state }) => slot === FIRST_SLOT && state === 'closed')

async function answerVisibly(
  services: ShowServices,
  ctx: QuestionContext,
  rows: readonly OutboxRow[],
): Promise<string | undefined> {
  const remember = createRememberOnce(services, ctx)
  const requestsLeft = sleep(AFTER_REQUEST_MS)
  const { adapter, sender, log, message } = ctx
  const reply = createStreamedAnswer({
    adapter,
    sender,
    asker: message.author,
    clock: services.clock,
    log,
    growing: stopButton(ctx),
    resumed: await locateRows(rows, ctx),
  })
  const progress = createProgress(ctx, reply, requestsLeft)
  /** Writes the row and the turn while the model thinks: its request needs neither. */
  const writeAhead = async (): Promise<void> => {
    await requestsLeft
    if (progress.isOver()) return
    if (rows.length === 0 && ctx.rewrite === undefined) sender.prepare(FIRST_SLOT)
    void remember()
  }
  void writeAhead()
  progress.tell(ctx.texts.thinking)
  const asked: Retrieval = { model: '', collections: [] }
  // An edit or a rewrite of a question runs for the same job, and asks something else.
  const id = answerId(ctx)
  try {
    // Stopped while it waited: nothing is asked, and a kept answer is not shown.
    ctx.signal.throwIfAborted()
    const draft = services.pendingDrafts.get(id) ?? (await draftAnswer(services, ctx, asked, progress.sink))
    // The answer follows it in the history.
    await remember()
    services.pendingDrafts.set(id, draft)
    await show(services, ctx, reply, draft)
    services.pendingDrafts.delete(id)
    return undefined
  } catch (error) {
    if (error instanceof AdapterError || isStorageAway(error)) throw error
    // A question that was deleted or changed meanwhile must not come into the history.
    if (!ctx.signal.aborted || isStopped(ctx.signal)) await remember().catch(() => undefined)
    return await (ctx.rewrite === undefined
      ? showFailed(services, ctx, reply, { asked, error })
      : giveUpRewriting(ctx, reply, error))
  } finally {
    progress.end()
    await sender.discard()
  }
}

/** Adds the question to the history at the first call. Rewrites are not in it. */
function createRememberOnce(services: AnswerServices, ctx: QuestionContext): () => Promise<void> {
  let remembered: Promise<void> | undefined
  return () => {
    if (ctx.rewrite !== undefined) return Promise.resolve()
    remembered ??= rememberQuestion(services, ctx)
    remembered.catch(() => {})
    return remembered
  }
}

/** Shows the progress until there is text to read. */
function createProgress(
  { adapter, message, texts, signal, log }: QuestionContext,
  reply: StreamedAnswer,
  begin: Promise<void>,
) {
  const working = new AbortController()
  const isOver = () => working.signal.aborted || signal.aborted
  const showStatus = async (status: string): Promise<void> => {
    await begin
    // People who can read the answer already need no status.
    if (isOver() || reply.begun) return
    await adapter.status(message.conversation, status, AbortSignal.any([working.signal, signal]))
  }
  const tell = (status: string): void =>
    void showStatus(status).catch((error: unknown) => log.debug({ err: error }, 'The status could not be shown'))
  const sink: ExpandingSink = {
    push: (text) => reply.push(text),
    retract: () => reply.retract(),
    onWait: (waitMs) => tell(texts.usage.waiting(Math.ceil(waitMs / 1000))),
    onExpand: () => tell(texts.noAnswer.searchingInOtherWords),
  }
  return { tell, sink, isOver, end: () => working.abort('shown') }
}

async function show(
  services: AnswerServices,
  ctx: QuestionContext,
  reply: StreamedAnswer,
  draft: Draft,
): Promise<void> {
  const { text, references, outcome } = draft
  const [record, isFirst] = await Promise.all([
    recordDraft(services, ctx, draft, await reply.shown()),
    isOfModel(draft) && isFirstAnswer(services, ctx),
  ])
  const actions = buttonsUnder(ctx, record, draft.isRewritable)
  const note = isFirst ? ctx.texts.automated(outcome === 'answered') : undefined
  const shown = toShownAndParts(ctx, text)
  const finish = async (whole: string) => {
    const refs = await reply.finish({
      kind: 'answer',
      text: whole,
      references,
      passagesTitle: ctx.texts.conversation.passages,
      ...(outcome === 'nothing' && { isUnsure: true }),
      model: isOfModel(draft) && draft.model !== EXTRACTIVE ? draft.model : undefined,
      note,
      ...(actions.length > 0 ? { actions } : {}),
    })
    await recordShown(services, ctx, refs, { text: isOfModel(draft) ? text : '', noted: record.messages })
  }
  await finish(shown.text)
  try {
    await uploadParts(ctx, shown.parts)
  } catch (error) {
    if (!(error instanceof AdapterError) || isTransientFailure(error)) throw error
    ctx.log.warn(
      { err: error },
      'Long code and tables of an answer stand in its text: this channel takes no files. Allow the app to send files',
    )
    await finish(text)
  }
  await showReferenceCards(services, ctx, record)
}

/** Footbridge's own sentences are not turns of the history: a model would take them for its own words. */
const isOfModel = ({ outcome, model }: Pick<Draft, 'outcome' | 'model'>) =>
  model !== '' && (outcome === 'answered' || outcome === 'plain')

async function showFailed(
  services: AnswerServices,
  ctx: QuestionContext,
  reply: StreamedAnswer,
  { asked, error }: { readonly asked: Retrieval; readonly error: unknown },
): Promise<undefined> {
  const text = await toFailureText(ctx, reply, error)
  if (isStopped(ctx.signal)) await reply.finish({ kind: 'notice', text })
  else {
    const draft: Draft = { ...asked, text, outcome: 'failed', references: [], near: [] }
    const record = await recordDraft(services, ctx, draft, await reply.shown())
    const actions = isWorthRetrying(error) ? [retryButton(ctx, record)] : []
    const refs = await reply.finish({ kind: 'error', text, actions })
    await recordShown(services, ctx, refs, { text: '', noted: record.messages })
  }
  // Removes the files and cards of the earlier answer.
  await uploadParts(ctx, [])
  await showReferenceCards(services, ctx, undefined)
}

/** Keeps the earlier answer and tells the person who pressed why it stays. */
async function giveUpRewriting(
  ctx: QuestionContext,
  reply: StreamedAnswer,
  error: unknown,
): Promise<string | undefined> {
  await reply.settle()
  if (isStopped(ctx.signal)) return undefined
  if (ctx.signal.aborted) throw error
  return toFailureSentence(ctx, error)
}

/** The answer is shown, but after a crash its turns and message ids may not be recorded yet. */
async function recordAfterCrash(
  services: AnswerServices,
  ctx: QuestionContext,
  rows: readonly OutboxRow[],
): Promise<void> {
  if (ctx.rewrite === undefined && ctx.quiet !== true) await rememberQuestion(services, ctx)
  const refs = rows.flatMap(({ ref }) => ref ?? [])
  const text = rows.map((row) => row.text).join('\n')
  const answers = await services.store.answers.ofQuestion(channelKey(ctx.message.conversation), ctx.message.id)
  const newest = answers.at(-1)
  await recordShown(services, ctx, refs, { text: newest === undefined || isOfModel(newest) ? text : '' })
  if (newest === undefined) return
  await uploadParts(ctx, toShownAndParts(ctx, newest.text).parts)
  await showReferenceCards(services, ctx, newest)
}

/** Rows without a message id are sends that a crash cut off: the chat service is searched for their messages. */
async function locateRows(rows: readonly OutboxRow[], ctx: QuestionContext): Promise<readonly OutboxRow[]> {
  if (rows.length === 0) return rows
  for (const row of rows) if (row.ref === undefined) await ctx.sender.locate(row.slot)
  return answerRows(await ctx.sender.rows())
}
