import { setImmediate as nextTurn } from 'node:timers/promises'
import { isStopped } from '../delivery/abort-reason.ts'
import { createReply, type Reply } from '../delivery/streamed-answer.ts'
import { AdapterError } from '../port/errors.ts'
import type { OutboxRow } from '../port/store.ts'
import { buttonsUnder } from './buttons.ts'
import { draftAnswer, type Trail } from './draft.ts'
import { explain, whyNot } from './no-answer.ts'
import type { LookingOut } from './query-expansion.ts'
import type { AskPorts, AskRun, Draft } from './question.ts'
import { keep, rememberAnswer, rememberQuestion, shownBy, toRecord } from './record.ts'

/**
 * From a question to its answer, shown with references and buttons, or to a sentence that says why there is none. Each is
 * kept as an `AnswerRecord`, before it is shown.
 *
 * @returns the sentence why another answer could not be had (`rewrite`): then the earlier one stands as it was.
 */
export async function ask(ports: AskPorts, run: AskRun): Promise<string | undefined> {
  const rows = (await run.sender.rows()).filter(({ slot }) => slot.startsWith('answer.'))
  // The first row is closed last, so a closed one means that the whole answer is out.
  const isDone = rows.some(({ slot, state }) => slot === 'answer.0' && state === 'closed')
  if (isDone && run.again !== true) {
    await catchUp(ports, run, rows)
    return undefined
  }
  if (run.rewrite === undefined) await rememberQuestion(ports, run)
  const working = new AbortController()
  const signs = AbortSignal.any([working.signal, run.signal])
  const tell = async (status: string): Promise<void> => {
    // The model is asked first: to put this call together would keep it waiting, and the other questions of this moment.
    await nextTurn()
    if (signs.aborted) return
    await run.adapter
      .status?.(run.message.conversation, status, signs)
      .catch((error: unknown) => run.log.debug({ err: error }, 'The status could not be shown'))
  }
  void tell(run.texts.thinking)
  const reply = createReply({
    adapter: run.adapter,
    sender: run.sender,
    asker: run.message.author,
    clock: ports.clock,
    log: run.log,
    resumed: await findAgain(rows, run),
  })
  try {
    return await answer(ports, run, reply, {
      push: (text) => reply.push(text),
      waits: (waitMs) => void tell(run.texts.budget.waiting(Math.ceil(waitMs / 1000))),
      looksAgain: () => void tell(run.texts.honest.lookingAgain),
    })
  } finally {
    working.abort('shown')
  }
}

async function answer(
  ports: AskPorts,
  run: AskRun,
  reply: Reply,
  out: LookingOut,
): Promise<string | undefined> {
  const trail: Trail = { model: '', collections: [] }
  try {
    const draft = await draftAnswer(ports, run, trail, out)
    await show(ports, run, reply, draft)
    return undefined
  } catch (error) {
    if (error instanceof AdapterError) throw error
    if (run.rewrite !== undefined) return giveUpRewriting(run, reply, error)
    const told = await explain(run, reply, error)
    if (told === undefined) return undefined
    const draft: Draft = { ...trail, text: told.text, outcome: 'failed', references: [], near: [] }
    const record = toRecord(ports, run, draft)
    await keep(ports, record, draft)
    await shownBy(ports, run, told.refs)
    await rememberAnswer(ports, run, told.refs, told.text)
    return undefined
  }
}

async function show(ports: AskPorts, run: AskRun, reply: Reply, draft: Draft): Promise<void> {
  const { text, references } = draft
  const record = toRecord(ports, run, draft)
  await keep(ports, record, draft)
  const actions = buttonsUnder(run, record)
  const refs = await reply.finish({
    kind: 'answer',
    text,
    references,
    ...(actions.length > 0 ? { actions } : {}),
  })
  await shownBy(ports, run, refs)
  await rememberAnswer(ports, run, refs, text)
}

/** What stands there is a whole answer: it stays, and whoever pressed is told why. */
async function giveUpRewriting(run: AskRun, reply: Reply, error: unknown): Promise<string | undefined> {
  await reply.settle()
  if (isStopped(run.signal)) return undefined
  if (run.signal.aborted) throw error
  return whyNot(run, error)
}

/** The answer is out; the process may have died before it was noted which messages show it. */
async function catchUp(ports: AskPorts, run: AskRun, rows: readonly OutboxRow[]): Promise<void> {
  const refs = rows.flatMap(({ ref }) => ref ?? [])
  const text = rows.map((row) => row.text).join('\n')
  await shownBy(ports, run, refs)
  // Follow-ups must find their way to this conversation.
  await rememberAnswer(ports, run, refs, text)
}

/** Rows whose message is not known are from sends that were cut off by a crash: look whether they got out. */
async function findAgain(rows: readonly OutboxRow[], run: AskRun): Promise<readonly OutboxRow[]> {
  if (rows.length === 0) return rows
  for (const row of rows) if (row.ref === undefined) await run.sender.locate(row.slot)
  return (await run.sender.rows()).filter(({ slot }) => slot.startsWith('answer.'))
}
