import type { ServerResponse } from 'node:http'
import { chatRequest } from '#platform/wire/chat.ts'
import { formatRateLimit, type RateLimitDictionary } from '#platform/wire/rate-limit.ts'
import { composeAnswer, retrievedFrom, streamAnswer, type Answer } from './answer.ts'
import type { Fault, Operation } from './faults.ts'
import type { RecordedRequest } from './request.ts'
import { respond, type Plain, type World } from './respond.ts'

export interface BehaviourOptions {
  readonly world: World
  readonly key: string
  readonly quota: RateLimitDictionary
  readonly sleep: (ms: number) => Promise<void>
}

const bearerOnly = new Set<Operation>(['models', 'probe', 'transcribe', 'translate', 'convert', 'embeddings'])

/** Management takes the raw key only, collection chat and the profile both forms, the rest Bearer only. */
function isAuthorized(request: RecordedRequest, key: string, { profile }: World): boolean {
  const forms = { raw: key, bearer: `Bearer ${key}` }
  const given = request.headers['authorization']
  const { json } = request
  const inCollection = typeof json === 'object' && json !== null && profile.chatObject in json
  if (request.op === 'user' || (request.op === 'chat' && inCollection)) {
    return given === forms.raw || given === forms.bearer
  }
  return given === (request.op === 'chat' || bearerOnly.has(request.op) ? forms.bearer : forms.raw)
}

/** The double's behaviour on a request that it has read. */
export function createBehaviour(options: BehaviourOptions) {
  const { world, quota } = options

  const ordinary = async (request: RecordedRequest, response: ServerResponse, fault: Fault | undefined) => {
    if (request.op === 'chat') await chat(request, response, { ...options, fault })
    else write(response, respond(request, world, fault))
  }

  const obey = async (request: RecordedRequest, response: ServerResponse, fault: Fault): Promise<void> => {
    if ('carryOut' in fault && fault.carryOut) respond(request, world, fault)
    if (fault.kind === 'hang') return
    if (fault.kind === 'drop') {
      response.destroy()
    } else if (fault.kind === 'status') {
      const { status, body = '', contentType = 'application/json', headers } = fault
      write(response, { status, bytes: Buffer.from(body), contentType }, headers)
    } else if (fault.kind === 'rate-limit') {
      limitRate(response, fault, quota)
    } else if (fault.kind === 'raw') {
      await writeRaw(response, fault)
    } else if (fault.kind === 'delay') {
      await fault.until
      await ordinary(request, response, undefined)
    } else {
      await ordinary(request, response, fault)
    }
  }

  return async (request: RecordedRequest, response: ServerResponse, fault: Fault | undefined) => {
    if (!isAuthorized(request, options.key, world)) {
      return write(response, { status: 401, body: { message: 'Unauthorized' } })
    }
    if (fault !== undefined) return obey(request, response, fault)
    if (world.library.collections.get(request.collection ?? '')?.locked) return undefined
    return ordinary(request, response, undefined)
  }
}

function write(response: ServerResponse, plain: Plain, headers: Readonly<Record<string, string>> = {}) {
  if (plain.status === 204) {
    response.writeHead(204, headers).end()
    return
  }
  const body = plain.bytes ?? (plain.body === undefined ? '' : JSON.stringify(plain.body))
  response.writeHead(plain.status, { 'content-type': plain.contentType ?? 'application/json', ...headers }).end(body)
}

async function chat(
  request: RecordedRequest,
  response: ServerResponse,
  { world, sleep, fault }: BehaviourOptions & { readonly fault: Fault | undefined },
) {
  const parsed = chatRequest.safeParse(request.json)
  if (!parsed.success) return write(response, { status: 422, body: { detail: parsed.error.message } })
  if (!world.models.includes(parsed.data.model)) {
    const bytes = Buffer.from('Model Not Found')
    return write(response, { status: 404, bytes, contentType: 'text/html' })
  }
  const id = retrievedFrom(parsed.data, request, world.profile)
  if (id !== undefined && !world.library.collections.has(id.slice(id.indexOf('/') + 1))) {
    return write(response, { status: 500, body: { detail: 'Internal Server Error' } })
  }
  const composed = composeAnswer(parsed.data, id, world.library)
  const answer = fault?.kind === 'answer' ? { finishReason: 'stop', ...fault } : composed
  if (parsed.data.stream === true && fault?.kind !== 'unstreamed') {
    return streamAnswer(response, answer, { profile: world.profile, sleep, fault })
  }
  return write(response, { status: 200, body: completion(parsed.data.model, answer) })
}

function completion(model: string, { text, reasoning, finishReason }: Answer) {
  const message = {
    role: 'assistant',
    content: text === '' ? null : text,
    ...(reasoning === undefined ? {} : { reasoning_content: reasoning }),
  }
  return {
    id: 'chatcmpl-1',
    object: 'chat.completion',
    created: 1,
    model,
    choices: [{ index: 0, message, finish_reason: finishReason }],
    usage: { prompt_tokens: 9, completion_tokens: 9, total_tokens: 18 },
  }
}

function limitRate(
  response: ServerResponse,
  fault: Extract<Fault, { kind: 'rate-limit' }>,
  quota: RateLimitDictionary,
) {
  const said = { ...quota, [`remaining_${fault.window}`]: 0, reset_seconds: fault.resetSeconds ?? null }
  for (const name of Object.keys(formatRateLimit(quota))) response.removeHeader(name)
  write(
    response,
    { status: 429, body: { message: 'API rate limit exceeded' } },
    {
      ...(fault.bare === true ? {} : formatRateLimit(said)),
      ...(fault.retryAfter === undefined ? {} : { 'retry-after': fault.retryAfter }),
    },
  )
}

async function writeRaw(response: ServerResponse, fault: Extract<Fault, { kind: 'raw' }>) {
  response.writeHead(fault.status ?? 200, { 'content-type': fault.contentType ?? 'text/event-stream' })
  // Without delay each write is a segment of its own, so that pieces arrive about as they were cut.
  response.socket?.setNoDelay(true)
  response.flushHeaders()
  for (const piece of fault.pieces) {
    if (!response.writable) return
    await new Promise((resolve) => {
      response.write(piece, resolve)
    })
  }
  if (fault.end === 'destroy') response.destroy()
  else if (fault.end !== 'hang') response.end()
}
