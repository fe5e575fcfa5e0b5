import type { Row } from './row.ts'
import { chatRows } from './rows/chat.ts'
import { collectionRows } from './rows/collections.ts'
import { documentRows } from './rows/document.ts'
import { fileRows } from './rows/files.ts'
import { indexPassRows } from './rows/index-passes.ts'
import { modelAndUserRows } from './rows/models-and-user.ts'
import { openAiRows } from './rows/openai.ts'
import { retrievalRows } from './rows/retrieval.ts'
import { serviceRows } from './rows/service.ts'
import { voiceAndDocumentRows } from './rows/voice-and-documents.ts'

/** The whole contract. */
export const rows: readonly Row[] = [
  ...serviceRows,
  ...modelAndUserRows,
  ...collectionRows,
  ...fileRows,
  ...indexPassRows,
  ...chatRows,
  ...retrievalRows,
  ...voiceAndDocumentRows,
  ...documentRows,
  ...openAiRows,
]

/** How a row is called wherever it is named: its statements, then what it shows. */
export const nameOf = (row: Row) => `${row.ids.join(' ')}: ${row.title}`
