import { z } from 'zod'

const passage = z.object({
  file: z.string(),
  place: z.string().optional(),
  passage: z.string(),
})

/** A passage that people found right, or wrong, for a question. */
export type GoldenPassage = z.output<typeof passage>

const goldenCase = z.object({
  /** Stable: the same question to the same files is the same case. */
  id: z.string().min(1),
  /** Complete: what a follow-up left out is filled in. */
  question: z.string().min(1),
  /**
   * What should come of it. `answer`: an answer, from `expected` where that is known. `refusal`: the files do not say.
   * `other`: anything but an answer from `rejected`.
   */
  want: z.enum(['answer', 'refusal', 'other']),
  expected: z.array(passage),
  rejected: z.array(passage),
  votes: z.object({ up: z.number(), down: z.number() }),
  /** What people wrote with 👎. */
  reasons: z.array(z.string()),
  /** Models that gave the answers which were judged. */
  models: z.array(z.string()),
  /** Plain names, where they were asked for. */
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
      throw new Error(`${name}, line ${index + 1} is no question of a golden set: ${why}`, { cause: error })
    }
  })
}
