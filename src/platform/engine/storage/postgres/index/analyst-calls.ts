import { createThread } from '../../thread.ts'
import type { AnalystOperation, AnalystOperations } from './protocol.ts'

/** Asks the analysing thread. */
export type Analyse = <Name extends AnalystOperation>(
  operation: Name,
  request: AnalystOperations[Name]['request'],
) => Promise<AnalystOperations[Name]['result']>

export interface Analysis {
  /** For files… */
  readonly files: Analyse
  /** …and for questions, which don't wait while a long file is being read. */
  readonly questions: Analyse
  close(): Promise<void>
}

function startAnalyst() {
  const thread = createThread(new URL('./analyst.ts', import.meta.url))
  const analyse = ((operation, request) => thread.ask({ operation, request })) as Analyse
  return { analyse, close: () => thread.close() }
}

/** Two threads; each starts with the first call. */
export function createAnalysis(): Analysis {
  const files = startAnalyst()
  const questions = startAnalyst()
  return {
    files: files.analyse,
    questions: questions.analyse,
    async close() {
      await Promise.all([files.close(), questions.close()])
    },
  }
}
