import { ACCEPTED_FORMATS, SOURCE_FIELD, UPLOAD_PART } from '#platform/wire/collections.ts'
import { DOCUMENT_PART } from '#platform/wire/documents.ts'
import { LIMITS } from '#platform/wire/limits.ts'
import { createPaths, INFERENCE_HEADER, PROFILES } from '#platform/wire/profile.ts'
import { AUDIO_PART } from '#platform/wire/voice.ts'
import { openAiOperations } from './openai-operations.ts'
import { type Answer, describe, json, type Operation } from './operation.ts'

/** Paths with placeholders, as the document writes them. */
const paths = createPaths(PROFILES.collection, (segment) => segment)
const collectionPath = paths.collection('{name}')
const filesPath = paths.files('{name}')
const filePath = paths.file('{name}', '{file}')

const LOCKED = 'While an index pass runs it waits for up to 10 s, then answers 423.'
const READ_REFUSALS = [400, 403, 404, 409]
const UPLOAD_REFUSALS = [403, 404, 409, 413, 415, 423]

const model = describe({ tag: 'Models', at: 'base', key: 'bearer' })
const chat = describe({ tag: 'Models', at: 'base', key: 'either' })
const modelList = {
  200: json(
    'The configured models first, `extractive` last; then collections as models, where they are listed.',
    'ModelList',
  ),
}

const modelOperations = [
  model('listModels', 'get', paths.models, 'Models that can be asked', { answers: modelList }),
  model('listModelsByPost', 'post', paths.models, 'Models that can be asked', { answers: modelList }),
  model('getModel', 'get', `${paths.models}/{id}`, 'One model', {
    description:
      'Its id may hold slashes, encoded or not. `<model>:<owner>/<name>` is a collection, asked by this model.',
    answers: { 200: json('As in the list.', 'Model') },
    refuses: [404],
  }),
  chat('probeRateLimit', 'get', paths.chat, 'Rate limits of the key', {
    description: 'Always answers 400, with the rate-limit headers, and uses up no quota.',
    free: true,
    answers: { 400: json('The headers are the answer.', 'Error') },
  }),
  chat('chat', 'post', paths.chat, 'Chat, with a collection or without', {
    description:
      'Retrieval happens when `collection` is the name of a collection, or when three additions are all there: `enable-tools: true`, ' +
      `\`collection: { id }\` and the header \`${INFERENCE_HEADER.name}: ${INFERENCE_HEADER.value}\` (a header \`warning\` tells when one is missing). The answer then ends with a \`References:\` block, one entry a chunk: ` +
      'the mark, the file, a distance (1 − normalised score: 0 is nearest, 1 farthest), then the chunk, verbatim. The field ' +
      '`references` has the same entries with their places (`p.3`, `L10-24`, `0:42`); in a stream it comes with the block. ' +
      '`arcana` is another name of `collection`; a stream asked by it begins with tool calls named `arcana.event`, which tell ' +
      'progress and are never executed, and ends with the usage. Without a collection the key comes as Bearer; with one the raw key is taken, too.',
    header: { name: INFERENCE_HEADER.name, description: `\`${INFERENCE_HEADER.value}\`, for retrieval.` },
    body: { json: 'ChatRequest' },
    answers: {
      200: {
        description:
          'Streamed, each event is a chunk and `[DONE]` the last; a stream that breaks off ends in an event `{"object":"error",…}` ' +
          'without it. Comments (`: alive`) keep a quiet stream open.',
        content: { 'application/json': 'ChatResponse', 'text/event-stream': 'ChatStreamEvent' },
      },
    },
    refuses: [403, 404, 413, 422, 502, 503, 504],
  }),
  model('embed', 'post', paths.embeddings, 'Vectors of texts', {
    body: { json: 'EmbeddingsRequest' },
    answers: { 200: json('As the model server returns them.', 'Embeddings') },
    refuses: [413, 422, 501, 502, 504],
  }),
]

const collection = describe({ tag: 'Collections', at: 'both', key: 'raw' })

const collectionOperations = [
  collection(
    'listCollections',
    'get',
    paths.collections,
    'All collections of the key’s owner, and those shared with it',
    { answers: { 200: json('A bare list.', 'CollectionList') } },
  ),
  collection('createCollection', 'post', paths.collections, 'Make a collection', {
    description:
      'The name has 1 to 100 characters, none of them a slash or a control character; the owner of a full id is stripped.',
    body: { json: 'CreateCollectionRequest' },
    answers: { 201: json('Made, private and empty.', 'CreatedCollection') },
    refuses: [403, 409, 422],
  }),
  collection('getCollection', 'get', collectionPath, 'Record of a collection', {
    description: '`index_info` is null until the first pass.',
    answers: { 200: json('The record.', 'Collection') },
    refuses: READ_REFUSALS,
  }),
  collection('deleteCollection', 'delete', collectionPath, 'Delete a collection with its files and its index', {
    description: `Made anew, it has the same id, a new creation time, and is private. ${LOCKED}`,
    answers: { 200: json('Deleted.', 'Done') },
    refuses: [...READ_REFUSALS, 423],
  }),
  collection('shareCollection', 'put', paths.sharing('{name}'), 'Set who may read a collection', {
    description:
      'Fields that are left out are reset: private, no named users. A name that nobody has yet is taken, too, and counts from the day when somebody has it: whether there is such a user is not told.',
    body: { json: 'SharingRequest' },
    answers: { 200: json('The record.', 'Collection') },
    refuses: [403, 404, 409, 422],
  }),
]

const file = describe({ tag: 'Files', at: 'both', key: 'raw' })
const extensions = ACCEPTED_FORMATS.flatMap((one) => one.extensions).join(', ')

const fileOperations = [
  file('listFiles', 'get', filesPath, 'Files of a collection', {
    answers: { 200: json('A bare list.', 'FileList') },
    refuses: READ_REFUSALS,
  }),
  file('uploadFile', 'post', filesPath, 'Upload a new file', {
    description:
      `Taken: ${extensions}, name and content agreeing; up to 100 MB. Names are flat, up to 150 characters, kept composed (NFC). ` +
      `\`${SOURCE_FIELD}\` names the stored file that this one was derived from. ${LOCKED}`,
    body: { part: UPLOAD_PART, texts: [SOURCE_FIELD] },
    answers: { 201: json('Stored; `index_info` is null until the next pass.', 'File') },
    refuses: UPLOAD_REFUSALS,
  }),
  file('replaceFile', 'put', filePath, 'Replace a file', {
    description: `Its old chunks are retrieved no more, at once. ${LOCKED}`,
    body: { part: UPLOAD_PART },
    answers: { 200: json('Stored, `NOT_INDEXED`.', 'File') },
    refuses: UPLOAD_REFUSALS,
  }),
  file('deleteFile', 'delete', filePath, 'Delete a file', {
    description: `Its chunks are retrieved no more, at once. ${LOCKED}`,
    answers: { 200: json('Deleted.', 'Done') },
    refuses: [...READ_REFUSALS, 423],
  }),
  file('downloadFile', 'get', paths.download('{name}', '{file}'), 'The bytes of a file, as they were uploaded', {
    answers: {
      200: {
        description: 'Front matter included.',
        content: { 'application/pdf': 'bytes', 'text/plain': 'text', 'text/markdown': 'text' },
      },
    },
    refuses: READ_REFUSALS,
  }),
]

const index = describe({ tag: 'Index', at: 'both', key: 'raw' })

const indexOperations = [
  index('generateIndex', 'post', paths.generateIndex('{name}'), 'Index what is not indexed yet', {
    description:
      'Answers when the pass is over, or with 504 after 45 s while it goes on: look at the file list then. A file that cannot ' +
      'be read is `ERROR`, with the reason, and is tried again by the next pass. A second trigger while one runs gets 409.',
    answers: { 200: json('The pass is over.', 'IndexPass') },
    refuses: [...READ_REFUSALS, 504],
  }),
  index('deleteIndex', 'delete', paths.deleteIndex('{name}'), 'Take all files out of the index', {
    description: `They stay, \`NOT_INDEXED\`. ${LOCKED}`,
    answers: { 200: json('Deleted.', 'Done') },
    refuses: [...READ_REFUSALS, 423],
  }),
]

const voice = describe({ tag: 'Voice', at: 'base', key: 'bearer' })
const heard: Answer = {
  description: 'In the form that `response_format` asks for.',
  content: { 'application/json': ['Transcript', 'VerboseTranscript'], 'text/plain': 'text', 'text/vtt': 'text' },
}
const HEARING_LIMITS = `Up to ${LIMITS.audioSeconds} seconds and 100 MB.`
const HEARING_REFUSALS = [413, 415, 422, 501, 502, 504]

const voiceOperations = [
  voice('transcription', 'post', paths.transcriptions, 'Transcription of a recording', {
    description: HEARING_LIMITS,
    body: { part: AUDIO_PART, fields: 'transcription' },
    answers: { 200: heard },
    refuses: HEARING_REFUSALS,
  }),
  voice('translation', 'post', paths.translations, 'Translation of a recording into English', {
    description: HEARING_LIMITS,
    body: { part: AUDIO_PART, fields: 'translation' },
    answers: { 200: heard },
    refuses: HEARING_REFUSALS,
  }),
  voice('speech', 'post', paths.speech, 'Speech from a text', {
    description: 'Passed on to the model server as it is.',
    body: { json: 'SpeechRequest' },
    answers: {
      200: { description: 'The sound, in the type that the model server says.', content: { 'audio/mpeg': 'bytes' } },
    },
    refuses: [413, 422, 501, 502, 504],
  }),
]

const document = describe({ tag: 'Documents', at: 'base', key: 'bearer' })

const documentOperations = [
  document('convertDocument', 'post', paths.convert, 'A document as markdown, HTML, JSON or tokens, and its images', {
    description: 'Up to 100 MB.',
    query: 'conversion',
    body: { part: DOCUMENT_PART },
    answers: { 200: json('Only the field of the asked type is there.', 'ConversionResult') },
    refuses: [413, 415, 422, 504],
  }),
]

const user = describe({ tag: 'Service', at: 'both', key: 'either' })
const managementUser = describe({ tag: 'Service', at: 'both', key: 'raw' })
const open = describe({ tag: 'Service', at: 'both', key: 'none' })
const rootOpen = describe({ tag: 'Service', at: 'root', key: 'none' })
const rootClosed = describe({ tag: 'Service', at: 'root', key: 'either' })
const profile = { 200: json('The profile.', 'UserProfile') }
const managementUserPath = `${PROFILES.collection.managementPrefix}${paths.user}`
const anyJson = (description: string): Answer => ({ description, content: { 'application/json': 'object' } })

const serviceOperations = [
  user('getUser', 'get', paths.user, 'Profile of the key’s owner', { answers: profile }),
  managementUser('getManagementUser', 'get', managementUserPath, 'Profile of the key’s owner', { answers: profile }),
  open('getVersion', 'get', paths.version, 'Version of the collection API', {
    answers: { 200: json('In dotted form.', 'Version') },
  }),
  open('getHeartbeat', 'get', paths.heartbeat, 'Whether it is alive', { answers: { 204: { description: 'Alive.' } } }),
  rootOpen('getHealth', 'get', '/health', 'Whether the process answers', {
    answers: { 200: anyJson('`status` is `ok`.') },
  }),
  rootOpen('getDocument', 'get', '/openapi.json', 'This document; `/docs` is a page to try it', {
    answers: { 200: anyJson('OpenAPI 3.1.') },
  }),
  rootClosed('getMetrics', 'get', '/metrics', 'Figures in the form of Prometheus', {
    free: true,
    description: 'For the operator: keys of the first user.',
    answers: { 200: { description: 'Text, version 0.0.4.', content: { 'text/plain': 'text' } } },
    refuses: [403],
  }),
]

/** All operations of the server, in the order of the document. */
export const operations: readonly Operation[] = [
  ...modelOperations,
  ...openAiOperations,
  ...collectionOperations,
  ...fileOperations,
  ...indexOperations,
  ...voiceOperations,
  ...documentOperations,
  ...serviceOperations,
]
