import type { ChatEvent } from '#platform/client/chat-answer.ts'
import { createPlatformClient } from '#platform/client/client.ts'
import { PlatformError } from '#platform/client/errors.ts'
import { startPlatformDouble } from '../doubles/platform/double.ts'
import { startFootbridge } from '../support/footbridge.ts'
import { createPerson, isAsExpected } from '../support/people/person.ts'
import { openSlack } from '../support/people/slack.ts'
import { withPlatform } from '../support/platforms.ts'
import { measure } from './row.ts'

const piece = (content: string) => `data: ${JSON.stringify({ choices: [{ delta: { content } }] })}\n\n`
const TEXT = 'Größe: the ferry leaves at 9:40 【RREF1】.'
const BODY = Buffer.from(
  `${TEXT.split(' ')
    .map((word, at) => piece(at === 0 ? word : ` ${word}`))
    .join('')}data: {"choices":[{"delta":{},"finish_reason":"stop"}]}\n\ndata: [DONE]\n\n`,
)

/**
 * An answer that breaks off after each of its bytes: the received part is passed on, the loss is told, nothing is asked
 * twice.
 */
export const cutStreams = () =>
  measure('answers cut at every byte', async () => {
    const platform = await startPlatformDouble({ profile: 'collection', perMinute: 1_000_000 })
    const client = createPlatformClient({ baseUrl: platform.baseUrl, apiKey: platform.key })
    const wrong: string[] = []
    for (let at = 0; at < BODY.length; at += 1) {
      platform.script('chat', {
        kind: 'raw',
        pieces: [BODY.subarray(0, at)],
        contentType: 'text/event-stream',
        end: 'destroy',
      })
      const events: ChatEvent[] = []
      let failure: unknown
      try {
        for await (const event of client.chat.stream({
          model: 'double-model',
          messages: [{ role: 'user', content: 'When?' }],
        }))
          events.push(event)
      } catch (error) {
        failure = error
      }
      const text = events.flatMap((event) => (event.type === 'text' ? [event.text] : [])).join('')
      const isWhole = text === TEXT && events.some(({ type }) => type === 'finish')
      if (!TEXT.startsWith(text)) wrong.push(`byte ${at}: ${text}`)
      if (!isWhole && !(failure instanceof PlatformError)) wrong.push(`byte ${at}: half an answer as a whole one`)
    }
    const asked = platform.requests.filter(({ op }) => op === 'chat').length
    if (asked !== BODY.length) wrong.push(`${BODY.length} questions were asked ${asked} times`)
    await client.close()
    await platform.close()
    return {
      tried: `${BODY.length} cuts`,
      found: { 'shown as whole': wrong.length, 'asked twice': asked - BODY.length },
      wrong,
    }
  })

/** Each event three times, its mention before or after its message, and again when it was answered long ago. */
export const repeatedEvents = (count: number) =>
  measure('events three times, out of order, late', async () => {
    const [slack, hosted] = await Promise.all([openSlack(), withPlatform('collection')])
    const footbridge = await startFootbridge({ ...slack.env, ...hosted.env })
    const wrong: string[] = []
    try {
      for (let at = 0; at < count; at += 1) {
        const channel = await slack.addChannel(`channel-${at}`)
        const ada = createPerson(slack, 'Ada', channel)
        const question = `Question ${at}?`
        const order = at % 2 === 0 ? ('mention-first' as const) : ('message-first' as const)
        await ada.asks(question, { times: 3, order })
        const expected = [/^Ada: /, /^↳ Footbridge: You said: Question/]
        const seen = await ada.transcript(expected)
        if (!isAsExpected(seen, expected)) wrong.push(seen.join('\n'))
      }
      return { tried: `${count} questions, ${count * 6} deliveries`, found: { 'lost or doubled': wrong.length }, wrong }
    } finally {
      await footbridge.close()
      await Promise.all([slack.close(), hosted.close()])
    }
  })
