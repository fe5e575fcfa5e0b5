import { ACTION } from '#bridge/delivery/button-ids.ts'
import { uploadOnce, type JobContext, type MessageContext } from '#bridge/delivery/job-context.ts'
import { isPlatformFailure } from '#bridge/port/errors.ts'
import { channelKey } from '#bridge/port/keys.ts'
import { wordsOf } from '#bridge/texts/errors.ts'
import { textsFor } from '#bridge/texts/texts.ts'
import { withSpoken, parseCorrection, toSpeech } from '#bridge/voice/transcript.ts'
import { toNote, type VoiceMessage } from '#bridge/voice/voice-message.ts'
import { answerOf, type Feature, isOfChannel, type JobServices, type Press } from '../feature.ts'

/** The buttons under a transcript (correct it, translate it, keep it as a file), and the one that reads an answer aloud. */
export const createVoiceMessages = (services: JobServices): Feature => ({
  buttons: [
    { id: ACTION.voiceEdit, rewrites: true, run: (ctx, press) => withVoiceMessage(services, ctx, press, correct) },
    {
      id: ACTION.voiceTranslate,
      rewrites: true,
      run: (ctx, press) => withVoiceMessage(services, ctx, press, translate),
    },
    { id: ACTION.voiceKeep, run: (ctx, press) => withVoiceMessage(services, ctx, press, keep) },
    { id: ACTION.readAloud, run: (ctx, press) => readAloud(services, ctx, press) },
  ],
})

/** Runs `work` with the voice message of this button; says so if it is no longer stored or from another channel. */
async function withVoiceMessage(
  services: JobServices,
  ctx: JobContext,
  press: Press,
  work: (services: JobServices, ctx: JobContext, voiceMessage: VoiceMessage, press: Press) => Promise<void>,
): Promise<void> {
  const voiceMessage = await services.voice.read(press.value)
  if (voiceMessage !== undefined && isOfChannel(ctx, channelKey(voiceMessage.message.conversation)))
    return work(services, ctx, voiceMessage, press)
  await ctx.whisper(ctx.texts.voice.gone)
}

async function correct(services: JobServices, ctx: JobContext, heard: VoiceMessage, press: Press): Promise<void> {
  const { voice } = ctx.texts
  if (ctx.author.id !== heard.message.author.id) return leaveUnchanged(services, ctx, heard, voice.notYours)
  const text = parseCorrection(press.text ?? '')
  if (text === '' || text === heard.text) return leaveUnchanged(services, ctx, heard, voice.nothingTyped)
  const { segments: _, ...words } = heard
  await askAgain(services, ctx, { ...words, text, edited: true })
}

/** Translates the transcript into the language of the files, and answers that. */
async function translate(services: JobServices, ctx: JobContext, heard: VoiceMessage): Promise<void> {
  const translated = await services.voice.translate(ctx, heard)
  if (translated === undefined) return leaveUnchanged(services, ctx, heard, ctx.texts.voice.cantTranslate)
  const { segments: _, ...words } = heard
  await askAgain(services, ctx, { ...words, ...translated, edited: true })
}

/** Saves the recording's transcript as a file of the channel; references name the second. */
async function keep(services: JobServices, ctx: JobContext, heard: VoiceMessage): Promise<void> {
  const saved = await services.files.saveNote(ctx, await toNote(ctx, heard))
  if (saved === undefined) await ctx.whisper(ctx.texts.notCollecting)
}

/** Says why nothing changes. The press interrupted a running answer, so that one is finished. */
async function leaveUnchanged(services: JobServices, ctx: JobContext, heard: VoiceMessage, why: string): Promise<void> {
  await ctx.whisper(why)
  const rows = await services.store.outbox.ofJob(heard.jobId)
  const isAnswered = rows.some(({ slot, state }) => slot === 'answer.0' && state === 'closed')
  // The answer counts against the budget of the person who asked.
  const asked = { ...ctx, eventId: heard.jobId, author: heard.message.author }
  if (!isAnswered) await askAgain(services, asked, heard)
}

/** Shows the changed transcript and its answer in place of the earlier ones. */
async function askAgain(services: JobServices, ctx: JobContext, heard: VoiceMessage): Promise<void> {
  const { message, jobId, queue, text } = heard
  const { answers, voice, readsOut } = services
  const texts = textsFor(message.author.language)
  const sender = ctx.senderFor(message.conversation, message.id, jobId)
  const asked: MessageContext = { ...ctx, jobId, queue, message, sender, texts }
  await voice.show(asked, heard)
  await answers.answer(asked, { question: withSpoken(message.text, text, texts), overwrites: true, readsOut })
}

/** Reads an answer aloud, without marks and markup. */
async function readAloud({ store, platform }: JobServices, ctx: JobContext, press: Press): Promise<void> {
  const { signal, log } = ctx
  const { voice, failures } = ctx.texts
  const answer = await answerOf(store, ctx, press)
  if (answer === undefined) return ctx.whisper(voice.gone)
  if (ctx.adapter.upload === undefined) return ctx.whisper(voice.cantSpeak(failures.internal))
  try {
    await uploadOnce(ctx, { text: voice.spoken }, async () => {
      const { bytes, mimeType } = await platform.voice.speak(toSpeech(answer.text), { signal })
      return { name: mimeType === 'audio/mpeg' ? 'answer.mp3' : 'answer.audio', mimeType, bytes }
    })
  } catch (error) {
    if (!isPlatformFailure(error) || signal.aborted) throw error
    log.warn({ err: error }, 'An answer could not be read aloud; whoever asked was told why')
    await ctx.whisper(voice.cantSpeak(wordsOf(error)))
  }
}
