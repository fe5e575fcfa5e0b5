import { fileURLToPath } from 'node:url'
import { productOptions } from './footbridge.ts'
import { startProgram } from './process.ts'

export interface LibraryPlan {
  readonly collections: number
  /** In each collection. */
  readonly files: number
  readonly chunksInFile: number
  /** Each asked twice, first to a collection that was never asked. */
  readonly questions: number
  /** Questions before those, each a new one too. Default: 20. */
  readonly warmUps?: number
  /** Also measure the whole extractive answer. */
  readonly overHttp?: boolean
}

export interface LibraryReport {
  readonly chunks: number
  /** Time of the index passes: from the trigger until all is searchable. */
  readonly passMs: number
  readonly textBytes: number
  /** Of the index, without the files themselves. */
  readonly diskBytes: number
  /** Milliseconds of each question: of those for warming up, of the others, and of those when they are asked again. */
  readonly cold: readonly number[]
  readonly first: readonly number[]
  readonly again: readonly number[]
  readonly overHttp: readonly number[]
  /** Resident memory of the process; `file` is what of it the system can take back: the mapped index. */
  readonly megabytes: {
    readonly afterBuild: number
    readonly afterQuestions: number
    readonly most: number
    readonly file: number
  }
}

const script = fileURLToPath(new URL('./library.ts', import.meta.url))

/** Fills an engine of its own and asks it questions. */
export async function measureLibrary(scope: AsyncDisposableStack, plan: LibraryPlan): Promise<LibraryReport> {
  const program = scope.use(
    await startProgram({
      script,
      args: [JSON.stringify(plan)],
      nodeOptions: productOptions(),
      ready: /^done (.+)$/,
      endsWhenReady: true,
    }),
  )
  return JSON.parse(program.ready[1] ?? '') as LibraryReport
}

export const rateOf = ({ chunks, passMs }: LibraryReport): number => (chunks / passMs) * 1000
