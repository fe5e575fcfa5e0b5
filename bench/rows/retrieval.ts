import { measureLibrary, rateOf, type LibraryPlan, type LibraryReport } from '../library-plan.ts'
import type { Figure, Row } from '../row.ts'
import { quantile } from '../statistics.ts'

interface Size extends LibraryPlan {
  readonly row: string
  /** p50 and p95 of a question, where something is wanted. */
  readonly goalsMs: readonly [number | undefined, number | undefined]
}

const questions = 300
const one = { collections: 1, chunksInFile: 250, questions }

const sizes: readonly Size[] = [
  { ...one, row: 'retrieval-1k', files: 4, warmUps: questions, overHttp: true, goalsMs: [0.5, undefined] },
  { ...one, row: 'retrieval-10k', files: 40, overHttp: true, goalsMs: [undefined, 10] },
  { ...one, row: 'retrieval-100k', files: 400, goalsMs: [3, 80] },
  { ...one, row: 'retrieval-1m', files: 4_000, goalsMs: [15, 300] },
  { ...one, row: 'retrieval-1m-in-1000', collections: 1_000, files: 4, goalsMs: [undefined, 300] },
]

const smallest = 100_000

function toFigures(size: Size, report: LibraryReport): Figure[] {
  const { chunks, textBytes, megabytes, cold, first, again, overHttp } = report
  const inThousand = size.collections === 1 ? '' : ` in ${size.collections.toLocaleString('en')} collections`
  const name = `retrieval, ${chunks.toLocaleString('en')} chunks${inThousand}`
  const text = `${(textBytes / 1e6).toFixed(0)} MB of text`
  const timed = (what: string, samples: readonly number[], goals: Size['goalsMs'], detail: string) =>
    [0.5, 0.95].map((part, at): Figure => {
      const goal = goals[at]
      const value = quantile(samples, part)
      return { name: `${name}, ${what}, p${part * 100}`, value, unit: 'ms', goal, detail }
    })
  const none = [undefined, undefined] as const
  return [
    ...(size.warmUps === undefined
      ? []
      : timed('the first questions of a process', cold, none, 'code is compiled meanwhile')),
    ...timed(
      'a question',
      first,
      size.goalsMs,
      `${text}; ${first.length} questions, each new, after ${cold.length} others`,
    ),
    ...timed('the same question again', again, none, 'its words are known'),
    ...(overHttp.length === 0 ? [] : timed('whole extractive answer over HTTP', overHttp, none, '')),
    {
      name: `${name}, memory of the process`,
      value: megabytes.afterQuestions,
      unit: 'MB',
      detail: `${megabytes.file.toFixed(0)} MB of it mapped files; ${megabytes.afterBuild.toFixed(0)} MB after the build, most ever ${megabytes.most.toFixed(0)} MB`,
    },
    {
      name: `${name}, on disk`,
      value: report.diskBytes / 1e6,
      unit: 'MB',
      detail: `${(report.diskBytes / chunks / 1000).toFixed(2)} kB a chunk; built at ${rateOf(report).toFixed(0)} chunks/s`,
    },
  ]
}

/** Search by the engine, one question after the other; each size in a process of its own. */
export const retrievalRows: readonly Row[] = sizes.map((size) => {
  const chunks = size.collections * size.files * size.chunksInFile
  return {
    name: size.row,
    isLarge: chunks > smallest,
    limitMs: chunks > smallest ? 1_800_000 : 180_000,
    run: async (scope) => toFigures(size, await measureLibrary(scope, size)),
  }
})
