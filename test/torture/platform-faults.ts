import { errorBodies, gatewayTimeout, type Fault, type Operation } from '../doubles/platform/faults.ts'

/** Acts of people, and the platform calls of each. */
export type Act = 'question' | 'note' | 'document' | 'recording'

/** Something that goes wrong at the platform, by name. */
export interface PlatformFault {
  readonly name: string
  readonly op: Operation
  readonly fault: Fault
  /** Words of the answer came before it: the question is never asked again. */
  readonly isBegun?: true
  /** Waits for a limit of half a minute and more: left out of the short form. */
  readonly isSlow?: true
}

const event = (data: unknown) => `data: ${JSON.stringify(data)}\r\n\r\n`
const delta = (content: string | null) => event({ choices: [{ delta: { content } }] })
const SNOW = Buffer.from(delta('You said: ☃, in the end.'))
const inSnow = SNOW.indexOf('☃') + 1
const END = 'data: [DONE]\r\n\r\n'
const broken = { kind: 'status', status: 500, body: '{"message":"The disk is full"}' } as const
const page = (status: number) =>
  ({ kind: 'status', status, body: `<h1>${status}</h1>`, contentType: 'text/html' }) as const

const chat = (name: string, fault: Fault, more: Pick<PlatformFault, 'isBegun' | 'isSlow'> = {}): PlatformFault => ({
  name,
  op: 'chat',
  fault,
  ...more,
})
const raw = (pieces: readonly (string | Uint8Array)[], end: 'end' | 'destroy' | 'hang' = 'end'): Fault => ({
  kind: 'raw',
  pieces,
  end,
})

const QUESTION: readonly PlatformFault[] = [
  chat('connection closed', { kind: 'drop' }),
  chat('never answered', { kind: 'hang' }, { isSlow: true }),
  chat('200 and no byte, closed', raw([])),
  chat('200 and no byte, open', raw([], 'hang'), { isSlow: true }),
  ...errorBodies.map(({ status, says, ...body }) =>
    chat(`${status}: ${says || 'empty'}`, { kind: 'status', status, ...body }),
  ),
  chat('503', page(503)),
  chat('redirect', { kind: 'status', status: 302, headers: { location: 'http://127.0.0.1:9/v1/chat/completions' } }),
  ...(['minute', 'hour', 'day', 'month'] as const).map((window) =>
    chat(`429 of the ${window}`, { kind: 'rate-limit', window, retryAfter: '2' }),
  ),
  chat('429 in words alone', { kind: 'rate-limit', window: 'minute', bare: true, retryAfter: '1' }),
  chat('cut before the first word', { kind: 'break', after: 0, by: 'destroy' }),
  chat('cut between words', { kind: 'break', after: 2, by: 'destroy' }, { isBegun: true }),
  chat('ended between words', { kind: 'break', after: 2, by: 'end' }, { isBegun: true }),
  chat('silent between words', { kind: 'break', after: 2, by: 'hang' }, { isBegun: true, isSlow: true }),
  chat('cut within an event', raw([delta('half'), 'data: {"choices":[{"delta":'], 'destroy'), { isBegun: true }),
  ...(['object', 'type', 'error', 'event'] as const).flatMap((form) => [
    chat(`error event (${form}) first`, { kind: 'stream-error', after: 0, form, message: 'The model failed.' }),
    chat(
      `error event (${form}) between words`,
      { kind: 'stream-error', after: 2, form, message: 'The model failed.' },
      { isBegun: true },
    ),
  ]),
  chat('no stream but one document', { kind: 'unstreamed' }),
  chat('no content', { kind: 'answer', text: '' }),
  chat('content null, tokens spent on thinking', {
    kind: 'answer',
    text: '',
    reasoning: 'The ferry, hm.',
    finishReason: 'length',
  }),
  chat('a word a second', { kind: 'slow', intervalMs: 1000 }),
  chat('comments before the first word', { kind: 'pings', count: 3, intervalMs: 200 }),
  chat('a tool to be called', { kind: 'tool-call', name: 'shell', arguments: '{}', only: true }),
  chat('no JSON in an event', raw(['data: nothing\n\n'])),
  chat(
    'choices empty and null, a letter cut in two',
    raw([
      event({ choices: [] }) + event({ choices: null }) + delta(null),
      SNOW.subarray(0, inSnow),
      SNOW.subarray(inSnow),
      END,
    ]),
  ),
  chat(
    'references in an unknown form',
    raw([delta('You said: this [RREF1].\n\nReferences:\n\n[RREF1]: <none>\n'), END]),
  ),
]

const NOTE: readonly PlatformFault[] = [
  { name: 'create: 500', op: 'create', fault: broken },
  { name: 'create: reply lost', op: 'create', fault: { kind: 'drop', carryOut: true } },
  { name: 'create: 409', op: 'create', fault: { kind: 'status', status: 409, body: '{"detail":"already exists"}' } },
  { name: 'upload: request lost', op: 'upload', fault: { kind: 'drop' } },
  { name: 'upload: reply lost', op: 'upload', fault: { kind: 'drop', carryOut: true } },
  { name: 'upload: 413', op: 'upload', fault: { kind: 'status', status: 413, body: '{"detail":"Too large"}' } },
  { name: 'upload: 500', op: 'upload', fault: broken },
  { name: 'upload: 502 page', op: 'upload', fault: page(502) },
  { name: 'index: 504, goes on', op: 'generate-index', fault: gatewayTimeout() },
  { name: 'index: dropped, goes on', op: 'generate-index', fault: { kind: 'drop', carryOut: true } },
  { name: 'index: silent, goes on', op: 'generate-index', fault: { kind: 'hang', carryOut: true }, isSlow: true },
  { name: 'index: 409', op: 'generate-index', fault: { kind: 'status', status: 409, body: '{"detail":"running"}' } },
  { name: 'index: 500', op: 'generate-index', fault: { kind: 'status', status: 500 } },
  { name: 'index: not indexed at first', op: 'generate-index', fault: { kind: 'polls', polls: 4 } },
  { name: 'list of files: silent', op: 'files', fault: { kind: 'hang' }, isSlow: true },
]

const failing = (op: 'convert' | 'transcribe', ...more: readonly PlatformFault[]): readonly PlatformFault[] => [
  { name: `${op}: 400`, op, fault: { kind: 'status', status: 400, body: '{"detail":"Unsupported format"}' } },
  { name: `${op}: 413`, op, fault: { kind: 'status', status: 413, body: '{"detail":"Too large"}' } },
  { name: `${op}: 500`, op, fault: { kind: 'status', status: 500, body: '{"detail":"Failed"}' } },
  { name: `${op}: 504 page`, op, fault: page(504) },
  { name: `${op}: dropped`, op, fault: { kind: 'drop' } },
  ...more,
]

/** Possible faults of each act. */
export const PLATFORM_FAULTS: Readonly<Record<Act, readonly PlatformFault[]>> = {
  question: QUESTION,
  note: NOTE,
  document: failing('convert', { name: 'convert: no text', op: 'convert', fault: { kind: 'converted', markdown: '' } }),
  recording: failing('transcribe', {
    name: 'transcribe: nothing said',
    op: 'transcribe',
    fault: { kind: 'transcript', text: '' },
  }),
}
