import { createHash } from 'node:crypto'
import type { AnswerRecord, Vote } from '../bridge/port/answer-store.ts'
import type { GoldenCase, GoldenPassage } from './golden.ts'

interface Voted {
  readonly answer: AnswerRecord
  readonly votes: readonly Vote[]
}

/**
 * What people judged, as questions with what is right and wrong for them: one case for each question to the same files.
 * Answers from no file, and those over which people are divided, say nothing.
 */
export function toGolden(
  voted: readonly Voted[],
  options: { readonly collections: boolean },
): readonly GoldenCase[] {
  const byQuestion = Map.groupBy(
    voted.filter(({ answer }) => answer.outcome === 'answered' || answer.outcome === 'nothing'),
    ({ answer }) => keyOf(answer),
  )
  return Array.from(byQuestion.values(), (group) => toCase(group, options)).filter((one) => one !== undefined)
}

const questionOf = ({ query, question }: AnswerRecord) => (query ?? question).trim()

function keyOf(answer: AnswerRecord): string {
  return [questionOf(answer).toLowerCase(), ...answer.collections.toSorted()].join('\n')
}

function toCase(group: readonly Voted[], options: { readonly collections: boolean }): GoldenCase | undefined {
  const [first] = group
  if (first === undefined) return undefined
  const liked = group.filter(({ votes }) => balance(votes) > 0).map(({ answer }) => answer)
  const disliked = group.filter(({ votes }) => balance(votes) < 0).map(({ answer }) => answer)
  const want = wanted(liked, disliked)
  if (want === undefined) return undefined
  const votes = group.flatMap((each) => each.votes)
  return {
    id: createHash('sha256').update(keyOf(first.answer)).digest('base64url').slice(0, 12),
    question: questionOf(first.answer),
    want,
    expected: want === 'answer' ? passagesOf(liked) : [],
    rejected: passagesOf(disliked),
    votes: { up: count(votes, 'up'), down: count(votes, 'down') },
    reasons: votes.flatMap(({ reason }) => reason ?? []),
    models: [...new Set(group.map(({ answer }) => answer.model))],
    ...(options.collections ? { collections: [...first.answer.collections] } : {}),
  }
}

const count = (votes: readonly Vote[], given: Vote['vote']) =>
  votes.filter(({ vote }) => vote === given).length
const balance = (votes: readonly Vote[]) => count(votes, 'up') - count(votes, 'down')

function wanted(
  liked: readonly AnswerRecord[],
  disliked: readonly AnswerRecord[],
): GoldenCase['want'] | undefined {
  const isLiked = (outcome: AnswerRecord['outcome']) => liked.some((answer) => answer.outcome === outcome)
  if (isLiked('answered')) return 'answer'
  if (isLiked('nothing')) return 'refusal'
  // That the files do not say was wrong: so they do.
  if (disliked.some(({ outcome }) => outcome === 'nothing')) return 'answer'
  return disliked.length > 0 ? 'other' : undefined
}

function passagesOf(answers: readonly AnswerRecord[]): GoldenPassage[] {
  const passages = new Map<string, GoldenPassage>()
  for (const { file, place, passage } of answers.flatMap(({ references }) => references)) {
    passages.set(`${file}\n${passage}`, { file, passage, ...(place === undefined ? {} : { place }) })
  }
  return [...passages.values()]
}
