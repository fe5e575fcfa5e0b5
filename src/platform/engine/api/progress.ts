import { randomUUID } from 'node:crypto'
import type { ChatStreamEvent } from '#platform/wire/chat.ts'
import type { Profile } from '#platform/wire/profile.ts'
import { type EventSteps, type StreamEvent, toSteps } from '#platform/wire/stream-events.ts'

/**
 * The pseudo tool calls by which the deployed service tells the progress of a retrieval. They come at the head of the
 * stream: a failure before it keeps its status.
 *
 * @param id of the collections, as the request has it
 */
function toProgress(profile: Profile, id: string, { model, now }: { readonly model: string; readonly now: number }) {
  const base = {
    id: `chatcmpl-${randomUUID()}`,
    object: 'chat.completion.chunk' as const,
    created: Math.floor(now / 1000),
    model,
  }
  return [{ event: 'accessing', [profile.chatObject]: id }, { event: 'done' }].map((told): StreamEvent => {
    const call = { name: profile.progressTool, arguments: JSON.stringify(told) }
    const delta = { tool_calls: [{ index: 0, id: `call_${randomUUID()}`, type: 'function', function: call }] }
    return { body: { ...base, choices: [{ index: 0, delta, finish_reason: null }] } satisfies ChatStreamEvent }
  })
}

/** The events of an answer, after the progress of its retrieval. */
export function withProgress(
  events: EventSteps,
  profile: Profile,
  id: string,
  answer: { readonly model: string; readonly now: number },
): EventSteps {
  let isTold = false
  const next = (restMs: number | undefined) => {
    if (isTold) return events.next(restMs)
    isTold = true
    return Promise.resolve({ done: false as const, value: toProgress(profile, id, answer) })
  }
  return toSteps(next, () => events.return())
}
