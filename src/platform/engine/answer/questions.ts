import { questionsIn, withoutCourtesies } from '#lexicon/asked.ts'
import { referenceMark } from '#platform/wire/references.ts'
import type { ExtractiveAnswer } from './extractive.ts'

/** An answer to one of several questions. */
interface Answered extends ExtractiveAnswer {
  readonly question: string
}

const MARK = /\[RREF(\d{1,4})\]/g

/** The marks of an answer below other answers, whose passages come first. */
const shift = (text: string, by: number): string =>
  text.replaceAll(MARK, (_, number: string) => referenceMark(Number(number) + by))

/**
 * The answers to the questions of one message as one, each below its question, with the refusals of the others.
 *
 * @returns undefined where none is answered
 */
function joinAnswers(answers: readonly Answered[]): ExtractiveAnswer | undefined {
  if (answers.every(({ refuses }) => refuses)) return undefined
  let count = 0
  const texts = answers.map(({ question, text, passages, refuses }) => {
    const shown = `**${question}**\n\n${(refuses ? text : shift(text, count)).trim()}`
    if (!refuses) count += passages.length
    return shown
  })
  const passages = answers.flatMap((one) => (one.refuses ? [] : one.passages))
  return { text: `${texts.join('\n\n')}\n`, passages, refuses: false }
}

/**
 * Each question of a message is answered. One question among other sentences is asked alone where all of them together
 * find nothing.
 */
export async function answerMessage(
  text: string,
  ask: (question: string) => Promise<ExtractiveAnswer>,
): Promise<ExtractiveAnswer> {
  const questions = questionsIn(text)
  const answers: Answered[] = []
  // oxlint-disable-next-line no-await-in-loop -- the index answers one question at a time
  if (questions.length > 1) for (const question of questions) answers.push({ ...(await ask(question)), question })
  const joined = joinAnswers(answers)
  if (joined !== undefined) return joined
  const message = withoutCourtesies(text)
  const whole = await ask(message)
  const [alone] = questions
  if (!whole.refuses || questions.length !== 1 || alone === undefined || alone === message) return whole
  const answer = await ask(alone)
  return answer.refuses ? whole : answer
}
