import { toCollectionId } from '#platform/wire/names.ts'
import type { Profile } from '#platform/wire/profile.ts'
import type { Fault, Operation } from './faults.ts'
import type { Library, StoredCollection, StoredFile } from './library.ts'
import type { RecordedRequest } from './request.ts'

/** An answer before it is written. */
export interface Plain {
  readonly status: number
  readonly body?: unknown
  readonly bytes?: Uint8Array
  readonly contentType?: string
}

export interface World {
  readonly profile: Profile
  readonly library: Library
  readonly owner: string
  readonly models: readonly string[]
}

const json = (body: unknown, status = 200): Plain => ({ status, body })
const refuse = (status: number, detail: string): Plain => json({ detail }, status)
const empty: Plain = { status: 200 }

const fileRecord = (file: StoredFile, owner: string) => ({
  name: file.name,
  size: file.bytes.byteLength,
  owner_user_name: owner,
  created_at: file.createdAt,
  updated_at: file.updatedAt,
  index_info:
    file.index === null
      ? null
      : { index_status: file.index.status, chunks_indexed: file.index.chunks, error_msg: file.index.error },
  related_files: null,
})

function indexStatus({ files, pollsLeft }: StoredCollection): string {
  if (pollsLeft !== undefined) return pollsLeft > 1 ? 'PENDING' : 'PROCESSING'
  const states = [...files.values()].map((file) => file.index?.status ?? 'NOT_INDEXED')
  if (states.includes('ERROR')) return 'ERROR'
  return states.length > 0 && states.every((state) => state === 'INDEXED') ? 'INDEXED' : 'NOT_INDEXED'
}

/** The deployed service gives no id in a record; ours does. */
function collectionRecord(collection: StoredCollection, { profile, owner }: World) {
  const files = [...collection.files.values()]
  return {
    name: collection.name,
    ...(profile.name === 'collection' ? { id: toCollectionId(owner, collection.name) } : {}),
    owner_user_name: owner,
    file_count: files.length,
    size: files.reduce((sum, file) => sum + file.bytes.byteLength, 0),
    created_at: collection.createdAt,
    updated_at: collection.createdAt,
    index_info: {
      index_status: indexStatus(collection),
      embeddings_model: 'double-embedding',
      total_files_indexed: files.filter((file) => file.index?.status === 'INDEXED').length,
      total_chunks_indexed: files.reduce((sum, file) => sum + (file.index?.chunks ?? 0), 0),
      error_msg: files.find((file) => file.index?.error)?.index?.error ?? null,
      cli_version: '0.4.18',
      vector_db_version: '1.0.0',
    },
  }
}

function create(request: RecordedRequest, world: World): Plain {
  const { name } = request.json as { name: string }
  const deployed = world.profile.name === 'saia'
  if (world.library.collections.has(name)) {
    // The code of the deployed service is not known; 400 is the harder case for a client.
    return refuse(deployed ? 400 : 409, `${name} already exists`)
  }
  world.library.create(name)
  if (deployed) return json({ detail: `${name} created` })
  return json({ name, id: toCollectionId(world.owner, name), message: 'created' }, 201)
}

/** Index trigger, with the work done also where a fault then hides the answer. */
function beginPass({ collection, world, fault }: OnCollection): Plain {
  if (collection.pollsLeft !== undefined) return refuse(409, 'An index pass is running')
  const lasting = fault?.kind === 'polls' ? fault.polls : fault === undefined ? 0 : 2
  world.library.index(collection, lasting)
  return json({ message: 'ok' })
}

function upload({ request, world, collection }: OnCollection): Plain {
  const file = request.form?.file
  if (file?.part !== 'file')
    return json({ detail: [{ loc: ['body', 'file'], msg: 'Field required', type: 'missing' }] }, 422)
  const exists = collection.files.has(request.file ?? file.name)
  if (request.op === 'upload' && exists) return refuse(409, `File ${file.name} already exists`)
  if (request.op === 'replace' && !exists) return refuse(404, 'File not found')
  world.library.store(collection, { ...file, name: request.file ?? file.name })
  return empty
}

interface OnCollection {
  readonly request: RecordedRequest
  readonly world: World
  readonly collection: StoredCollection
  readonly fault: Fault | undefined
}

const onCollection: Readonly<Partial<Record<Operation, (on: OnCollection) => Plain>>> = {
  get({ world, collection }) {
    world.library.look(collection)
    return json(collectionRecord(collection, world))
  },
  delete({ world, collection }) {
    world.library.collections.delete(collection.name)
    return empty
  },
  files({ world, collection }) {
    world.library.look(collection)
    return json([...collection.files.values()].map((one) => fileRecord(one, world.owner)))
  },
  upload,
  replace: upload,
  'delete-file': ({ request, collection }) =>
    collection.files.delete(request.file ?? '') ? empty : refuse(404, 'File not found'),
  download({ request, collection }) {
    const file = collection.files.get(request.file ?? '')
    if (file === undefined) return refuse(404, 'File not found')
    return { status: 200, bytes: file.bytes, contentType: file.mimeType }
  },
  'generate-index': beginPass,
  'delete-index'({ collection }) {
    for (const one of collection.files.values()) one.index = null
    return empty
  },
}

function transcript(request: RecordedRequest, fault: Fault | undefined): Plain {
  const text = fault?.kind === 'transcript' ? fault.text : 'what was said'
  const format = request.form?.fields['response_format'] ?? 'json'
  const subtitle = `00:00:00,000 --> 00:00:01,500\n${text}\n`
  if (format === 'text') return { status: 200, bytes: Buffer.from(text), contentType: 'text/plain' }
  if (format === 'srt') return { status: 200, bytes: Buffer.from(`1\n${subtitle}`), contentType: 'text/plain' }
  if (format === 'vtt') {
    return { status: 200, bytes: Buffer.from(`WEBVTT\n\n${subtitle.replaceAll(',', '.')}`), contentType: 'text/vtt' }
  }
  if (format === 'json') return json({ text })
  return json({
    task: 'transcribe',
    language: 'en',
    duration: 1.5,
    text,
    segments: [{ id: 0, start: 0, end: 1.5, text }],
  })
}

function converted(request: RecordedRequest, world: World, fault: Fault | undefined): Plain {
  const file = request.form?.file
  if (file?.part !== 'document') return refuse(422, 'document is missing')
  const type = request.query['response_type'] ?? 'markdown'
  const text = fault?.kind === 'converted' ? fault.markdown : new TextDecoder().decode(file.bytes)
  const deployed = world.profile.name === 'saia'
  const field = type === 'json' ? (deployed ? 'json' : 'json_data') : type
  const content = type === 'html' ? `<p>${text}</p>` : type === 'json' ? { text } : type === 'tokens' ? [1, 2] : text
  const image = Buffer.from('PNG').toString('base64')
  const images = [{ type: 'picture', filename: 'picture-1.png', image }]
  return json({ filename: file.name, response_type: type, [field]: content, images })
}

function user({ profile, owner, library }: World): Plain {
  const files = [...library.collections.values()].reduce((sum, one) => sum + one.files.size, 0)
  return json({
    username: owner,
    email: `${owner}@example.org`,
    first_name: 'Ada',
    surname: 'Example',
    is_registered: true,
    [profile.counts.collections]: library.collections.size,
    [profile.counts.files]: files,
    created_at: '2026-01-01T00:00:00Z',
  })
}

function models({ models: ids }: World): Plain {
  const data = ids.map((id) => ({
    id,
    object: 'model',
    name: id.toUpperCase(),
    input: ['text'],
    output: ['text'],
    owned_by: 'double',
    created: 1,
    demand: 0,
    status: 'ready',
  }))
  return json({ object: 'list', data })
}

function embeddings(request: RecordedRequest): Plain {
  const { input } = request.json as { input: string[] }
  const vectors = input.map((text, index) => ({ object: 'embedding', index, embedding: [text.length, 1] }))
  return json({ object: 'list', model: 'double', data: vectors.toReversed(), usage: {} })
}

type Respond = (request: RecordedRequest, world: World, fault: Fault | undefined) => Plain

const answers: Readonly<Partial<Record<Operation, Respond>>> = {
  // A bare string and an object are both in use.
  version: (_, { profile }) => json(profile.name === 'saia' ? '0.4.18' : { version: '0.4.18' }),
  heartbeat: () => ({ status: 204 }),
  user: (_, world) => user(world),
  list: (_, world) => json([...world.library.collections.values()].map((one) => collectionRecord(one, world))),
  create,
  models: (_, world) => models(world),
  probe: () => refuse(400, 'Service or model not specified'),
  transcribe: (request, _, fault) => transcript(request, fault),
  translate: (request, _, fault) => transcript(request, fault),
  convert: converted,
  embeddings,
}

/** The ordinary answer to everything but chat. */
export function respond(request: RecordedRequest, world: World, fault: Fault | undefined): Plain {
  const answer = answers[request.op]
  if (answer !== undefined) return answer(request, world, fault)
  const collection = world.library.collections.get(request.collection ?? '')
  if (collection === undefined) return refuse(404, 'Collection not found')
  return onCollection[request.op]?.({ request, world, collection, fault }) ?? refuse(404, 'Not Found')
}
