import { setImmediate as turn } from 'node:timers/promises'
import type { ServerResponse } from 'node:http'
import { type ChatRequest, messageText, requestedCollection } from '#platform/wire/chat.ts'
import { formatReferences, referenceMark } from '#platform/wire/references.ts'
import { INFERENCE_HEADER, TOOL_FIELD, type Profile } from '#platform/wire/profile.ts'
import type { Fault } from './faults.ts'
import type { Library } from './library.ts'
import type { RecordedRequest } from './request.ts'

export interface Answer {
  readonly text: string
  readonly reasoning?: string
  readonly finishReason: string
  /** Full id, when there was retrieval. */
  readonly collection?: string
}

/** Retrieval only where all three additions are there; else a plain answer and no word about it, as deployed. */
export function retrievedFrom(request: ChatRequest, recorded: RecordedRequest, profile: Profile) {
  const id = requestedCollection(request, profile)
  const enabled = request[TOOL_FIELD] === true && recorded.headers[INFERENCE_HEADER.name] === INFERENCE_HEADER.value
  return enabled ? id : undefined
}

/** The double's own answer: the passage with most words in common, and the block. */
export function composeAnswer(request: ChatRequest, id: string | undefined, library: Library): Answer {
  const asked = request.messages.findLast((message) => message.role === 'user')
  const question = asked === undefined ? '' : messageText(asked)
  if (id === undefined) return { text: `You said: ${question}`, finishReason: 'stop' }
  const collection = library.collections.get(id.slice(id.indexOf('/') + 1))
  const hits = collection === undefined ? [] : library.retrieve(collection, question)
  const best = hits[0]
  const sentence =
    best === undefined || best.distance === 1
      ? 'The files do not say.'
      : `According to ${best.file}: ${best.body} ${referenceMark(1)}`
  return { text: sentence + formatReferences(hits), finishReason: 'stop', collection: id }
}

/** Small pieces, so that marks and the block arrive cut. */
const piecesOf = (text: string) => text.match(/[\s\S]{1,7}/gu) ?? []

const chunk = (delta: object, finishReason: string | null = null) => ({
  id: 'chatcmpl-1',
  object: 'chat.completion.chunk',
  created: 1,
  model: 'double',
  choices: [{ index: 0, delta, finish_reason: finishReason }],
})

const toolCall = (name: string, args: string, id = 'call_1') =>
  chunk({ tool_calls: [{ index: 0, id, type: 'function', function: { name, arguments: args } }] })

const errorEvents = {
  object: (message: string) => ({ object: 'error', message, type: 'InternalServerError', code: 500 }),
  type: (message: string) => ({ type: 'error', status: 500, message, choices: null }),
  error: (message: string) => ({ error: { message, type: 'server_error', code: 500 } }),
  event: (message: string) => ({ message }),
}

export interface Streaming {
  readonly profile: Profile
  readonly sleep: (ms: number) => Promise<void>
  readonly fault: Fault | undefined
}

/** Writes the answer as an event stream, with the pseudo tool calls of retrieval before it. */
export async function streamAnswer(response: ServerResponse, answer: Answer, streaming: Streaming) {
  const { profile, sleep, fault } = streaming
  const write = async (data: object | string, prefix = '') => {
    response.write(`${prefix}data: ${typeof data === 'string' ? data : JSON.stringify(data)}\n\n`)
    await turn()
  }
  response.writeHead(200, { 'content-type': 'text/event-stream' }).flushHeaders()
  if (fault?.kind === 'pings') {
    for (let n = 0; n < fault.count; n++) {
      response.write(': ping\n\n')
      await sleep(fault.intervalMs)
    }
  }
  if (answer.collection !== undefined) {
    const progress = (event: string) => JSON.stringify({ event, [profile.chatObject]: answer.collection })
    await write(toolCall(profile.progressTool, progress('accessing')))
    await write(toolCall(profile.progressTool, progress('done')))
  }
  if (fault?.kind === 'tool-call') await writeToolCall(write, fault)
  await write(chunk({ role: 'assistant', content: '' }))
  for (const piece of piecesOf(answer.reasoning ?? '')) await write(chunk({ reasoning_content: piece }))
  const ended = await writeText(response, { write, answer, streaming })
  if (ended) return
  const only = fault?.kind === 'tool-call' && fault.only === true
  await write(chunk({}, only ? 'tool_calls' : answer.finishReason))
  await write({ ...chunk({}), choices: [], usage: { prompt_tokens: 9, completion_tokens: 9, total_tokens: 18 } })
  await write('[DONE]')
  response.end()
}

type Write = (data: object | string, prefix?: string) => Promise<void>

/** In three pieces, as models stream them. */
async function writeToolCall(write: Write, fault: Extract<Fault, { kind: 'tool-call' }>) {
  const middle = Math.ceil(fault.arguments.length / 2)
  await write(toolCall(fault.name, ''))
  for (const args of [fault.arguments.slice(0, middle), fault.arguments.slice(middle)]) {
    await write(chunk({ tool_calls: [{ index: 0, function: { arguments: args } }] }))
  }
}

/** True when a fault has ended the stream. */
async function writeText(
  response: ServerResponse,
  { write, answer, streaming }: { write: Write; answer: Answer; streaming: Streaming },
): Promise<boolean> {
  const { fault, sleep } = streaming
  let count = 0
  for (const piece of piecesOf(answer.text)) {
    if ((fault?.kind === 'break' || fault?.kind === 'stream-error') && count >= fault.after) break
    if (fault?.kind === 'slow') await sleep(fault.intervalMs)
    if (fault?.kind === 'tool-call' && fault.only === true) break
    await write(chunk({ content: piece }))
    count += 1
  }
  if (fault?.kind === 'stream-error') {
    const event = errorEvents[fault.form](fault.message)
    await write(event, fault.form === 'event' ? 'event: error\n' : '')
    response.end()
    return true
  }
  if (fault?.kind !== 'break') return false
  if (fault.by === 'destroy') response.destroy()
  else if (fault.by === 'end') response.end()
  return true
}
