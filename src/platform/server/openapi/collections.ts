import { ACCEPTED_FORMATS, SOURCE_FIELD, UPLOAD_PART } from '../../wire/collections.ts'
import { json, MANAGED, paths, type Operation } from './schemas.ts'

const extensions = ACCEPTED_FORMATS.flatMap((one) => one.extensions).join(', ')
const collection = paths.collection('{name}')
const files = paths.files('{name}')
const file = paths.file('{name}', '{file}')
const LOCKED = 'While an index pass runs it waits for up to 10 s, then answers 423.'

const collectionOperations: readonly Operation[] = [
  {
    ...MANAGED,
    id: 'listCollections',
    method: 'get',
    path: paths.collections,
    tag: 'Collections',
    says: 'All collections of the key’s owner, and those shared with it',
    answers: { 200: { says: 'A bare list.', content: json('CollectionList') } },
  },
  {
    ...MANAGED,
    id: 'createCollection',
    method: 'post',
    path: paths.collections,
    tag: 'Collections',
    says: 'Make a collection',
    more: 'The name has 1 to 100 characters, none of them a slash or a control character; the owner of a full id is stripped.',
    body: { json: 'CreateCollectionRequest' },
    answers: { 201: { says: 'Made, private and empty.', content: json('CreatedCollection') } },
    refuses: [403, 409, 422],
  },
  {
    ...MANAGED,
    id: 'getCollection',
    method: 'get',
    path: collection,
    tag: 'Collections',
    says: 'Record of a collection',
    more: '`index_info` is null until the first pass.',
    answers: { 200: { says: 'The record.', content: json('Collection') } },
    refuses: [400, 403, 404, 409],
  },
  {
    ...MANAGED,
    id: 'deleteCollection',
    method: 'delete',
    path: collection,
    tag: 'Collections',
    says: 'Delete a collection with its files and its index',
    more: `Made anew, it has the same id, a new creation time, and is private. ${LOCKED}`,
    answers: { 200: { says: 'Deleted.', content: json('Done') } },
    refuses: [400, 403, 404, 409, 423],
  },
  {
    ...MANAGED,
    id: 'shareCollection',
    method: 'put',
    path: paths.sharing('{name}'),
    tag: 'Collections',
    says: 'Set who may read a collection',
    more: 'What is left out is reset: private, nobody named.',
    body: { json: 'SharingRequest' },
    answers: { 200: { says: 'The record.', content: json('Collection') } },
    refuses: [403, 404, 409, 422],
  },
]

const fileOperations: readonly Operation[] = [
  {
    ...MANAGED,
    id: 'listFiles',
    method: 'get',
    path: files,
    tag: 'Files',
    says: 'Files of a collection',
    answers: { 200: { says: 'A bare list.', content: json('FileList') } },
    refuses: [400, 403, 404, 409],
  },
  {
    ...MANAGED,
    id: 'uploadFile',
    method: 'post',
    path: files,
    tag: 'Files',
    says: 'Upload a new file',
    more:
      `Taken: ${extensions}, name and content agreeing; up to 100 MB. Names are flat, up to 150 characters, kept composed (NFC). ` +
      `\`${SOURCE_FIELD}\` names the stored file that this one was derived from. ${LOCKED}`,
    body: { part: UPLOAD_PART, texts: [SOURCE_FIELD] },
    answers: { 201: { says: 'Stored; `index_info` is null until the next pass.', content: json('File') } },
    refuses: [403, 404, 409, 413, 415, 423],
  },
  {
    ...MANAGED,
    id: 'replaceFile',
    method: 'put',
    path: file,
    tag: 'Files',
    says: 'Replace a file',
    more: `Its old chunks are retrieved no more, at once. ${LOCKED}`,
    body: { part: UPLOAD_PART },
    answers: { 200: { says: 'Stored, `NOT_INDEXED`.', content: json('File') } },
    refuses: [403, 404, 409, 413, 415, 423],
  },
  {
    ...MANAGED,
    id: 'deleteFile',
    method: 'delete',
    path: file,
    tag: 'Files',
    says: 'Delete a file',
    more: `Its chunks are retrieved no more, at once. ${LOCKED}`,
    answers: { 200: { says: 'Deleted.', content: json('Done') } },
    refuses: [400, 403, 404, 409, 423],
  },
  {
    ...MANAGED,
    id: 'downloadFile',
    method: 'get',
    path: paths.download('{name}', '{file}'),
    tag: 'Files',
    says: 'The bytes of a file, as they came',
    answers: {
      200: {
        says: 'Front matter included.',
        content: { 'application/pdf': 'bytes', 'text/plain': 'text', 'text/markdown': 'text' },
      },
    },
    refuses: [400, 403, 404, 409],
  },
]

const indexOperations: readonly Operation[] = [
  {
    ...MANAGED,
    id: 'generateIndex',
    method: 'post',
    path: paths.generateIndex('{name}'),
    tag: 'Index',
    says: 'Index what is not indexed yet',
    more:
      'Answers when the pass is over, or with 504 after 45 s while it goes on: look at the file list then. A file that cannot ' +
      'be read is `ERROR`, with the reason, and is tried again by the next pass. A second trigger while one runs gets 409.',
    answers: { 200: { says: 'The pass is over.', content: json('IndexPass') } },
    refuses: [400, 403, 404, 409, 504],
  },
  {
    ...MANAGED,
    id: 'deleteIndex',
    method: 'delete',
    path: paths.deleteIndex('{name}'),
    tag: 'Index',
    says: 'Take all files out of the index',
    more: `They stay, \`NOT_INDEXED\`. ${LOCKED}`,
    answers: { 200: { says: 'Deleted.', content: json('Done') } },
    refuses: [400, 403, 404, 409, 423],
  },
]

/** What can be done to collections, their files and their index. */
export const managementOperations: readonly Operation[] = [
  ...collectionOperations,
  ...fileOperations,
  ...indexOperations,
]
