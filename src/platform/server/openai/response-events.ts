import { readReceived } from '#platform/wire/received-chat.ts'
import type { ResponseEvent } from '#platform/wire/responses.ts'
import type { EventSteps, StreamEvent } from '#platform/wire/stream-events.ts'
import { toFailure } from '../http/errors.ts'
import { type Asked, createResponse, type End, type Response } from './to-response.ts'

/** An event without its number. */
type Unnumbered = { readonly type: `response.${string}` } & Readonly<Record<string, unknown>>

function* beginning(made: Response): Generator<Unnumbered> {
  yield { type: 'response.created', response: made.begun() }
  yield { type: 'response.in_progress', response: made.begun() }
  const [called] = made.search('in_progress')
  const [found] = made.search('completed')
  if (called !== undefined && found !== undefined) {
    const at = { output_index: 0, item_id: called.id }
    yield { type: 'response.output_item.added', output_index: 0, item: called }
    yield { type: 'response.file_search_call.in_progress', ...at }
    yield { type: 'response.file_search_call.searching', ...at }
    yield { type: 'response.file_search_call.completed', ...at }
    yield { type: 'response.output_item.done', output_index: 0, item: found }
  }
  const output_index = called === undefined ? 0 : 1
  const item = made.message('in_progress', [])
  yield { type: 'response.output_item.added', output_index, item }
  yield { type: 'response.content_part.added', output_index, item_id: item.id, content_index: 0, part: made.part('') }
}

/** Adds the events of a chat to what was said so far. */
function add(said: End, events: readonly StreamEvent[]): End {
  let { text, finish, usage } = said
  for (const event of events) {
    const received = event.received ?? readReceived(event.body)
    usage = received?.usage ?? usage
    const choice = received?.choices.find(({ index }) => index === 0)
    finish = choice?.finishReason ?? finish
    text += choice?.words.content || choice?.words.refusal || ''
  }
  return { text, finish, usage }
}

/** The events of a streamed chat as those of a response. A failure is `response.failed`, then it is thrown on. */
export async function* toResponseEvents(asked: Asked, events: EventSteps): EventSteps {
  const made = createResponse(asked)
  const at = {
    item_id: made.message('in_progress', []).id,
    output_index: asked.question === undefined ? 0 : 1,
    content_index: 0,
  }
  let sequence = 0
  const number = ({ type, ...rest }: Unnumbered): StreamEvent => ({
    name: type,
    body: { type, sequence_number: sequence++, ...rest } satisfies ResponseEvent,
  })
  let said: End = { text: '', finish: undefined, usage: undefined }
  try {
    yield Array.from(beginning(made), number)
    for (let restMs: number | undefined; ;) {
      const step = await events.next(restMs)
      if (step.done === true) break
      const { text: before } = said
      said = add(said, step.value)
      const delta = said.text.slice(before.length)
      restMs = yield delta === '' ? [] : [number({ type: 'response.output_text.delta', ...at, delta, logprobs: [] })]
    }
    const ended = made.ended(said)
    const item = ended.output.at(-1)
    const part = made.part(said.text)
    yield [
      ...part.annotations.map((annotation, annotation_index): Unnumbered => ({
        type: 'response.output_text.annotation.added',
        ...at,
        annotation_index,
        annotation,
      })),
      { type: 'response.output_text.done', ...at, text: said.text, logprobs: [] } as const,
      { type: 'response.content_part.done', ...at, part } as const,
      { type: 'response.output_item.done', output_index: at.output_index, item } as const,
      { type: ended.status === 'completed' ? 'response.completed' : 'response.incomplete', response: ended } as const,
    ].map(number)
  } catch (error) {
    yield [number({ type: 'response.failed', response: made.failed(toFailure(error).body.error.message) })]
    throw error
  } finally {
    await events.return()
  }
}
