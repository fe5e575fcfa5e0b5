/** A small break of the server: `find` is once in the file, and these statements then fail. */
export interface Mutation {
  /** Below `src/platform`. */
  readonly file: string
  readonly find: string
  readonly put: string
  /** Numbers of statements, each of which at least one test has to show as broken. */
  readonly breaks: readonly number[]
}

const broken = (file: string, find: string, put: string, ...breaks: readonly number[]): Mutation => ({
  file: `${file}.ts`,
  find,
  put,
  breaks,
})

const server: readonly Mutation[] = [
  broken('server/routes/service', 'c.body(null, 204)', 'c.json({})', 88, 137),
  broken('server/routes/models', '\n        400,\n', '\n        200,\n', 91, 138),
  broken('server/routes/models', ' || header !== INFERENCE_HEADER.value', '', 101, 102),
  broken('server/routes/models', "object: 'list'", "object: 'models'", 90),
  broken('server/routes/collections', '        id: record.id,\n', '', 13, 16, 110),
  broken('server/routes/media', "'/documents/convert'", "'/convert'", 3, 84, 120),
  broken('server/routes/files', 'engine.files.download(', 'engine.files.list(', 29, 107, 115),
  broken('server/routes/collections', "'/:name/delete-index', key", "'/:name/drop-index', key", 82, 117, 119),
  broken('server/routes/collections', 'parts.passAnswerMs ?? ANSWER_MS', '600_000 + ANSWER_MS', 142, 149),
  broken('server/app', '.route(managementPrefix, management)', '', 99, 119),
  broken('server/app', ".route('/', userRoutes(options, 'either', PROFILE_NAMES))", '', 98),
  broken('server/auth', 'c.header(name, value)', 'c.header(`x-${name}`, value)', 9, 68, 69, 70, 134),
  broken('server/auth', "if (wanted !== 'either') requireForm(form, wanted)", '', 126, 127),
  broken('server/http/errors', 'conflict: { status: 409', 'conflict: { status: 400', 27, 80, 93),
  broken('server/http/errors', 'locked: { status: 423', 'locked: { status: 500', 79),
  broken('server/http/errors', 'unsupported: { status: 415', 'unsupported: { status: 400', 95),
  broken('server/http/errors', 'unauthorized: { status: 401', 'unauthorized: { status: 400', 7, 128, 139),
  broken('server/http/errors', "'not-found': { status: 404", "'not-found': { status: 400", 24, 94, 114, 140),
  broken('server/http/sse', 'if (!hasLeft && last !== null) yield [last]', '', 136),
  broken('server/http/sse', 'text/event-stream; charset=utf-8', 'text/plain; charset=utf-8', 92, 131),
]

const wire: readonly Mutation[] = [
  broken('wire/limits', 'collectionName: { min: 1, max: 100 }', 'collectionName: { min: 1, max: 99 }', 11, 146),
  broken('wire/limits', 'collectionName: { min: 1, max: 100 }', 'collectionName: { min: 1, max: 120 }', 11, 146),
  broken('wire/limits', 'quota: { minute: 30,', 'quota: { minute: 31,', 148),
  broken('wire/names', 'return `${owner}/${name}`', 'return `${name}/${owner}`', 13, 16, 27),
  broken('wire/names', "return nameOrId.slice(nameOrId.indexOf('/') + 1)", 'return nameOrId', 15),
  broken('wire/profile', "TOOL_FIELD = 'enable-tools'", "TOOL_FIELD = 'enable_tools'", 100, 102),
  broken('wire/rate-limit', '`x-ratelimit-remaining-${window}`', '`x-ratelimit-left-${window}`', 72),
  broken('wire/references', "REFERENCES_HEADING = 'References:'", "REFERENCES_HEADING = 'Sources:'", 6, 104),
  broken('wire/references', '(${distance.toFixed(3)})', '(${distance.toFixed(1)})', 108),
]

const engine: readonly Mutation[] = [
  broken('engine/engine', 'email: user.email', "email: ''", 39),
  broken('engine/engine', 'file_count: counts.files', 'file_count: 0', 42),
  broken('engine/engine', 'created_at: new Date(user.createdAt).toISOString()', "created_at: 'once'", 43),
  broken('engine/api/collections', 'created_at: toIso(row.createdAt)', 'created_at: toIso(0)', 25),
  broken('engine/api/collections', 'error_msg: row.firstError', 'error_msg: null', 22),
  broken('engine/api/collections', 'visibility: row.visibility,', "visibility: 'public',", 18, 26),
  broken('engine/api/collections', "if (running) return 'PROCESSING'", '', 83),
  broken('engine/api/files', 'size: row.sizeBytes', 'size: row.sizeBytes + 1', 30),
  broken(
    'engine/api/files',
    'created_at: new Date(row.createdAt).toISOString()',
    'created_at: String(row.createdAt)',
    32,
  ),
  broken('engine/api/files', 'chunks_indexed: row.chunks', 'chunks_indexed: 0', 5, 37, 76),
  broken('engine/api/files', 'derived.length === 0 ? null', 'derived.length === 0 ? undefined', 35),
  broken('engine/api/files', 'row.status === null', 'row.status === undefined', 34, 73),
  broken('engine/api/keys', 'row.expiresAt <= now ? undefined', 'row.expiresAt <= 0 ? undefined', 128),
  broken('engine/indexing/passes', 'while (running.has(collectionId)) await waitForPasses(collectionId)\n', '\n', 79),
  broken('engine/indexing/passes', 'if (running.has(collection.id)) return', 'if (running.has(-1)) return', 80),
  broken('engine/api/quotas', 'const full = taken ? undefined', 'const full = taken || used ? undefined', 8, 141, 147),
  broken('engine/api/quotas', 'it resets in ', 'it resets after ', 141),
  broken('engine/answer/chat', ' ...body } = request', ' seed: _seed, ...body } = request', 59),
  broken(
    'engine/chunk/document',
    'const skip = frontMatterLength(text)',
    'const skip = frontMatterLength("")',
    105,
    106,
  ),
  broken('engine/storage/tables/collections', "ELSE 'NOT_INDEXED' END", 'ELSE index_status END', 74, 96),
  broken(
    'engine/storage/tables/collections',
    "index_status IS DISTINCT FROM 'INDEXED'",
    'index_status IS NULL',
    75,
    81,
  ),
  broken('engine/storage/tables/collections', "FROM 'INDEXED'", "FROM 'x'", 77, 123),
  broken('engine/api/models', "status: received.status ?? 'ready'", "status: ''", 52),
]

export const mutations: readonly Mutation[] = [...server, ...wire, ...engine]
