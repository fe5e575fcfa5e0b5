import { allPhrases, matchWhole } from '#lexicon/match.ts'
import { createStreamedAnswer } from '../delivery/streamed-answer.ts'
import { EXTRACTIVE } from '../channels/models.ts'
import { AdapterError } from '../port/errors.ts'
import { draftAnswer } from './draft.ts'
import type { AnswerServices, Draft, QuestionContext } from './question.ts'
import { rememberQuestion } from './record.ts'

/** Share of the question's words that a passage must have for an answer without a language model. */
const MIN_COVERED = 0.55
const STEM = 4
const COMMON = matchWhole(allPhrases('requests', 'common'))

/**
 * Whether the files certainly answer it. A language model refuses by itself when they do not. The built-in model always
 * quotes the nearest passage, so that passage must have enough words of the question.
 */
function isSure(question: string, { outcome, references, model }: Draft): boolean {
  if (outcome !== 'answered' || references.length === 0) return false
  if (model !== EXTRACTIVE) return true
  const asked = stemsOf(question)
  const said = stemsOf(references.map(({ file, passage }) => `${file} ${passage}`).join(' '))
  const covered = [...asked].filter((stem) => said.has(stem)).length
  return asked.size > 0 && covered / asked.size >= MIN_COVERED
}

/** The beginnings of words that carry meaning; of scripts without spaces, pairs of characters. */
function stemsOf(text: string): ReadonlySet<string> {
  const stems = new Set<string>()
  for (const [word] of text.toLowerCase().matchAll(/[\p{L}\p{N}]+/gu)) {
    if (/[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Thai}]/u.test(word))
      for (let at = 0; at + 1 < word.length; at += 1) stems.add(word.slice(at, at + 2))
    else if ((word.length > 3 || /\d/.test(word)) && !COMMON.test(word)) stems.add(word.slice(0, STEM))
  }
  return stems
}

const NO_OUTPUT = { push: () => {}, onWait: () => {}, onExpand: () => {} }

/**
 * Answers a question that does not address Footbridge, or says nothing: only an answer with references is shown, whole
 * and at once. While the files are searched, the question is marked as seen.
 *
 * @param show shows a draft and records it
 */
export async function answerQuietly(
  services: AnswerServices,
  ctx: QuestionContext,
  show: (reply: ReturnType<typeof createStreamedAnswer>, draft: Draft) => Promise<void>,
): Promise<void> {
  const { adapter, message, sender, log, signal } = ctx
  const { clock } = services
  const mark = async (isSeen: boolean) =>
    adapter
      .mark?.({ conversation: message.conversation, id: message.id }, 'seen', isSeen)
      .catch((error: unknown) => log.debug({ err: error }, 'A question could not be marked as seen'))
  await mark(true)
  try {
    const draft = await draftAnswer(services, ctx, { model: '', collections: [] }, NO_OUTPUT)
    if (!isSure(ctx.question, draft)) return await mark(false)
    await rememberQuestion(services, ctx)
    const resumed = (await sender.rows()).filter(({ slot }) => slot.startsWith('answer.'))
    await show(createStreamedAnswer({ adapter, sender, asker: message.author, clock, log, resumed }), draft)
  } catch (error) {
    if (error instanceof AdapterError || signal.aborted) throw error
    log.info({ err: error }, 'A question without a mention could not be looked up; it stays without an answer')
    await mark(false)
  }
}
