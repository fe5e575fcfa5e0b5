import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { z } from 'zod'
import type { CaseResult } from './ask-case.ts'
import type { GoldenCase } from './golden.ts'

type Results = Readonly<Record<string, CaseResult>>

/** A table of counts with each question that got better or worse, and the number of worse ones. */
export function compare(cases: readonly GoldenCase[], now: Baseline, before: Baseline | undefined) {
  // A new question has nothing to be compared with: it is in the counts only.
  const both = cases.filter(({ id }) => before?.results[id] !== undefined)
  const changed = (from: boolean) =>
    both.filter(({ id }) => before?.results[id]?.pass === from && now.results[id]?.pass === !from)
  const better = changed(false)
  const worse = changed(true)
  const lines = [
    ...table(cases, now, before),
    ...listed('Better', '+', better, now, before),
    ...listed('Worse', '-', worse, now, before),
    ...listed('Passage lost, file kept', '~', lostPassages(both, now, before), now, before),
  ]
  return { text: lines.join('\n'), worse: worse.length }
}

function lostPassages(cases: readonly GoldenCase[], now: Baseline, before: Baseline | undefined) {
  return cases.filter(({ id }) => {
    const result = now.results[id]
    return result?.pass === true && result.passage === false && before?.results[id]?.passage === true
  })
}

function table(cases: readonly GoldenCase[], now: Baseline, before: Baseline | undefined): readonly string[] {
  const rows = COUNTS.map(([label, tell]) => [
    label,
    tell(cases, now.results),
    before === undefined ? '' : tell(cases, before.results),
  ])
  const head = ['', 'now', before === undefined ? '' : `baseline of ${before.at.slice(0, 10)}`]
  const all = [head, ['model', now.model, before?.model ?? ''], ...rows]
  const widths = [0, 1, 2].map((column) => Math.max(...all.map((row) => row[column]?.length ?? 0)))
  return all.map((row) =>
    row
      .map((cell, column) => (column === 0 ? cell.padEnd(widths[0] ?? 0) : cell.padStart(widths[column] ?? 0)))
      .join('  ')
      .trimEnd(),
  )
}

type Count = (cases: readonly GoldenCase[], results: Results) => string

/** `3/4`: passed, of the cases that were asked and to which it applies. */
const share =
  (applies: (one: GoldenCase) => boolean, holds: (result: CaseResult) => boolean): Count =>
  (cases, results) => {
    const asked = cases.filter(applies).flatMap(({ id }) => results[id] ?? [])
    return `${asked.filter(holds).length}/${asked.length}`
  }

const every = () => true
const wants = (wanted: GoldenCase['want']) => (one: GoldenCase) => one.want === wanted
const expects = ({ expected }: GoldenCase) => expected.length > 0

const COUNTS: readonly (readonly [string, Count])[] = [
  ['as people want it', share(every, ({ pass }) => pass)],
  ['expected file cited', share(expects, ({ file }) => file === true)],
  ['expected passage cited', share(expects, ({ passage }) => passage === true)],
  ['answered, where wanted', share(wants('answer'), ({ outcome }) => outcome === 'answered')],
  ['refused, where wanted', share(wants('refusal'), ({ outcome }) => outcome === 'refused')],
  ['failed', share(every, ({ outcome }) => outcome === 'failed')],
]

function listed(
  title: string,
  sign: string,
  cases: readonly GoldenCase[],
  now: Baseline,
  before: Baseline | undefined,
): readonly string[] {
  if (cases.length === 0) return []
  const lines = cases.map(({ id, question }) => {
    const was = describe(before?.results[id])
    return `  ${sign} ${question.replaceAll(/\s+/g, ' ').slice(0, 100)}: ${was} → ${describe(now.results[id])}`
  })
  return ['', `${title} (${cases.length}):`, ...lines]
}

function describe(result: CaseResult | undefined): string {
  if (result === undefined) return 'not asked'
  const { outcome, said } = result
  if (outcome === 'failed') return `failed (${said})`
  return outcome === 'answered' && said !== '' ? `answered from ${said}` : outcome
}

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

/** Result of a golden set, to compare later runs with. */
export type Baseline = z.output<typeof baseline>

/** Undefined where it does not exist yet. @throws {Error} a sentence when the file is something else. */
export function readBaseline(path: string): Baseline | undefined {
  if (!existsSync(path)) return undefined
  try {
    return baseline.parse(JSON.parse(readFileSync(path, 'utf8')))
  } catch (error) {
    throw new Error(`${path} is no baseline of an evaluation: remove it, or name another with --baseline.`, {
      cause: error,
    })
  }
}

export function writeBaseline(path: string, kept: Baseline): void {
  writeFileSync(path, `${JSON.stringify(kept, undefined, 2)}\n`)
}
