import type { Adapter } from '../port/adapter.ts'
import { AdapterError } from '../port/errors.ts'
import { isPassing, isPlatformFailure, sentenceFor, wordsOf } from '../texts/failure-sentence.ts'
import type { Attachment, Message } from '../port/message.ts'
import type { Budgets } from '../channels/budgets.ts'
import { overBudgetSentence } from '../channels/budgets.ts'
import type { Clock, Log, Platform, Transcript } from '../port/platform.ts'
import type { Sources } from '../references/sources.ts'
import type { Store } from '../port/store.ts'
import type { Sender } from '../delivery/outbox-sender.ts'
import type { Texts } from '../texts/texts.ts'
import { filesLanguage } from '../answers/files-language.ts'
import { toLanguageCode } from '../../lib/language.ts'
import { keepMemo, memoId, readMemo, type Memo } from './voice-message.ts'
import { isShown, showInPlace, showMemo } from './show-transcript.ts'
import { vocabulary } from './vocabulary.ts'

export interface HearPorts {
  readonly platform: Platform
  readonly store: Store
  readonly sources: Sources
  readonly budgets: Budgets
  readonly clock: Clock
  readonly maxFileBytes: number
}

export interface HearRun {
  readonly jobId: string
  readonly queue: string
  readonly message: Message
  readonly memo: Attachment
  readonly collection: string
  readonly adapter: Adapter
  readonly sender: Sender
  readonly texts: Texts
  readonly log: Log
  readonly signal: AbortSignal
}

/**
 * Hears a voice note and shows what was understood, as a quote. Resolves with the words, or with undefined when a
 * sentence said why there are none.
 */
export async function hear(ports: HearPorts, run: HearRun): Promise<string | undefined> {
  const { adapter, sender, texts, signal } = run
  const known = await readMemo(ports.store.buttonPayloads, memoId(run.jobId))
  if (known !== undefined) {
    if (!(await isShown(sender))) await showMemo(run, known)
    return known.text
  }
  const working = new AbortController()
  adapter
    .status?.(run.message.conversation, texts.listening, AbortSignal.any([working.signal, signal]))
    .catch((error: unknown) => run.log.debug({ err: error }, 'The status could not be shown'))
  try {
    const over = await spend(ports, run)
    if (over !== undefined) return await refuse(run, over)
    const filesSpeak = filesLanguage(ports, run.collection, signal)
    filesSpeak.catch(() => {})
    const heard = await listen(ports, run)
    await oweRest(ports, run, heard)
    if (heard.text.trim() === '') return await refuse(run, texts.nothingHeard)
    const memo = toMemo(run, heard)
    await keepMemo(ports.store.buttonPayloads, memo, ports.clock)
    const speaks = await filesSpeak
    const translate = speaks !== undefined && memo.language !== undefined && speaks !== memo.language
    await showMemo(run, memo, { translate })
    return memo.text
  } catch (error) {
    if (signal.aborted || isPassing(error)) throw error
    const why = explain(error, run, ports.maxFileBytes)
    if (why === undefined) throw error
    run.log.warn({ err: error }, 'A voice note could not be transcribed')
    return await refuse(run, why)
  } finally {
    working.abort('shown')
    await ports.store.spool.remove(spoolId(run))
  }
}

async function refuse(run: HearRun, why: string): Promise<undefined> {
  await showInPlace(run, 'error', why)
}

/** What is spent before a recording is heard of which nobody tells how long it is: there must be room for something. */
const UNKNOWN_MS = 1000
/** Letters that are said in a minute, about, where the platform does not tell how long it was either. */
const LETTERS_A_MINUTE = 900

const spender = ({ message: { conversation, author } }: HearRun) => ({ conversation, personId: author.id })

/** Counts the minutes; a sentence when there are too many. */
async function spend({ budgets }: HearPorts, run: HearRun): Promise<string | undefined> {
  const { jobId, memo, message, texts } = run
  const minutes = (memo.durationMs ?? UNKNOWN_MS) / 60_000
  const over = await budgets.spend(spender(run), jobId, 'minutes', minutes)
  return over && overBudgetSentence(over, 'take', texts, message.author.language)
}

/** Counts what was heard, where that is known only now: the next one finds it used. */
async function oweRest({ budgets }: HearPorts, run: HearRun, heard: Transcript): Promise<void> {
  if (run.memo.durationMs !== undefined) return
  const minutes =
    heard.durationMs === undefined ? heard.text.length / LETTERS_A_MINUTE : heard.durationMs / 60_000
  await budgets.owe(spender(run), run.jobId, 'minutes', minutes)
}

async function listen(ports: HearPorts, run: HearRun): Promise<Transcript> {
  const bytes = await fetchMemo(ports, run)
  const prompt = await vocabulary(ports, run.collection, run.message.author)
  const { name, mimeType } = run.memo
  const recording = { name, mimeType, bytes, ...(prompt === '' ? {} : { prompt }) }
  const { voice } = ports.platform
  try {
    return await voice.transcribe({ ...recording, format: 'verbose_json' }, { signal: run.signal })
  } catch (error) {
    // A speech model that tells no times still hears.
    if (!isPlatformFailure(error) || !/response_format|verbose_json/i.test(error.message)) throw error
    return voice.transcribe(recording, { signal: run.signal })
  }
}

function toMemo({ jobId, queue, message }: HearRun, heard: Transcript): Memo {
  const { segments, durationMs } = heard
  const language = toLanguageCode(heard.language)
  return {
    jobId,
    queue,
    message,
    text: heard.text.trim(),
    ...(segments === undefined ? {} : { segments }),
    ...(language === undefined ? {} : { language }),
    ...(durationMs === undefined ? {} : { durationMs }),
  }
}

async function fetchMemo(
  ports: { readonly store: Store; readonly maxFileBytes: number },
  run: {
    readonly jobId: string
    readonly memo: Attachment
    readonly adapter: Adapter
    readonly signal: AbortSignal
  },
): Promise<Blob> {
  const id = spoolId(run)
  const stream = await run.adapter.open(run.memo, run.signal)
  await ports.store.spool.write(id, stream, ports.maxFileBytes)
  const bytes = await ports.store.spool.read(id)
  if (bytes === undefined) throw new Error('The recording vanished from the spool.')
  return bytes
}

const spoolId = (run: { readonly jobId: string; readonly memo: Attachment }) => `${run.jobId}#${run.memo.id}`

function explain(
  error: unknown,
  run: { readonly texts: Texts; readonly message: Message },
  maxFileBytes: number,
): string | undefined {
  const { texts } = run
  if (error instanceof RangeError) return texts.fileTooLarge(Math.round(maxFileBytes / 1_000_000))
  if (error instanceof AdapterError) return texts.failures.noTranscription(texts.fileGone(error.message))
  if (!isPlatformFailure(error)) return undefined
  if (error.status === 501) return texts.failures.noSpeechModel
  const isRefusal = ['unsupported', 'invalid', 'not-found', 'too-large', 'server'].includes(error.code)
  if (isRefusal) return texts.failures.noTranscription(wordsOf(error))
  return sentenceFor(error, texts, run.message.author.language)
}
