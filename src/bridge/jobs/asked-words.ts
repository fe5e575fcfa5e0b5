import type { MessageContext } from '../delivery/job-context.ts'
import type { JobServices } from '../features/feature.ts'
import { AdapterError, isTransientFailure } from '../port/errors.ts'
import { withSpoken } from '../voice/transcript.ts'
import { decodeText } from '#lib/decode.ts'
import { readLimited } from '#lib/read-limited.ts'
import { soundsLikeQuestion } from '../answers/rewrite-question.ts'
import type { Heard } from './heard.ts'

/** A larger file was not typed as a question. */
const MAX_PASTE_BYTES = 100_000
/** A longer text is searched by its two ends: the question is there. */
const MAX_QUESTION_CHARS = 6000

/** The words of a question: typed, spoken, or both. Undefined: it has no words. */
export async function heardWords(
  services: JobServices,
  ctx: MessageContext,
  { question, sounds }: Pick<Heard, 'question' | 'sounds'>,
): Promise<string | undefined> {
  const [first, ...more] = sounds
  if (first === undefined) return question
  const { collection } = await services.channels.of(ctx.conversation)
  const spoken = await services.voice.transcribe(ctx, first, collection)
  if (more.length > 0) await ctx.sender.show('unheard', { kind: 'notice', text: ctx.texts.voice.firstOnly })
  // Why a recording could not be heard is said in its place; the typed question is answered without it.
  return spoken === undefined ? question : withSpoken(question ?? '', spoken, ctx.texts)
}

/**
 * The question in a file that the client made of a long text. In a direct message everything is addressed to us: a
 * pasted text is then a question only if it asks something. Undefined: it is not a question.
 */
export async function pastedQuestion({ adapter, signal, message, log }: MessageContext): Promise<string | undefined> {
  const paste = message.attachments.find(({ isPaste }) => isPaste)
  if (paste === undefined) return undefined
  try {
    const bytes = await readLimited(await adapter.open(paste, signal), MAX_PASTE_BYTES)
    const text = bytes === undefined ? '' : decodeText(bytes).trim()
    const isQuestion = !message.conversation.direct || asks(text)
    return text === '' || !isQuestion ? undefined : ends(text)
  } catch (error) {
    if (signal.aborted || isTransientFailure(error)) throw error
    if (!(error instanceof AdapterError)) log.debug({ err: error }, 'A pasted text could not be read as a question')
    return undefined
  }
}

/** The first or the last sentence is where people ask. */
function asks(text: string): boolean {
  const lines = text.split('\n').filter((line) => line.trim() !== '')
  return soundsLikeQuestion(lines[0] ?? '') || soundsLikeQuestion(lines.at(-1) ?? '')
}

function ends(text: string): string {
  if (text.length <= MAX_QUESTION_CHARS) return text
  const half = MAX_QUESTION_CHARS / 2
  return `${text.slice(0, half)}\n…\n${text.slice(-half)}`
}
