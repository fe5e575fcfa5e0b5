import type { ChannelMap } from '../channels/channel-map.ts'
import type { Models } from '../channels/models.ts'
import type { MessageContext } from '../delivery/job-context.ts'
import { AdapterError, isTransientFailure, isPlatformFailure, isTooLarge, TooLargeError } from '../port/errors.ts'
import { sentenceFor, wordsOf } from '../texts/errors.ts'
import type { Attachment } from '../port/message.ts'
import { overBudgetSentence, type Budgets } from '../channels/budgets.ts'
import type { Clock, Platform, Transcript } from '../port/platform.ts'
import type { Sources } from '../references/sources.ts'
import type { Store } from '../port/store.ts'
import { filesLanguage } from '../answers/files-language.ts'
import { readLimited } from '#lib/read-limited.ts'
import { toLanguageCode } from '#lib/language.ts'
import { keepVoiceMessage, voiceMessageId, readVoiceMessage, type VoiceMessage } from './voice-message.ts'
import { isShown, replaceTranscript, showListening, showTranscript } from './show-transcript.ts'
import { parseCaptions, toTime } from './transcript.ts'
import { vocabulary } from './vocabulary.ts'

export interface VoiceServices {
  readonly platform: Platform
  readonly store: Store
  readonly sources: Sources
  readonly budgets: Budgets
  readonly channels: Pick<ChannelMap, 'of'>
  readonly models: Pick<Models, 'pick'>
  readonly clock: Clock
  readonly maxFileBytes: number
}

/** A voice message in its channel. */
export type RecordingContext = MessageContext & { readonly recording: Attachment; readonly collection: string }

/**
 * Transcribes a voice message and shows the transcript as a quote. Resolves with the text, or with undefined after a
 * sentence with the reason.
 */
export async function transcribe(services: VoiceServices, ctx: RecordingContext): Promise<string | undefined> {
  const { sender, texts, signal } = ctx
  const known = await readVoiceMessage(services.store.buttonPayloads, voiceMessageId(ctx.jobId))
  if (known !== undefined) {
    if (!(await isShown(sender))) await showTranscript(ctx, known)
    return known.text
  }
  const working = new AbortController()
  const progress = showProgress(ctx, AbortSignal.any([working.signal, signal]))
  try {
    if (isTooLong(ctx.recording)) return await refuse(ctx, texts.voice.tooLong(MAX_RECORDING_MS / 60_000))
    const over = await chargeMinutes(services, ctx)
    if (over !== undefined) return await refuse(ctx, over)
    const filesSpeak = filesLanguage(services, ctx.collection, signal)
    filesSpeak.catch(() => {})
    const heard = await listen(services, ctx)
      .catch((error: unknown) => transcriptOfService(ctx, error))
      .finally(progress.end)
    await chargeRest(services, ctx, heard)
    if (heard.text.trim() === '') return await refuse(ctx, texts.nothingHeard)
    const voiceMessage = toVoiceMessage(ctx, heard)
    await keepVoiceMessage(services.store.buttonPayloads, voiceMessage, services.clock)
    const speaks = await filesSpeak
    const translate = speaks !== undefined && voiceMessage.language !== undefined && speaks !== voiceMessage.language
    await showTranscript(ctx, voiceMessage, { translate })
    return voiceMessage.text
  } catch (error) {
    if (signal.aborted || isTransientFailure(error)) throw error
    const why = toRefusal(error, ctx, services.maxFileBytes)
    if (why === undefined) throw error
    ctx.log.warn({ err: error }, 'Voice message could not be transcribed; whoever sent it was told why')
    return await refuse(ctx, why)
  } finally {
    working.abort('shown')
    await services.store.spool.remove(spoolId(ctx))
  }
}

/** Longest recording that the platform accepts; a longer one is refused before the download. */
const MAX_RECORDING_MS = 600_000
/** Tolerance, since chat services round the length of a recording. */
const ROUNDED_MS = 1_000

const isTooLong = ({ durationMs = 0, captions }: Attachment) =>
  durationMs > MAX_RECORDING_MS + ROUNDED_MS && captions === undefined

/** Interval at which the status of a long recording shows the time that has passed. */
const PROGRESS_MS = 10_000
const LONG_RECORDING_MS = 60_000

/** `end` stops it, and resolves when the last update is shown. */
function showProgress(ctx: RecordingContext, signal: AbortSignal): { readonly end: () => Promise<void> } {
  const { adapter, message, recording, texts, log } = ctx
  const tell = (status: string) =>
    adapter
      .status(message.conversation, status, signal)
      .catch((error: unknown) => log.debug({ err: error }, 'The status could not be shown'))
  void tell(texts.listening)
  const { durationMs = LONG_RECORDING_MS } = recording
  if (durationMs < LONG_RECORDING_MS) return { end: async () => {} }
  let passedMs = 0
  let shown: Promise<unknown> | undefined
  const timer = setInterval(() => {
    passedMs += PROGRESS_MS
    const length = recording.durationMs === undefined ? undefined : toTime(recording.durationMs)
    if (adapter.limits.wordlessStatus !== true) {
      void tell(texts.voice.listening(toTime(passedMs), length))
      return
    }
    shown ??= showListening(ctx, texts.voice.listeningNow(toTime(passedMs), length))
      .catch((error: unknown) => log.debug({ err: error }, 'The progress of a recording could not be shown'))
      .finally(() => (shown = undefined))
  }, PROGRESS_MS).unref()
  const stop = () => clearInterval(timer)
  signal.addEventListener('abort', stop, { once: true })
  return {
    async end() {
      stop()
      await shown
    },
  }
}

/** Falls back to the chat service's own transcript when no speech model can transcribe. */
async function transcriptOfService(ctx: RecordingContext, error: unknown): Promise<Transcript> {
  const { captions } = ctx.recording
  if (captions === undefined || !isPlatformFailure(error) || ctx.signal.aborted) throw error
  try {
    const stream = await ctx.adapter.open({ ...ctx.recording, locator: captions }, ctx.signal)
    const bytes = await readLimited(stream, MAX_CAPTIONS)
    const heard = parseCaptions(bytes?.toString('utf8') ?? '')
    if (heard.text === '') throw error
    ctx.log.info({ err: error }, 'A recording could not be transcribed: the transcript of the chat service is used')
    return heard
  } catch (failure) {
    ctx.log.debug({ err: failure }, 'The chat service has no transcript of a recording')
    throw error
  }
}

const MAX_CAPTIONS = 1_000_000

async function refuse(ctx: RecordingContext, why: string): Promise<undefined> {
  await replaceTranscript(ctx, 'error', why)
}

/** Counted against the budget before a recording of unknown length is transcribed, milliseconds. */
const UNKNOWN_MS = 1000
/** Estimate of letters spoken per minute, for recordings without any reported length. */
const LETTERS_A_MINUTE = 900

const budgetUser = ({ message: { conversation, author } }: RecordingContext) => ({ conversation, personId: author.id })

/** Counts the minutes against the budget; returns a sentence if they exceed it. */
async function chargeMinutes({ budgets }: VoiceServices, ctx: RecordingContext): Promise<string | undefined> {
  const { jobId, recording, message, texts } = ctx
  const minutes = (recording.durationMs ?? UNKNOWN_MS) / 60_000
  const over = await budgets.charge(budgetUser(ctx), jobId, 'minutes', minutes)
  return over && overBudgetSentence(over, 'take', texts, message.author)
}

/** Counts the remaining minutes, when the length is known only after the transcription. */
async function chargeRest({ budgets }: VoiceServices, ctx: RecordingContext, heard: Transcript): Promise<void> {
  if (ctx.recording.durationMs !== undefined) return
  const minutes = heard.durationMs === undefined ? heard.text.length / LETTERS_A_MINUTE : heard.durationMs / 60_000
  await budgets.chargeLater(budgetUser(ctx), ctx.jobId, 'minutes', minutes)
}

async function listen(services: VoiceServices, ctx: RecordingContext): Promise<Transcript> {
  const bytes = await download(services, ctx)
  const prompt = await vocabulary(services, ctx.collection, ctx.message.author)
  const { name, mimeType } = ctx.recording
  const recording = { name, mimeType, bytes, ...(prompt === '' ? {} : { prompt }) }
  const { voice } = services.platform
  try {
    return await voice.transcribe({ ...recording, format: 'verbose_json' }, { signal: ctx.signal })
  } catch (error) {
    // A speech model without times can still transcribe.
    if (!isPlatformFailure(error) || !/response_format|verbose_json/i.test(error.message)) throw error
    return voice.transcribe(recording, { signal: ctx.signal })
  }
}

function toVoiceMessage({ jobId, queue, message }: RecordingContext, heard: Transcript): VoiceMessage {
  const { segments, durationMs } = heard
  const language = toLanguageCode(heard.language)
  return { jobId, queue, message, text: heard.text.trim(), segments, language, durationMs }
}

async function download(services: VoiceServices, ctx: RecordingContext): Promise<Blob> {
  const id = spoolId(ctx)
  if ((ctx.recording.sizeBytes ?? 0) > services.maxFileBytes) throw new TooLargeError('too large')
  const stream = await ctx.adapter.open(ctx.recording, ctx.signal)
  await services.store.spool.write(id, stream, services.maxFileBytes)
  const bytes = await services.store.spool.read(id)
  if (bytes === undefined) throw new Error('The recording vanished from the spool.')
  return bytes
}

const spoolId = (ctx: RecordingContext) => `${ctx.jobId}#${ctx.recording.id}`

function toRefusal(error: unknown, ctx: RecordingContext, maxFileBytes: number): string | undefined {
  const { texts } = ctx
  if (isTooLarge(error)) return texts.fileTooLarge(Math.round(maxFileBytes / 1_000_000))
  if (error instanceof AdapterError) return texts.failures.noTranscription(texts.failures.noFile(error))
  if (!isPlatformFailure(error)) return undefined
  if (error.status === 501) return texts.failures.noSpeechModel
  const isRefusal = ['unsupported', 'invalid', 'not-found', 'too-large', 'server'].includes(error.code)
  if (isRefusal) return texts.failures.noTranscription(wordsOf(error))
  return sentenceFor(error, texts, ctx.message.author)
}
