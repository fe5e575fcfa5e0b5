import { z } from 'zod'
import { chatRequest, chatResponse, chatStreamEvent } from '#platform/wire/chat.ts'
import {
  collectionList,
  collectionRecord,
  createCollectionRequest,
  createCollectionResponse,
  sharingRequest,
  fileList,
  fileRecord,
} from '#platform/wire/collections.ts'
import { conversionQuery, conversionResult } from '#platform/wire/documents.ts'
import {
  speechRequest,
  transcript,
  transcriptionFields,
  translationFields,
  verboseTranscript,
} from '#platform/wire/voice.ts'
import { embeddingsRequest, embeddingsResponse, model, modelList } from '#platform/wire/models.ts'
import { openAiErrorBody, rateLimitErrorBody, validationErrorBody } from '#platform/wire/errors.ts'
import { response, responseEvent, responseRequest } from '#platform/wire/responses.ts'
import {
  attachRequest,
  createStoreRequest,
  fileDeleted,
  listQuery,
  storeFileListQuery,
  searchRequest,
  storeDeleted,
  storeFileContent,
  storeFileDeleted,
  storeSearchPage,
  uploadedFile,
  uploadedFileList,
  uploadListQuery,
  vectorStore,
  vectorStoreFile,
  vectorStoreFileList,
  vectorStoreList,
} from '#platform/wire/vector-stores.ts'
import { userProfile, versionResponse } from '#platform/wire/service.ts'

type JsonSchema = z.core.JSONSchema.BaseSchema

/** An answer that is only a sentence for people. */
const done = z.object({ message: z.string() })

const passResult = done.extend({
  files_indexed: z.int().min(0),
  files_failed: z.int().min(0),
  chunks_indexed: z.int().min(0),
})

const sentence = { detail: z.string() }

const REQUEST_SCHEMAS = {
  ChatRequest: chatRequest,
  CreateCollectionRequest: createCollectionRequest,
  SharingRequest: sharingRequest,
  EmbeddingsRequest: embeddingsRequest,
  SpeechRequest: speechRequest,
  ResponseRequest: responseRequest,
  CreateVectorStoreRequest: createStoreRequest,
  AttachRequest: attachRequest,
  SearchRequest: searchRequest,
} as const

const ANSWER_SCHEMAS = {
  ChatResponse: chatResponse,
  ChatStreamEvent: chatStreamEvent,
  Collection: collectionRecord,
  CollectionList: collectionList,
  CreatedCollection: createCollectionResponse,
  ConversionResult: conversionResult,
  Embeddings: embeddingsResponse,
  File: fileRecord,
  FileList: fileList,
  Model: model,
  ModelList: modelList,
  UserProfile: userProfile,
  Version: versionResponse,
  Transcript: transcript,
  VerboseTranscript: verboseTranscript,
  Done: done,
  IndexPass: passResult,
  Response: response,
  ResponseEvent: responseEvent,
  VectorStore: vectorStore,
  VectorStoreList: vectorStoreList,
  VectorStoreDeleted: storeDeleted,
  VectorStoreFile: vectorStoreFile,
  VectorStoreFileList: vectorStoreFileList,
  VectorStoreFileDeleted: storeFileDeleted,
  VectorStoreFileContent: storeFileContent,
  SearchPage: storeSearchPage,
  Upload: uploadedFile,
  UploadList: uploadedFileList,
  UploadDeleted: fileDeleted,
  Error: openAiErrorBody.extend(sentence),
  RateLimitError: rateLimitErrorBody.extend(sentence),
  ValidationError: openAiErrorBody.extend({ detail: validationErrorBody.shape.detail }),
} as const

export type SchemaName = keyof typeof REQUEST_SCHEMAS | keyof typeof ANSWER_SCHEMAS

/** Answers of a model server are passed on unchanged, with fields that the contract does not name. */
const OPEN_SCHEMAS: ReadonlySet<string> = new Set<SchemaName>(['ChatResponse', 'ChatStreamEvent', 'Embeddings'])

/** Patterns of formats are dropped for their length, and limits of safe integers because every integer has them. */
function shorten({ jsonSchema }: { jsonSchema: JsonSchema }): void {
  if (jsonSchema.format !== undefined) delete jsonSchema.pattern
  if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum
  if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum
}

/** Answers may get new fields: a schema that forbids them would break clients with the next version. */
function unseal(schema: unknown, isOpen: boolean): void {
  if (typeof schema !== 'object' || schema === null) return
  if ('additionalProperties' in schema && schema.additionalProperties === false) {
    if (isOpen) schema.additionalProperties = true
    else delete schema.additionalProperties
  }
  for (const inner of Object.values(schema)) unseal(inner, isOpen)
}

function convert(schemas: Readonly<Record<string, z.ZodType>>, io: 'input' | 'output') {
  const registry = z.registry<{ id: string }>()
  for (const [id, schema] of Object.entries(schemas)) registry.add(schema, { id })
  const made = z.toJSONSchema(registry, { uri: (id) => `#/components/schemas/${id}`, io, override: shorten })
  return Object.entries(made.schemas).map(([id, { $schema: _schema, $id: _id, ...schema }]) => {
    if (io === 'output') unseal(schema, OPEN_SCHEMAS.has(id))
    return [id, schema] as const
  })
}

/** `components.schemas`, out of the contract. */
export function createSchemas(): Record<string, JsonSchema> {
  const made: Record<string, JsonSchema> = {}
  for (const [id, schema] of [...convert(REQUEST_SCHEMAS, 'input'), ...convert(ANSWER_SCHEMAS, 'output')])
    made[id] = schema
  return made
}

function fieldsOf(schema: z.ZodType) {
  const { properties = {} } = z.toJSONSchema(schema, { io: 'output', override: shorten })
  return { properties: properties as Record<string, JsonSchema> }
}

/** Text fields and query parameters; each is optional or has a default. */
export const fieldSets = {
  conversion: () => fieldsOf(conversionQuery),
  list: () => fieldsOf(listQuery),
  storeFileList: () => fieldsOf(storeFileListQuery),
  uploadList: () => fieldsOf(uploadListQuery),
  transcription: () => fieldsOf(transcriptionFields),
  translation: () => fieldsOf(translationFields),
} as const
