import { createPaths, PROFILES } from '#platform/wire/profile.ts'
import { UPLOAD_PART } from '#platform/wire/collections.ts'
import { describe, json, type Operation } from './operation.ts'

const paths = createPaths(PROFILES.collection, (segment) => segment)

/** Statuses of a question to collections. */
const ASK_REFUSALS = [403, 404, 409, 413, 502, 503, 504]

const responses = describe({ tag: 'Responses', at: 'base', key: 'bearer' })

const stores = describe({ tag: 'Vector stores', at: 'base', key: 'bearer' })
const one = paths.vectorStore('{id}')
const files = paths.storeFiles('{id}')
const storeFile = paths.storeFile('{id}', '{file}')
const READ_REFUSALS = [400, 404, 409]
const CHANGE_REFUSALS = [...READ_REFUSALS, 403, 423]

const storeOperations = [
  stores('listVectorStores', 'get', paths.vectorStores, 'Collections as vector stores', {
    description:
      'The collections of the key’s owner, and those shared with it, sorted by id. A loop can therefore delete collections while it pages through the list.',
    query: 'list',
    answers: { 200: json('A page.', 'VectorStoreList') },
    refuses: [400],
  }),
  stores('createVectorStore', 'post', paths.vectorStores, 'Make a collection', {
    description:
      'The collection is private. A name that exists already is refused with 409. A name is generated if none is sent. Up to 100 files can be attached. If one of them cannot be attached, nothing is created.',
    body: { json: 'CreateVectorStoreRequest' },
    answers: { 200: json('Made; its files are indexed from now on.', 'VectorStore') },
    refuses: [403, 404, 409, 413, 423],
  }),
  stores('getVectorStore', 'get', one, 'A collection as a vector store', {
    description: 'By its id, its name or `<owner>/<name>`.',
    answers: { 200: json('As in the list.', 'VectorStore') },
    refuses: READ_REFUSALS,
  }),
  stores('changeVectorStore', 'post', one, 'Not supported', {
    answers: { 400: json('What to do in its place.', 'Error') },
  }),
  stores('deleteVectorStore', 'delete', one, 'Delete a collection with its files and its index', {
    answers: { 200: json('Deleted.', 'VectorStoreDeleted') },
    refuses: CHANGE_REFUSALS,
  }),
  stores('searchVectorStore', 'post', paths.storeSearch('{id}'), 'Passages for a query', {
    body: { json: 'SearchRequest' },
    answers: { 200: json('Best first; there is one page.', 'SearchPage') },
    refuses: [404, 409, 413],
  }),
  stores('listVectorStoreFiles', 'get', files, 'Files of a vector store', {
    query: 'storeFileList',
    answers: { 200: json('A page.', 'VectorStoreFileList') },
    refuses: READ_REFUSALS,
  }),
  stores('attachFile', 'post', files, 'Attach a file', {
    description: 'A copy is stored and indexed. A file that is there already stays; another one of its name is 409.',
    body: { json: 'AttachRequest' },
    answers: { 200: json('`in_progress` until it is indexed.', 'VectorStoreFile') },
    refuses: [403, 404, 409, 413, 423],
  }),
  stores('getVectorStoreFile', 'get', storeFile, 'A file of a vector store', {
    answers: { 200: json('As in the list.', 'VectorStoreFile') },
    refuses: READ_REFUSALS,
  }),
  stores('changeVectorStoreFile', 'post', storeFile, 'Not supported', {
    answers: { 400: json('What to do in its place.', 'Error') },
  }),
  stores('removeVectorStoreFile', 'delete', storeFile, 'Remove a file from a vector store', {
    answers: { 200: json('Removed; other copies stay.', 'VectorStoreFileDeleted') },
    refuses: CHANGE_REFUSALS,
  }),
  stores('getVectorStoreFileContent', 'get', `${storeFile}/content`, 'The passages of a file', {
    answers: { 200: json('In order; none before it is indexed.', 'VectorStoreFileContent') },
    refuses: READ_REFUSALS,
  }),
]

const upload = paths.upload('{file}')

const uploadOperations = [
  stores('listUploads', 'get', paths.uploads, 'Files of all collections', {
    description:
      'A file that is in several collections comes once: its id is made of its name and its content. The list is sorted by id. A loop can therefore delete files while it pages through the list.',
    query: 'uploadList',
    answers: { 200: json('A page.', 'UploadList') },
    refuses: [400],
  }),
  stores('upload', 'post', paths.uploads, 'Upload a file, to be attached', {
    description: 'It waits in the collection `uploaded-files`. It accepts the same kinds of file as a collection.',
    body: { part: UPLOAD_PART, texts: ['purpose'] },
    answers: { 200: json('Stored.', 'Upload') },
    refuses: [409, 413, 415, 423],
  }),
  stores('getUpload', 'get', upload, 'A file', { answers: { 200: json('As in the list.', 'Upload') }, refuses: [404] }),
  stores('deleteUpload', 'delete', upload, 'Delete a file from all collections of the key’s owner', {
    answers: { 200: json('Deleted.', 'UploadDeleted') },
    refuses: [400, 403, 404, 423],
  }),
  stores('getUploadContent', 'get', `${upload}/content`, 'The bytes of a file, as they were uploaded', {
    answers: { 200: { description: 'Front matter included.', content: { 'application/octet-stream': 'bytes' } } },
    refuses: [404],
  }),
]

/** OpenAI's Responses, Vector Stores and Files APIs. */
export const openAiOperations: readonly Operation[] = [
  responses('createResponse', 'post', paths.responses, 'A response, with `file_search` or without', {
    description:
      'The same answer as a chat gives. `file_search` searches collections: a vector store is one, named by its id, its name or `<owner>/<name>`. ' +
      'The marks stay in the text (`[RREF1]`); each has an annotation with its range in UTF-16 units, the id of its file and its place. ' +
      'Nothing is kept: earlier turns go into `input`. Other tools, background, prompts and conversations are not supported: 400 says what to do instead.',
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
  ...storeOperations,
  ...uploadOperations,
]
