import { DOCUMENT_PART } from '../../wire/documents.ts'
import { LIMITS } from '../../wire/limits.ts'
import { INFERENCE_HEADER, PROFILES } from '../../wire/profile.ts'
import { AUDIO_PART } from '../../wire/voice.ts'
import { managementOperations } from './collections.ts'
import { json, MANAGED, paths, type Operation } from './schemas.ts'

const modelOperations: readonly Operation[] = [
  ...(['get', 'post'] as const).map((method): Operation => ({
    id: method === 'get' ? 'listModels' : 'listModelsByPost',
    method,
    path: paths.models,
    at: 'base',
    tag: 'Models',
    says: 'Models that can be asked',
    key: 'bearer',
    answers: { 200: { says: 'The configured models first, `extractive` last.', content: json('ModelList') } },
  })),
  {
    id: 'probeRateLimit',
    method: 'get',
    path: paths.chat,
    at: 'base',
    tag: 'Models',
    says: 'Where the key stands',
    more: 'Always answers 400, with the rate-limit headers, and uses up no quota.',
    key: 'either',
    free: true,
    answers: { 400: { says: 'The headers are the answer.', content: json('Error') } },
  },
  {
    id: 'chat',
    method: 'post',
    path: paths.chat,
    at: 'base',
    tag: 'Models',
    says: 'Chat, with a collection or without',
    more:
      'Retrieval happens when three additions are all there: `enable-tools: true`, `collection` and the header ' +
      `\`${INFERENCE_HEADER.name}: ${INFERENCE_HEADER.value}\`. The answer then ends with a \`References:\` block, one entry a chunk: ` +
      'the mark, the file, a place (`p.3`, `L10-24`, `0:42`), a distance (1 − normalised score: 0 is nearest, 1 farthest), ' +
      'then the chunk, verbatim. Without a collection the key comes as Bearer; with one the raw key is taken, too.',
    key: 'either',
    header: { name: INFERENCE_HEADER.name, says: `\`${INFERENCE_HEADER.value}\`, for retrieval.` },
    body: { json: 'ChatRequest' },
    answers: {
      200: {
        says:
          'Streamed, each event is a chunk and `[DONE]` the last; a stream that breaks off ends in an event `{"object":"error",…}` ' +
          'without it. Comments (`: alive`) keep a quiet stream open.',
        content: { ...json('ChatResponse'), 'text/event-stream': 'ChatStreamEvent' },
      },
    },
    refuses: [403, 404, 413, 422, 502, 503, 504],
  },
  {
    id: 'embed',
    method: 'post',
    path: paths.embeddings,
    at: 'base',
    tag: 'Models',
    says: 'Vectors of texts',
    key: 'bearer',
    body: { json: 'EmbeddingsRequest' },
    answers: { 200: { says: 'As the model server gives them.', content: json('Embeddings') } },
    refuses: [413, 422, 501, 502, 504],
  },
]

const speechOperation: Operation = {
  id: 'speech',
  method: 'post',
  path: paths.speech,
  at: 'base',
  tag: 'Voice',
  says: 'A text, read out',
  more: 'Passed on to the model server as it is.',
  key: 'bearer',
  body: { json: 'SpeechRequest' },
  answers: {
    200: { says: 'The sound, in the type that the model server says.', content: { 'audio/mpeg': 'bytes' } },
  },
  refuses: [413, 422, 501, 502, 504],
}

const voiceOperations = (['transcription', 'translation'] as const).map((task): Operation => ({
  id: task,
  method: 'post',
  path: task === 'transcription' ? paths.transcriptions : paths.translations,
  at: 'base',
  tag: 'Voice',
  says: task === 'transcription' ? 'What a recording says' : 'What a recording says, in English',
  key: 'bearer',
  body: { part: AUDIO_PART, fields: task },
  answers: {
    200: {
      says: 'In the form that `response_format` asks for.',
      content: {
        'application/json': ['Transcript', 'VerboseTranscript'],
        'text/plain': 'text',
        'text/vtt': 'text',
      },
    },
  },
  refuses: [413, 415, 422, 501, 502, 504],
}))

const documentOperations: readonly Operation[] = [
  {
    id: 'convertDocument',
    method: 'post',
    path: paths.convert,
    at: 'base',
    tag: 'Documents',
    says: 'A document as markdown, HTML, JSON or tokens, and its images',
    more: `Up to ${LIMITS.audioSeconds} seconds and 100 MB.`,
    key: 'bearer',
    query: 'conversion',
    body: { part: DOCUMENT_PART },
    answers: {
      200: { says: 'Only the field of the asked type is there.', content: json('ConversionResult') },
    },
    refuses: [413, 415, 422, 504],
  },
]

const serviceOperations: readonly Operation[] = [
  {
    id: 'getUser',
    method: 'get',
    path: paths.user,
    at: 'both',
    tag: 'Service',
    says: 'Profile of the key’s owner',
    key: 'either',
    answers: { 200: { says: 'The profile.', content: json('UserProfile') } },
  },
  {
    ...MANAGED,
    id: 'getManagementUser',
    method: 'get',
    path: `${PROFILES.collection.managementPrefix}${paths.user}`,
    tag: 'Service',
    says: 'Profile of the key’s owner',
    answers: { 200: { says: 'The profile.', content: json('UserProfile') } },
  },
  {
    id: 'getVersion',
    method: 'get',
    path: paths.version,
    at: 'both',
    tag: 'Service',
    says: 'Version of the collection API',
    key: 'none',
    answers: { 200: { says: 'In dotted form.', content: json('Version') } },
  },
  {
    id: 'getHeartbeat',
    method: 'get',
    path: paths.heartbeat,
    at: 'both',
    tag: 'Service',
    says: 'Whether it is alive',
    key: 'none',
    answers: { 204: { says: 'Alive.' } },
  },
  {
    id: 'getHealth',
    method: 'get',
    path: '/health',
    at: 'root',
    tag: 'Service',
    says: 'Whether the process answers',
    key: 'none',
    answers: { 200: { says: '`status` is `ok`.', content: { 'application/json': 'object' } } },
  },
  {
    id: 'getDocument',
    method: 'get',
    path: '/openapi.json',
    at: 'root',
    tag: 'Service',
    says: 'This document; `/docs` is a page to try it',
    key: 'none',
    answers: { 200: { says: 'OpenAPI 3.1.', content: { 'application/json': 'object' } } },
  },
  {
    id: 'getMetrics',
    method: 'get',
    path: '/metrics',
    at: 'root',
    tag: 'Service',
    says: 'Figures in the form of Prometheus',
    key: 'either',
    free: true,
    answers: { 200: { says: 'Text, version 0.0.4.', content: { 'text/plain': 'text' } } },
  },
]

/** Everything that the server does, in the order of its document. */
export const operations: readonly Operation[] = [
  ...modelOperations,
  ...managementOperations,
  ...voiceOperations,
  speechOperation,
  ...documentOperations,
  ...serviceOperations,
]
