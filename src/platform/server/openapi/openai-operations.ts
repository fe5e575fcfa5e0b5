import { createPaths, PROFILES } from '#platform/wire/profile.ts'
import { describe, type Operation } from './operation.ts'

const paths = createPaths(PROFILES.collection, (segment) => segment)

/** Statuses of a question to collections. */
const ASK_REFUSALS = [403, 404, 409, 413, 502, 503, 504]

const responses = describe({ tag: 'Responses', at: 'base', key: 'bearer' })

/** OpenAI's newer shapes. */
export const openAiOperations: readonly Operation[] = [
  responses('createResponse', 'post', paths.responses, 'A response, with `file_search` or without', {
    description:
      'The same answer as a chat gives. `file_search` searches collections: a vector store is one, named by its id, its name or `<owner>/<name>`. ' +
      'The marks stay in the text (`[RREF1]`); each has an annotation with its range in UTF-16 units, the id of its file and its place. ' +
      'Nothing is kept: earlier turns go into `input`. Not done are other tools, background, prompts and conversations: 400 says what to do instead.',
    body: { json: 'ResponseRequest' },
    answers: {
      200: {
        description:
          'Streamed, the events are those of OpenAI, from `response.created` to `response.completed` or `response.incomplete`. ' +
          'A failure is `response.failed`, then an event with an `error`.',
        content: { 'application/json': 'Response', 'text/event-stream': 'ResponseEvent' },
      },
    },
    refuses: ASK_REFUSALS,
  }),
]
