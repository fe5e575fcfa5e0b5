import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { z } from 'zod'
import type { CaseResult } from './ask-case.ts'

const result = z.object({
  outcome: z.enum(['answered', 'refused', 'failed']),
  pass: z.boolean(),
  file: z.boolean().optional(),
  passage: z.boolean().optional(),
  said: z.string(),
})
const baseline = z.object({
  /** ISO 8601. */
  at: z.string(),
  model: z.string(),
  results: z.record(z.string(), result),
})

/** How a golden set did, to compare later runs with. */
export interface Baseline {
  readonly at: string
  readonly model: string
  readonly results: Readonly<Record<string, CaseResult>>
}

/** Undefined where there is none yet. @throws {Error} a sentence when the file is something else. */
export function readBaseline(path: string): Baseline | undefined {
  if (!existsSync(path)) return undefined
  try {
    const { results, ...about } = baseline.parse(JSON.parse(readFileSync(path, 'utf8')))
    const entries = Object.entries(results).map(([id, { file, passage, ...rest }]) => [
      id,
      { ...rest, ...(file === undefined ? {} : { file }), ...(passage === undefined ? {} : { passage }) },
    ])
    return { ...about, results: Object.fromEntries(entries) as Baseline['results'] }
  } catch (error) {
    throw new Error(`${path} is no baseline of an evaluation: remove it, or name another with --baseline.`, {
      cause: error,
    })
  }
}

export function writeBaseline(path: string, kept: Baseline): void {
  writeFileSync(path, `${JSON.stringify(kept, undefined, 2)}\n`)
}
