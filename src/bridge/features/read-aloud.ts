import { handOut } from '../delivery/upload.ts'
import { say } from '../delivery/reply.ts'
import { wordsOf, isPlatformFailure } from '../texts/failure-sentence.ts'
import type { Button } from '../delivery/job-context.ts'
import { toSpeech } from '../voice/speech.ts'
import { answerHere } from './guards.ts'
import { ACTION } from '../delivery/button-ids.ts'

/** Reads an answer out, without marks and markup. */
export const speak: Button = {
  id: ACTION.speak,
  async run(ports, doing) {
    const { adapter, author, signal, texts, log } = doing
    const whisper = (text: string) => say(doing, text, { privateTo: author.id })
    const answer = await answerHere(ports, doing)
    if (answer === undefined) return whisper(texts.voice.gone)
    if (adapter.upload === undefined) return whisper(texts.voice.cantSpeak(texts.failures.internal))
    try {
      await handOut(doing, { text: texts.voice.spoken }, async () => {
        const { bytes, mimeType } = await ports.platform.voice.speak(toSpeech(answer.text), { signal })
        return { name: mimeType === 'audio/mpeg' ? 'answer.mp3' : 'answer.audio', mimeType, bytes }
      })
    } catch (error) {
      if (!isPlatformFailure(error) || signal.aborted) throw error
      log.warn({ err: error }, 'An answer could not be read out')
      await whisper(texts.voice.cantSpeak(wordsOf(error)))
    }
  },
}
