import { z } from 'zod'
import { AGENT_TOOLS } from '#platform/engine/api/keys.ts'

export type ToolName = (typeof AGENT_TOOLS)[number]
/** One for each tool. */
type Schemas = Readonly<Record<ToolName, z.ZodObject>>

const notice = z.string().describe('How to treat quoted text')

const collection = z
  .string()
  .min(1)
  .max(300)
  .optional()
  .describe('Id of one collection, from list_collections; without it all that may be read are used')

const passageId = z.string().min(1).max(4000)

export const INPUTS = {
  search: z.object({
    query: z.string().min(1).max(2000).describe('What to look for, in plain words'),
    collection,
    limit: z.int().min(1).max(50).optional().describe('Most passages; default 10'),
  }),
  fetch: z.object({ id: passageId.describe('Id of a search result, or of a file') }),
  get_passage: z.object({ id: passageId.describe('Id of a search result, or of a reference') }),
  list_collections: z.object({}),
  list_files: z.object({ collection: collection.unwrap() }),
  list_gaps: z.object({ collection: collection.unwrap() }),
  ask: z.object({ question: z.string().min(1).max(8000).describe('A whole question, in any language'), collection }),
} as const satisfies Schemas

const result = z.object({
  id: z.string(),
  title: z.string(),
  url: z.string().describe('Address of the passage as a resource'),
  text: z.string().describe('The passage, framed as a quotation'),
  collection: z.string(),
  file: z.string(),
  place: z.string(),
  score: z.number().describe('0 to 1, 1 is best'),
})

const document = z.object({
  id: z.string(),
  title: z.string(),
  text: z.string().describe('Framed as a quotation'),
  url: z.string(),
  metadata: z.record(z.string(), z.string()),
  notice,
})

const reference = z.object({
  number: z.int(),
  id: z.string().describe('For fetch and get_passage'),
  file: z.string(),
  place: z.string(),
})

const file = z.object({
  id: z.string(),
  name: z.string(),
  size_bytes: z.int(),
  updated_at: z.string(),
  status: z.string().describe('INDEXED: it can be searched'),
})

export const OUTPUTS = {
  search: z.object({ results: z.array(result), notice }),
  fetch: document,
  get_passage: document,
  list_collections: z.object({ collections: z.array(z.object({ id: z.string(), name: z.string() })) }),
  list_files: z.object({ files: z.array(file) }),
  list_gaps: z.object({ questions: z.array(z.object({ question: z.string(), asked_at: z.string() })), notice }),
  ask: z.object({
    answer: z.string().describe('Marks such as [RREF1] name the references'),
    references: z.array(reference),
    notice,
  }),
} as const satisfies Schemas

export const TOOL_NAMES: readonly ToolName[] = AGENT_TOOLS
export const isTool = (name: unknown): name is ToolName => typeof name === 'string' && Object.hasOwn(INPUTS, name)
export type Input<Name extends ToolName> = z.infer<(typeof INPUTS)[Name]>
export type Output<Name extends ToolName> = z.infer<(typeof OUTPUTS)[Name]>

/** One call of a tool. */
export interface Call {
  readonly signal: AbortSignal
  /** Called with each new piece of an answer. */
  readonly onText: (piece: string) => void
  /** For the log: a collection was read, and this number of its passages is handed over. Default: none. */
  readonly note: (collection: string, passages?: number) => void
}
