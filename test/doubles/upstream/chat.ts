import { setTimeout as delay } from 'node:timers/promises'
import type { ServerResponse } from 'node:http'
import { createWording, encodingOf, pack, type Quirks, toOwnLines, withLeftovers } from './quirks.ts'
import type { ChatAnswer, FaultAnswer, UpstreamRequest } from './script.ts'

const created = 1_760_000_000

const wordsOf = (text: string) => text.match(/\S+\s*|\s+/g) ?? []

const deltasOf = (answer: ChatAnswer) => answer.deltas ?? wordsOf(answer.text ?? '')

const textOf = (answer: ChatAnswer) => answer.text ?? answer.deltas?.join('') ?? ''

const usage = { prompt_tokens: 11, completion_tokens: 7, total_tokens: 18 }

/** Writes and waits until it is taken; false when the caller is gone. */
async function write(response: ServerResponse, text: string): Promise<boolean> {
  if (response.destroyed) return false
  if (response.write(text)) return true
  await new Promise<void>((resolve) => {
    const done = () => {
      response.off('drain', done)
      response.off('close', done)
      resolve()
    }
    response.on('drain', done)
    response.on('close', done)
  })
  return !response.destroyed
}

const choice = (index: number, delta: object, finish: string | null = null) => ({ index, delta, finish_reason: finish })

function createEvents(request: UpstreamRequest, response: ServerResponse) {
  const base = { id: 'chatcmpl-double', object: 'chat.completion.chunk', created, model: request.json?.['model'] }
  const event = (body: object) => write(response, `data: ${JSON.stringify({ ...base, ...body })}\n\n`)
  return {
    open: () => response.writeHead(200, { 'content-type': 'text/event-stream' }),
    event,
    async delta(content: string, choices = 1) {
      request.firstDeltaAt ??= performance.now()
      request.deltasWritten += 1
      return event({ choices: Array.from({ length: choices }, (_, index) => choice(index, { content })) })
    },
  }
}

const wantsUsage = (request: UpstreamRequest) => {
  const options = request.json?.['stream_options']
  return typeof options === 'object' && options !== null && 'include_usage' in options && options.include_usage === true
}

/** The whole stream as one text, worded otherwise. */
function odd(request: UpstreamRequest, response: ServerResponse, answer: ChatAnswer, quirks: Quirks): void {
  const word = createWording(quirks)
  const base = { id: 'chatcmpl-double', object: 'chat.completion.chunk', created, model: request.json?.['model'] }
  const { reasoning } = answer
  const deltas = [
    ...(reasoning === undefined || quirks.thinksBetween !== undefined ? [] : [{ reasoning_content: reasoning }]),
    ...withLeftovers(deltasOf(answer), quirks, reasoning).map((content) => ({ content })),
  ]
  const bodies = [
    ...deltas.map((delta) => ({ ...base, choices: [choice(0, delta)] })),
    ...(answer.finishReason === null ? [] : [{ ...base, choices: [choice(0, {}, answer.finishReason ?? 'stop')] }]),
  ]
  if (quirks.ownLines !== undefined) {
    request.firstDeltaAt ??= performance.now()
    response.writeHead(200, { 'content-type': 'application/x-ndjson' }).end(toOwnLines(bodies, quirks.ownLines))
    return
  }
  const events = bodies.map((body) => JSON.stringify(word(body)))
  const lines = [...events, ...(quirks.unended === true ? [] : ['[DONE]'])].map((event) => `data: ${event}`)
  const text = `${lines.join('\n\n')}${quirks.unended === true ? '' : '\n\n'}`
  request.firstDeltaAt ??= performance.now()
  const { packed } = quirks
  const type = { 'content-type': 'text/event-stream' }
  if (packed === undefined) response.writeHead(200, type).end(text)
  else response.writeHead(200, { ...type, 'content-encoding': encodingOf(packed) }).end(pack(text, packed))
}

async function* growing(answer: ChatAnswer): AsyncGenerator<string> {
  const deltas = deltasOf(answer)
  yield* deltas.slice(0, -1)
  let isOver = answer.until === undefined
  void answer.until?.then(() => (isOver = true))
  while (!isOver) yield deltas.at(-2) ?? ''
  yield* deltas.slice(-1)
}

async function stream(request: UpstreamRequest, response: ServerResponse, answer: ChatAnswer): Promise<void> {
  if (answer.quirks !== undefined) return odd(request, response, answer, answer.quirks)
  const events = createEvents(request, response)
  const count = answer.choices ?? 1
  const all = (delta: object, finish: string | null = null) => ({
    choices: Array.from({ length: count }, (_, index) => choice(index, delta, finish)),
  })
  events.open()
  response.flushHeaders()
  if (answer.firstDelayMs !== undefined) await delay(answer.firstDelayMs)
  await events.event(all({ role: 'assistant', content: '', ...answer.message }))
  if (answer.reasoning !== undefined) await events.event(all({ reasoning_content: answer.reasoning }))
  for await (const text of growing(answer)) {
    if (!(await events.delta(text, count))) return
    if (answer.delayMs !== undefined) await delay(answer.delayMs)
  }
  if (answer.finishReason !== null) {
    await events.event(all({}, answer.finishReason ?? 'stop'))
    if (wantsUsage(request)) await events.event({ choices: [], usage })
    await write(response, 'data: [DONE]\n\n')
  }
  response.end()
}

async function whole(request: UpstreamRequest, response: ServerResponse, answer: ChatAnswer): Promise<void> {
  await delay((answer.firstDelayMs ?? 0) + (answer.delayMs ?? 0) * deltasOf(answer).length)
  const message = {
    role: 'assistant',
    content: textOf(answer) === '' ? null : textOf(answer),
    ...(answer.reasoning === undefined ? {} : { reasoning_content: answer.reasoning }),
    ...answer.message,
  }
  const choices = Array.from({ length: answer.choices ?? 1 }, (_, index) => ({
    index,
    message,
    finish_reason: answer.finishReason ?? 'stop',
  }))
  request.firstDeltaAt ??= performance.now()
  const body = {
    id: 'chatcmpl-double',
    object: 'chat.completion',
    created,
    model: request.json?.['model'],
    choices,
    usage,
  }
  response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body))
}

export function answerChat(request: UpstreamRequest, response: ServerResponse, answer: ChatAnswer): Promise<void> {
  return request.json?.['stream'] === true ? stream(request, response, answer) : whole(request, response, answer)
}

export async function answerFault(
  request: UpstreamRequest,
  response: ServerResponse,
  answer: FaultAnswer,
): Promise<void> {
  if (answer.fault === 'status') {
    const { status, body = '', headers = {} } = answer
    response.writeHead(status, {
      'content-type': typeof body === 'string' ? 'text/plain' : 'application/json',
      ...headers,
    })
    response.end(typeof body === 'string' ? body : JSON.stringify(body))
    return
  }
  if (answer.fault === 'raw') {
    if (answer.delayMs !== undefined) await delay(answer.delayMs)
    response.writeHead(200, { 'content-type': answer.type, ...answer.headers }).end(answer.body)
    return
  }
  const events = createEvents(request, response)
  if (answer.fault === 'empty') {
    if (request.json?.['stream'] === true) events.open()
    response.end()
    return
  }
  if (answer.after !== undefined) {
    events.open()
    for (const text of answer.after) await events.delta(text)
  }
  if (answer.fault === 'cut') {
    // The written bytes have to be on their way first: a reset drops those that the other side has not read.
    await delay(50)
    response.destroy()
  }
  if (answer.fault === 'error-event') {
    if (answer.after === undefined) events.open()
    await events.event({ object: 'error', message: answer.message, type: 'server_error', code: 500 })
    response.end()
  }
  // A hang leaves the connection open; closing the double ends it.
}
