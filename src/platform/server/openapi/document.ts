import {
  limitHeader,
  RATE_LIMIT_WINDOWS,
  remainingHeader,
  RESET_HEADER,
  RETRY_AFTER_HEADER,
} from '#platform/wire/rate-limit.ts'
import type { Answer, BodyShape, Operation } from './operation.ts'
import { operations } from './operations.ts'
import { createSchemas, fieldSets, type SchemaName } from './schemas.ts'

const BASE_PATH = '/v1'

const DESCRIPTION = `Chat, voice, documents and knowledge collections: an HTTP API that OpenAI's libraries speak, too.

Names and shapes that the interface leaves open are marked with \`x-sureness\` (A: seen on the wire … D: inferred, U: our own choice).

- **Keys** go in the \`Authorization\` header: \`Bearer <key>\` for models, voice and documents; the raw key, without \`Bearer\`, for
  collections; either for chat with a collection. The first key is made on first start; the command line makes further ones. 401: unknown,
  expired or in the wrong form. 403: it belongs to another owner.
- **Paths** of the collections answer at the root and under \`/v1\`, with a trailing slash and without. A collection is named by its plain
  name; the owner of a full id is stripped when it is one's own. The same operations answer under \`/arcanas/api/v1/arcana\`, the names of the
  deployed service, whose profile has \`arcana_count\`.
- **Methods**: a path answers any other method than its own with 405, and says in \`allow\` which it takes; OPTIONS is answered with the same
  header alone (204), HEAD as GET without the body.
- **Rate limits** are fixed windows (minute, hour, day, month; UTC) by key over all operations, told in the headers of every answer. 429 says
  which window was hit and when it resets.
- **Errors** carry one sentence in both \`error.message\` and \`detail\`; a body that does not fit (422) has a list in \`detail\`. A model
  server's own 4xx is handed on with its status.
- **Index passes** run one at a time a collection. Reads answer meanwhile; changes wait for up to 10 s and then get 423 with \`retry-after\`.
- **Sizes**: 100 MB a file or document, any number of files; 1 MB of JSON, beside the pictures of a chat (32 MB with them), 8 MB for a batch of embeddings; 100,000 values in 200 levels.
- There are no webhooks: the end of a pass shows in the record and in the file list.
- **Versions**: \`v1\` in a path only ever adds fields and operations; what would break a client gets a new prefix.`

const REASONS: Readonly<Record<number, string>> = {
  400: 'The body cannot be read or is not what was asked for, or a name is none.',
  401: 'The key is missing, unknown, expired or in the wrong form.',
  403: 'It belongs to another owner and is not shared.',
  404: 'There is no such thing.',
  409: 'It exists already, a pass is running, or several shared collections have the name: say it with its owner.',
  413: 'Too large.',
  415: 'A format that is not taken, or content that does not fit the name.',
  422: 'The body or the query does not fit.',
  423: 'An index pass is running.',
  429: 'A window of the rate limit is used up.',
  501: 'It needs a model server that is not configured.',
  502: 'The model server failed.',
  503: 'The server, or the model server, is not available now.',
  504: 'It takes longer than an answer can wait.',
}

const reference = (schema: SchemaName) => ({ $ref: `#/components/schemas/${schema}` })

function toSchema(content: NonNullable<Answer['content']>[string]): object {
  if (content === 'text') return { type: 'string' }
  if (content === 'bytes') return { type: 'string', format: 'binary' }
  if (content === 'object') return { type: 'object' }
  return typeof content === 'string' ? reference(content) : { anyOf: content.map(reference) }
}

function toContent(content: NonNullable<Answer['content']>): object {
  return Object.fromEntries(Object.entries(content).map(([type, one]) => [type, { schema: toSchema(one) }]))
}

const headers = (names: readonly string[]) =>
  Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]))

const RATE_HEADERS = [
  ...RATE_LIMIT_WINDOWS.map(limitHeader),
  ...RATE_LIMIT_WINDOWS.map(remainingHeader),
  RESET_HEADER,
] as const

const REQUEST_ID_HEADER = 'x-request-id'

function failureSchemas(status: number, refuses: readonly number[]): readonly SchemaName[] {
  if (status === 422) return ['ValidationError']
  if (status !== 429) return ['Error']
  // The model server may refuse with rate limits of its own.
  return refuses.includes(502) ? ['RateLimitError', 'Error'] : ['RateLimitError']
}

function toFailure(status: number, refuses: readonly number[] = []) {
  const [first = 'Error', ...others] = failureSchemas(status, refuses)
  const schema = others.length === 0 ? first : [first, ...others]
  const names = [REQUEST_ID_HEADER, ...(status === 429 || status === 423 ? [RETRY_AFTER_HEADER] : [])]
  return {
    description: REASONS[status] ?? 'It failed.',
    headers: headers(names),
    content: toContent({ 'application/json': schema }),
  }
}

function toResponses({ answers, refuses = [], key, free, body }: Operation) {
  const names = key === 'none' ? [REQUEST_ID_HEADER] : [REQUEST_ID_HEADER, ...RATE_HEADERS]
  const own = Object.entries(answers).map(([status, { description, content }]) => [
    status,
    { description, headers: headers(names), content: content && toContent(content) },
  ])
  const common = [
    ...(body === undefined ? [] : [400]),
    ...(key === 'none' ? [] : [401]),
    ...(key === 'none' || free === true ? [] : [429]),
  ]
  const failures = [...common, ...refuses].map((status) => [String(status), toFailure(status, refuses)])
  return Object.fromEntries([
    ...own,
    ...failures,
    ['default', { ...toFailure(0), description: 'Any other failure, in the same form.' }],
  ]) as object
}

function toBody(body: BodyShape) {
  if ('json' in body) {
    return { required: true, content: { 'application/json': { schema: reference(body.json) } } }
  }
  const texts = Object.fromEntries((body.texts ?? []).map((name) => [name, { type: 'string' }]))
  const properties = {
    [body.part]: { type: 'string', format: 'binary' },
    ...(body.fields === undefined ? {} : fieldSets[body.fields]().properties),
    ...texts,
  }
  return {
    required: true,
    content: { 'multipart/form-data': { schema: { type: 'object', required: [body.part], properties } } },
  }
}

function toParameters({ path, query, header }: Operation) {
  const string = { type: 'string' }
  const names = path.matchAll(/\{(\w+)\}/g)
  const inPath = Array.from(names, ([, name]) => ({ name, in: 'path', required: true, schema: string }))
  const fields = query === undefined ? {} : fieldSets[query]().properties
  const inQuery = Object.entries(fields).map(([name, schema]) => ({ name, in: 'query', schema }))
  const inHeader = header === undefined ? [] : [{ ...header, in: 'header', schema: string }]
  const parameters = [...inPath, ...inQuery, ...inHeader]
  return parameters.length === 0 ? undefined : parameters
}

const SECURITIES = {
  bearer: [{ bearer: [] }],
  raw: [{ raw: [] }],
  either: [{ bearer: [] }, { raw: [] }],
  none: [],
} as const

function toOperation(operation: Operation) {
  const { id, tag, summary, description, key, body } = operation
  return {
    operationId: id,
    tags: [tag],
    summary,
    description,
    security: SECURITIES[key],
    parameters: toParameters(operation),
    requestBody: body && toBody(body),
    responses: toResponses(operation),
  }
}

const SERVERS = { root: [{ url: '/' }], base: [{ url: BASE_PATH }], both: [{ url: '/' }, { url: BASE_PATH }] } as const

function toPaths() {
  const paths: Record<string, Record<string, unknown>> = {}
  for (const operation of operations) {
    const item = (paths[operation.path] ??= { servers: SERVERS[operation.at] })
    item[operation.method] = toOperation(operation)
  }
  return paths
}

const count = (description: string) => ({ description, required: true, schema: { type: 'integer', minimum: 0 } })

function toHeaders() {
  return {
    [REQUEST_ID_HEADER]: {
      description: 'Id of the request, in the log too; the caller may choose it.',
      required: true,
      schema: { type: 'string' },
    },
    [RESET_HEADER]: count('Seconds to the end of the minute window.'),
    [RETRY_AFTER_HEADER]: {
      ...count('Seconds after which it is worth trying again, where they are known.'),
      required: false,
    },
    ...Object.fromEntries(
      RATE_LIMIT_WINDOWS.flatMap((window) => [
        [limitHeader(window), count(`Requests that the key may make a ${window}.`)],
        [remainingHeader(window), count(`Requests that are left in this ${window}.`)],
      ]),
    ),
  }
}

/** The OpenAPI 3.1 document of this server, made out of the contract's own schemas. */
export function createOpenApi(version: string): object {
  return {
    openapi: '3.1.1',
    info: {
      title: 'Footbridge platform',
      version,
      description: DESCRIPTION,
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: SERVERS.base,
    tags: [...new Set(operations.map((one) => one.tag))].map((name) => ({ name })),
    paths: toPaths(),
    components: {
      schemas: createSchemas(),
      headers: toHeaders(),
      securitySchemes: {
        bearer: { type: 'http', scheme: 'bearer' },
        raw: { type: 'apiKey', in: 'header', name: 'Authorization', description: 'The key alone, without `Bearer`.' },
      },
    },
  }
}
