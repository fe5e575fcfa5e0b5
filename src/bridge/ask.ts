import type { Adapter } from './adapter.ts'
import type { ChannelMap } from './channel-map.ts'
import { composeMessages } from './converse.ts'
import { saidBefore } from './said-before.ts'
import { AdapterError } from './errors.ts'
import { isPlatformFailure, sentenceFor } from './failures.ts'
import { channelKey, type Message, type MessageRef, type Reference } from './message.ts'
import { EXTRACTIVE, type Models } from './models.ts'
import type { ChatRequest, Clock, Log, Platform } from './ports.ts'
import type { OutboxRow, Store } from './store-port.ts'
import { createReferenceSplitter, type ParsedReference } from './references.ts'
import { createReply, type Reply } from './reply.ts'
import type { Sender } from './send.ts'
import { isStopped } from './stop.ts'
import type { Texts } from './texts.ts'

export interface AskPorts {
  readonly platform: Platform
  readonly store: Store
  readonly channels: ChannelMap
  readonly models: Models
  readonly clock: Clock
}

export interface AskRun {
  readonly lane: string
  readonly message: Message
  readonly question: string
  readonly adapter: Adapter
  readonly sender: Sender
  readonly texts: Texts
  readonly log: Log
  readonly signal: AbortSignal
  /** The question was edited: write over the earlier answer although it was finished. */
  readonly again?: boolean
}

/** From a question to its answer, shown with references, or to a sentence that says why there is none. */
export async function ask(ports: AskPorts, run: AskRun): Promise<void> {
  const rows = (await run.sender.rows()).filter(({ slot }) => slot.startsWith('answer.'))
  // The first row is closed last, so a closed one means that the whole answer is out.
  const isDone = rows.some(({ slot, state }) => slot === 'answer.0' && state === 'closed')
  if (isDone && run.again !== true) {
    // The process may have died between the two: follow-ups must find their way to this conversation.
    const refs = rows.flatMap(({ ref }) => ref ?? [])
    return rememberAnswer(ports, run, refs, rows.map(({ text }) => text).join('\n'))
  }
  await remember(ports, run, 'user', run.message.id, run.question)
  const working = new AbortController()
  const signs = AbortSignal.any([working.signal, run.signal])
  run.adapter
    .status?.(run.message.conversation, run.texts.thinking, signs)
    .catch((error: unknown) => run.log.debug({ err: error }, 'The status could not be shown'))
  const reply = createReply({
    adapter: run.adapter,
    sender: run.sender,
    asker: run.message.author,
    clock: ports.clock,
    log: run.log,
    resumed: await findAgain(rows, run),
  })
  try {
    const answer = await answerQuestion(ports, run, reply)
    const refs = await reply.finish({ kind: 'answer', ...answer })
    await rememberAnswer(ports, run, refs, answer.text)
  } catch (error) {
    if (error instanceof AdapterError) throw error
    await explain(ports, run, reply, error)
  } finally {
    working.abort('shown')
  }
}

/** Rows whose message is not known are from sends that were cut off by a crash: look whether they got out. */
async function findAgain(rows: readonly OutboxRow[], run: AskRun): Promise<readonly OutboxRow[]> {
  if (rows.length === 0) return rows
  for (const row of rows) if (row.ref === undefined) await run.sender.locate(row.slot)
  return (await run.sender.rows()).filter(({ slot }) => slot.startsWith('answer.'))
}

interface Answer {
  readonly text: string
  readonly references: readonly Reference[]
}

async function answerQuestion(ports: AskPorts, run: AskRun, reply: Reply): Promise<Answer> {
  const { texts } = run
  const { conversation } = run.message
  const channel = await ports.channels.of(conversation)
  const fromFiles = await ports.store.ledger.hasReady(channel.collection)
  const model = await ports.models.pick(run.signal)
  if (!fromFiles && model === EXTRACTIVE) return { text: texts.dropFirst, references: [] }
  const before = await saidBefore(ports, run)
  const request: ChatRequest = {
    model,
    messages: composeMessages(run.question, before, fromFiles),
    ...(fromFiles
      ? { collection: (await ports.channels.collection(conversation, run.signal)).collectionId }
      : {}),
  }
  const splitter = createReferenceSplitter()
  let cutByLength = false
  for await (const event of ports.platform.chat.stream(request, { signal: run.signal })) {
    if (event.type === 'text') reply.push(splitter.push(event.text))
    else if (event.type === 'finish') cutByLength = event.reason === 'length'
  }
  const end = splitter.end()
  reply.push(end.tail)
  const notes = [...(fromFiles ? [] : [texts.notFromFiles]), ...(cutByLength ? [texts.cutByLength] : [])]
  const note = notes.map((line) => `\n\n${line}`).join('')
  reply.push(note)
  return { text: end.text + note, references: fromFiles ? toReferences(end) : [] }
}

/** What stands under the answer: the entries that its text cites; all of them where a model sets no marks. */
function toReferences(end: {
  readonly references: readonly ParsedReference[]
  readonly used: ReadonlySet<number>
}): readonly Reference[] {
  const cited = end.references.filter(({ number }) => end.used.has(number))
  return (cited.length > 0 ? cited : end.references).map(({ number, file, place, body }) => ({
    number,
    file,
    passage: body,
    ...(place === undefined ? {} : { place }),
  }))
}

/** A failure becomes one sentence: in place of the answer, or under what was already shown, which is marked as incomplete. */
async function explain(ports: AskPorts, run: AskRun, reply: Reply, error: unknown): Promise<void> {
  const { texts, signal } = run
  if (signal.aborted && !isStopped(signal)) {
    // The process stops, or the question was changed or deleted: whoever aborted takes it from here.
    await reply.settle()
    throw error
  }
  if (signal.aborted) {
    const stopped = reply.begun ? `${closeFence(reply.text)}\n\n${texts.stopped}` : texts.stopped
    await reply.finish({ kind: 'notice', text: stopped })
    return
  }
  if (isPlatformFailure(error)) run.log.warn({ err: error }, 'A question could not be answered')
  else run.log.error({ err: error }, 'A question could not be answered, by a fault of ours')
  const why = sentenceFor(error, texts, run.message.author.language)
  const text = reply.begun ? `${closeFence(reply.text)}\n\n${texts.brokeOff(why)}` : why
  const refs = await reply.finish({ kind: 'error', text })
  await rememberAnswer(ports, run, refs, text)
}

/** A sentence under half a code block must not become code. */
function closeFence(text: string): string {
  const fences = text.match(/^ {0,3}(`{3,}|~{3,})/gm) ?? []
  const last = fences.at(-1)
  return fences.length % 2 === 1 && last !== undefined ? `${text}\n${last.trim()}` : text
}

async function rememberAnswer(
  ports: AskPorts,
  run: AskRun,
  refs: readonly MessageRef[],
  text: string,
): Promise<void> {
  // Every message of the answer leads back to this conversation; the text stands with the first.
  for (const [index, ref] of refs.entries()) {
    await remember(ports, run, 'assistant', ref.id, index === 0 ? text : '')
  }
}

async function remember(
  ports: AskPorts,
  run: AskRun,
  role: 'user' | 'assistant',
  messageId: string,
  text: string,
): Promise<void> {
  await ports.store.transcripts.append(run.lane, channelKey(run.message.conversation), {
    messageId,
    role,
    author: role === 'user' ? run.message.author.id : 'footbridge',
    text,
    at: ports.clock(),
  })
}
