import type { JobContext, MessageContext } from '../delivery/job-context.ts'
import type { Attachment } from '../port/message.ts'
import { showTranscript } from './show-transcript.ts'
import { transcribe, type VoiceServices } from './transcribe.ts'
import { translateTranscript } from './translate-transcript.ts'
import { keepVoiceMessage, readVoiceMessage, type VoiceMessage } from './voice-message.ts'

export type Voice = ReturnType<typeof createVoice>

/** Transcribes, shows and translates voice messages; made once. */
export const createVoice = (services: VoiceServices) => ({
  /** Shows the transcript. Resolves with the text, or with undefined after a sentence with the reason. */
  transcribe: (ctx: MessageContext, recording: Attachment, collection: string): Promise<string | undefined> =>
    transcribe(services, { ...ctx, recording, collection }),

  /** Loads it by the value of a transcript button; undefined: no longer stored. */
  read: (id: string): Promise<VoiceMessage | undefined> => readVoiceMessage(services.store.buttonPayloads, id),

  /** Stores a correction or translation and shows it in place of the transcript. */
  async show(ctx: MessageContext, voiceMessage: VoiceMessage): Promise<void> {
    await keepVoiceMessage(services.store.buttonPayloads, voiceMessage, services.clock)
    await showTranscript(ctx, voiceMessage)
  },

  /** Into the language of the files; undefined if nothing can translate it. */
  translate: (
    ctx: JobContext,
    voiceMessage: VoiceMessage,
  ): Promise<{ readonly text: string; readonly language: string } | undefined> =>
    translateTranscript(services, ctx, voiceMessage),
})
