import type { JobContext, MessageContext } from '../delivery/job-context.ts'
import type { Attachment } from '../port/message.ts'
import { showTranscript } from './show-transcript.ts'
import { transcribe, type VoiceServices } from './transcribe.ts'
import { translateTranscript } from './translate-transcript.ts'
import { keepVoiceMessage, readVoiceMessage, type VoiceMessage } from './voice-message.ts'

export type Voice = ReturnType<typeof createVoice>

/** Voice messages, heard, shown and translated; made once. */
export const createVoice = (services: VoiceServices) => ({
  /** Shows the transcript. Resolves with the words, or with undefined when a sentence said why there are none. */
  transcribe: (ctx: MessageContext, recording: Attachment, collection: string): Promise<string | undefined> =>
    transcribe(services, { ...ctx, recording, collection }),

  /** Finds it by the value of a button under the transcript; undefined: it is forgotten. */
  read: (id: string): Promise<VoiceMessage | undefined> => readVoiceMessage(services.store.buttonPayloads, id),

  /** Keeps corrected or translated words and shows them in the place of the transcript. */
  async show(ctx: MessageContext, voiceMessage: VoiceMessage): Promise<void> {
    await keepVoiceMessage(services.store.buttonPayloads, voiceMessage, services.clock)
    await showTranscript(ctx, voiceMessage)
  },

  /** In the language of the files; undefined where nothing can translate it. */
  translate: (
    ctx: JobContext,
    voiceMessage: VoiceMessage,
  ): Promise<{ readonly text: string; readonly language: string } | undefined> =>
    translateTranscript(services, ctx, voiceMessage),
})
