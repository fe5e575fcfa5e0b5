import { questionsIn, withoutCourtesies } from '#lexicon/asked.ts'
import { referenceMark } from '#platform/wire/references.ts'
import type { Passage } from '#platform/engine/api/retrieve.ts'
import { splitHead, toTitle } from '#platform/engine/texts.ts'
import { type ExtractiveAnswer, withMarks } from '../extractive.ts'

/** An answer to one of several questions. */
interface Answered extends ExtractiveAnswer {
  readonly question: string
}

const MARK = /\[RREF(\d{1,4})\]/g

/** The marks of an answer below other answers, whose passages come first. */
const shift = (text: string, by: number): string =>
  text.replaceAll(MARK, (_, number: string) => referenceMark(Number(number) + by))

/**
 * The answers to the questions of one message as one, each below its question, with the refusals of the others. The line
 * before quotations appears once.
 *
 * @returns undefined where none is answered
 */
function joinAnswers(answers: readonly Answered[]): ExtractiveAnswer | undefined {
  if (answers.every(({ refuses }) => refuses)) return undefined
  const heads = new Set<string>()
  const [cited, others]: [Passage[], Passage[]] = [[], []]
  const texts = answers.map((one) => {
    const { head, rest } = splitHead(withMarks(one))
    if (head !== '') heads.add(head)
    const shown = `**${toTitle(one.question)}**\n\n${shift(rest, cited.length).trim()}`
    const count = Math.max(0, ...Array.from(rest.matchAll(MARK), ([, number]) => Number(number)))
    cited.push(...one.passages.slice(0, count))
    others.push(...one.passages.slice(count))
    return shown
  })
  return { text: `${[...heads, ...texts].join('\n\n')}\n`, passages: [...cited, ...others], refuses: false }
}

/** @param before the questions before it in the same message, which may say what it is about. */
type Ask = (question: string, before: readonly string[]) => Promise<ExtractiveAnswer>

/**
 * Each question of a message is answered. One question among other sentences is asked alone where all of them together
 * find nothing.
 */
export async function answerMessage(text: string, ask: Ask): Promise<ExtractiveAnswer> {
  const questions = questionsIn(text)
  const answers: Answered[] = []
  if (questions.length > 1)
    for (const [at, question] of questions.entries())
      // oxlint-disable-next-line no-await-in-loop -- the index answers one question at a time
      answers.push({ ...(await ask(question, questions.slice(0, at))), question })
  const joined = joinAnswers(answers)
  if (joined !== undefined) return joined
  const message = withoutCourtesies(text)
  const whole = await ask(message, [])
  const [alone] = questions
  if (!whole.refuses || questions.length !== 1 || alone === undefined || alone === message) return whole
  const answer = await ask(alone, [])
  return answer.refuses ? whole : answer
}
