import { expect, test } from 'vitest'
import { z } from 'zod'
import {
  chatRequest,
  chatResponse,
  chatStreamEvent,
  isProgressTool,
  messageText,
  requestedCollection,
} from '#platform/wire/chat.ts'
import { collectionRecord, createCollectionRequest, fileList, fileRecord } from '#platform/wire/collections.ts'
import { conversionQuery, conversionResult } from '#platform/wire/documents.ts'
import { embeddingsResponse, modelList } from '#platform/wire/models.ts'
import { PROFILES } from '#platform/wire/profile.ts'
import { rateLimitDictionary } from '#platform/wire/rate-limit.ts'
import { userProfile, versionResponse } from '#platform/wire/service.ts'
import { transcriptionFields, verboseTranscript } from '#platform/wire/voice.ts'

const file = {
  name: 'a.md',
  size: 3,
  owner_user_name: 'alice',
  created_at: '2026-01-01T00:00:00Z',
  updated_at: '2026-01-01T00:00:00.123+01:00',
  index_info: { index_status: 'INDEXED', chunks_indexed: 2 },
  related_files: [],
}

test('a file record has the fields of FileOutSchema and nests', () => {
  expect(
    fileList.parse([{ ...file, related_files: [{ ...file, index_info: null, related_files: null }] }]),
  ).toBeTruthy()
  const wrong = [
    { size: 1.5 },
    { created_at: 'yesterday' },
    { index_info: { index_status: 'DONE', chunks_indexed: 1 } },
    { index_info: undefined },
  ]
  expect(wrong.filter((one) => fileRecord.safeParse({ ...file, ...one }).success)).toEqual([])
})

test('creating asks for a name of 1 to 100 characters', () => {
  expect(createCollectionRequest.safeParse({ name: 'x'.repeat(100) }).success).toBe(true)
  const wrong = [{}, { name: '' }, { name: 'x'.repeat(101) }, { name: 1 }]
  expect(wrong.filter((body) => createCollectionRequest.safeParse(body).success)).toEqual([])
})

test('a chat request keeps what it does not know and names its collection as the profile says', () => {
  const parsed = chatRequest.parse({
    model: 'm',
    messages: [{ role: 'user', content: [{ type: 'text', text: 'a' }, { type: 'image_url' }] }],
    'enable-tools': true,
    arcana: { id: 'alice/c' },
    top_p: 0.5,
  })
  expect(parsed['top_p']).toBe(0.5)
  expect(requestedCollection(parsed, PROFILES.saia)).toBe('alice/c')
  expect(requestedCollection(parsed, PROFILES.collection)).toBeUndefined()
  expect(parsed.messages.map(messageText)).toEqual(['a'])
  const body = { model: 'm', messages: [{ role: 'user', content: 'x' }] }
  const wrong = [{ messages: [] }, { model: '' }, { collection: { id: 'no-owner' } }, { stream: 'yes' }]
  expect(wrong.filter((one) => chatRequest.safeParse({ ...body, ...one }).success)).toEqual([])
})

test('only tools that end in .event tell progress', () => {
  expect(['arcana.event', 'tools.event', 'event', 'delete.events'].map(isProgressTool)).toEqual([
    true,
    true,
    false,
    false,
  ])
})

test('the query of a conversion is read from text, with its limits', () => {
  expect(conversionQuery.parse({ extract_tables_as_images: 'true', image_resolution_scale: '4' })).toEqual({
    response_type: 'markdown',
    extract_tables_as_images: true,
    image_resolution_scale: 4,
  })
  expect(conversionQuery.safeParse({ image_resolution_scale: '5' }).success).toBe(false)
  expect(conversionQuery.safeParse({ response_type: 'docx' }).success).toBe(false)
})

test('every schema of an answer can be shown as a JSON schema that marks its guesses', () => {
  const answers = {
    collectionRecord,
    fileList,
    modelList,
    chatResponse,
    chatStreamEvent,
    conversionResult,
    embeddingsResponse,
    rateLimitDictionary,
    userProfile,
    verboseTranscript,
    transcriptionFields,
    versionResponse,
  }
  const unmarked = Object.entries(answers).filter(
    ([, schema]) => !/"x-sureness":"[ABCDU]"/.test(JSON.stringify(z.toJSONSchema(schema, { io: 'input' }))),
  )
  expect(unmarked.map(([name]) => name)).toEqual([])
})
