import { z } from 'zod'
import { createHash } from 'node:crypto'
import type { AnswerRecord, Vote } from '#bridge/port/records.ts'

const goldenPassage = z.object({ file: z.string(), place: z.string().optional(), passage: z.string() })

/** A passage that people found right, or wrong, for a question. */
export type GoldenPassage = z.output<typeof goldenPassage>

const goldenCase = z.object({
  /** Stable: the same question to the same files is the same case. */
  id: z.string().min(1),
  /** Complete question: a follow-up is rewritten as one. */
  question: z.string().min(1),
  /**
   * Expected outcome. `answer`: an answer, from `expected` where that is known. `refusal`: the files do not say.
   * `other`: anything but an answer from `rejected`.
   */
  want: z.enum(['answer', 'refusal', 'other']),
  expected: z.array(goldenPassage),
  rejected: z.array(goldenPassage),
  votes: z.object({ up: z.number(), down: z.number() }),
  /** Words that people wrote with 👎. */
  reasons: z.array(z.string()),
  /** Models of the judged answers. */
  models: z.array(z.string()),
  /** Plain names of the collections, with `--collections`. */
  collections: z.array(z.string()).optional(),
})

export type GoldenCase = z.output<typeof goldenCase>

/** One case a line. */
export function printGolden(cases: readonly GoldenCase[]): string {
  return cases.map((one) => `${JSON.stringify(one)}\n`).join('')
}

/** @throws {Error} a sentence that names the line. */
export function readGolden(text: string, name: string): readonly GoldenCase[] {
  return text.split('\n').flatMap((line, index) => {
    if (line.trim() === '') return []
    try {
      return [goldenCase.parse(JSON.parse(line))]
    } catch (error) {
      const why = error instanceof z.ZodError ? z.prettifyError(error) : 'it is no JSON'
      throw new Error(`${name}, line ${index + 1} is not a question of a golden set: ${why}`, { cause: error })
    }
  })
}

interface Voted {
  readonly answer: AnswerRecord
  readonly votes: readonly Vote[]
}

/**
 * Makes a golden set from votes: one case for each question to the same files. Answers without files, and answers with
 * divided votes, are left out.
 */
export function toGolden(voted: readonly Voted[], options: { readonly collections: boolean }): readonly GoldenCase[] {
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
    collections: options.collections ? [...first.answer.collections] : undefined,
  }
}

const count = (votes: readonly Vote[], kind: Vote['vote']) => votes.filter(({ vote }) => vote === kind).length
const balance = (votes: readonly Vote[]) => count(votes, 'up') - count(votes, 'down')

function wanted(liked: readonly AnswerRecord[], disliked: readonly AnswerRecord[]): GoldenCase['want'] | undefined {
  const isLiked = (outcome: AnswerRecord['outcome']) => liked.some((answer) => answer.outcome === outcome)
  if (isLiked('answered')) return 'answer'
  if (isLiked('nothing')) return 'refusal'
  // The refusal was judged wrong: the files do answer.
  if (disliked.some(({ outcome }) => outcome === 'nothing')) return 'answer'
  return disliked.length > 0 ? 'other' : undefined
}

function passagesOf(answers: readonly AnswerRecord[]): GoldenPassage[] {
  const passages = new Map<string, GoldenPassage>()
  for (const { file, place, passage } of answers.flatMap(({ references }) => references)) {
    passages.set(`${file}\n${passage}`, { file, passage, place })
  }
  return [...passages.values()]
}
