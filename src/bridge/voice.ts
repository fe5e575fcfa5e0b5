import type { Adapter } from './adapter.ts'
import { AdapterError } from './errors.ts'
import { isPassing, isPlatformFailure, sentenceFor, wordsOf } from './failures.ts'
import type { Attachment, Message } from './message.ts'
import type { Log, Platform } from './ports.ts'
import type { Store } from './store-port.ts'
import type { Sender } from './send.ts'
import { splitMarkdown } from './split.ts'
import type { Texts } from './texts.ts'

const SLOT = 'transcript'
/** Enough names for a speech model to spell them; its prompt holds about 224 tokens. */
const VOCABULARY_CHARS = 600

/**
 * Hears a voice note and shows what was understood, as a quote. Resolves with the words, or with undefined when a
 * sentence said why there are none.
 */
export async function hear(
  ports: { readonly platform: Platform; readonly store: Store; readonly maxFileBytes: number },
  run: {
    readonly jobId: string
    readonly message: Message
    readonly memo: Attachment
    readonly collection: string
    readonly adapter: Adapter
    readonly sender: Sender
    readonly texts: Texts
    readonly log: Log
    readonly signal: AbortSignal
  },
): Promise<string | undefined> {
  const { adapter, sender, texts, memo, signal } = run
  const kept = await heardBefore(sender, texts)
  if (kept !== undefined) return kept
  const working = new AbortController()
  adapter
    .status?.(run.message.conversation, texts.listening, AbortSignal.any([working.signal, signal]))
    .catch((error: unknown) => run.log.debug({ err: error }, 'The status could not be shown'))
  try {
    const bytes = await fetchMemo(ports, run)
    const prompt = await vocabulary(ports.store, run.collection)
    const audio = { name: memo.name, mimeType: memo.mimeType, bytes, ...(prompt === '' ? {} : { prompt }) }
    const { text } = await ports.platform.voice.transcribe(audio, { signal })
    const spoken = text.trim()
    if (spoken === '') {
      await say(run, 'error', texts.nothingHeard)
      return undefined
    }
    await say(run, 'notice', texts.transcript(spoken))
    return spoken
  } catch (error) {
    if (signal.aborted || isPassing(error)) throw error
    const why = explain(error, run, ports.maxFileBytes)
    if (why === undefined) throw error
    run.log.warn({ err: error }, 'A voice note could not be transcribed')
    await say(run, 'error', why)
    return undefined
  } finally {
    working.abort('shown')
    await ports.store.spool.remove(spoolId(run))
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

/** What was heard before a restart: the words stand in the outbox, between the quotation marks. */
async function heardBefore(sender: Sender, texts: Texts): Promise<string | undefined> {
  const rows = (await sender.rows()).filter(({ slot }) => slot === SLOT || slot.startsWith(`${SLOT}.`))
  if (rows.some(({ state }) => state === 'sending')) return undefined
  // A quote over several messages has its closing mark in the last one.
  return unquote(rows.map(({ text }) => text).join(' '), texts)
}

/** Shows it whole: minutes of speech are more than one message of some services. */
async function say(
  { sender, adapter }: { readonly sender: Sender; readonly adapter: Adapter },
  kind: 'notice' | 'error',
  text: string,
): Promise<void> {
  const { textLength: limit, measure } = adapter.limits
  for (const [index, part] of splitMarkdown(text, { limit, measure }).entries()) {
    const slot = index === 0 ? SLOT : `${SLOT}.${index}`
    await sender.show(slot, { kind, text: part })
    await sender.close(slot, part)
  }
}

/** Names that a listener should know: the files of the collection. */
async function vocabulary(store: Store, collection: string): Promise<string> {
  const entries = await store.ledger.ofCollection(collection)
  const names = new Set(entries.map(({ displayName }) => displayName.replace(/\.[^.]+$/, '')))
  return [...names].join(', ').slice(0, VOCABULARY_CHARS)
}

function unquote(text: string, texts: Texts): string | undefined {
  const [before = '', after = ''] = texts.transcript('\u0000').split('\u0000')
  if (!text.startsWith(before) || !text.endsWith(after)) return undefined
  return text.slice(before.length, text.length - after.length)
}
