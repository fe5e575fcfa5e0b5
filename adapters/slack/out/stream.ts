import type { AnswerStream } from '../../../src/bridge/port/adapter.ts'
import type { AdapterErrorCode } from '../../../src/bridge/port/errors.ts'
import { AdapterError } from '../../../src/bridge/port/errors.ts'
import type { Author, ConversationRef, MessageRef, Outgoing } from '../../../src/bridge/port/message.ts'
import type { Api } from '../api.ts'
import { streamBudgetBytes, textBudgetBytes } from '../config.ts'
import type { Directory } from '../directory.ts'
import { escapeMentions, measure, splitUnfinished } from './markup.ts'
import type { Outbound } from './post.ts'
import { checkLength, metadataOf } from './post.ts'
import { footSize } from './blocks.ts'

export interface StreamParts {
  readonly api: Api
  readonly outbound: Outbound
  readonly directory: Directory
  readonly homeTeam: () => string
  readonly shown: (conversation: ConversationRef) => void
  /** Least time between two appends, for all open streams together. */
  readonly intervalMs: number
}

type Target = { readonly channel: string; readonly ts: string }

const lookupMs = 5_000

const recoverable = new Set<AdapterErrorCode>([
  'ambiguous',
  'network',
  'rate-limited',
  'stopped',
  'stream-closed',
  'too-long',
])

/**
 * Whatever kept a piece from a stream, the way on is the same: the whole text in one edit. When the reader pressed stop
 * too: the event that says so comes by another way, and what it leads to is shown by an edit.
 */
function toClosed(error: unknown): unknown {
  if (!(error instanceof AdapterError) || !recoverable.has(error.code)) return error
  return new AdapterError(
    'stream-closed',
    `The streamed message in Slack takes no more text. ${error.message}`,
    { cause: error },
  )
}

/** Paces the appends of one stream: pieces that come too soon go out together, after the interval. */
function createPump(parts: StreamParts, target: Target, openStreams: () => number) {
  let waiting = ''
  let lastAt = Date.now()
  let timer: NodeJS.Timeout | undefined
  let underWay: Promise<void> = Promise.resolve()
  let broken: unknown

  async function deliver(): Promise<void> {
    const piece = waiting
    if (piece === '' || broken !== undefined) return
    waiting = ''
    lastAt = Date.now()
    try {
      await parts.api.call('chat.appendStream', (web) =>
        web.chat.appendStream({ ...target, markdown_text: piece }),
      )
    } catch (error) {
      broken = toClosed(error)
    }
  }

  /** One call at a time: two at once would arrive in either order. */
  async function send(): Promise<void> {
    clearTimeout(timer)
    timer = undefined
    underWay = underWay.then(deliver)
    await underWay
  }

  return {
    /** @throws what an earlier or this append met. */
    async add(piece: string): Promise<void> {
      waiting += piece
      const waitMs = lastAt + parts.intervalMs * openStreams() - Date.now()
      if (waitMs <= 0) await send()
      else timer ??= setTimeout(() => void send(), waitMs)
      if (broken !== undefined) throw broken
    },
    /** Stops the pump: what was not sent yet, and what went wrong. */
    async end(): Promise<{ readonly rest: string; readonly broken: unknown }> {
      clearTimeout(timer)
      await underWay
      return { rest: waiting, broken }
    },
  }
}

export function createStreams(parts: StreamParts) {
  const { api, outbound, directory } = parts
  const open = new Set<string>()

  /** Required in channels. A guest of a shared channel belongs to another team than ours. */
  async function recipient(conversation: ConversationRef, asker: Author) {
    if (conversation.direct) return {}
    const team =
      directory.team(asker.id) ?? (await directory.find(asker.id, lookupMs))?.team ?? parts.homeTeam()
    return { recipient_team_id: team, recipient_user_id: asker.id }
  }

  async function finish(ref: MessageRef, target: Target, last: Outgoing, tail: string): Promise<void> {
    const room = streamBudgetBytes - measure(last.text)
    // What does not fit under a stream fits under a message: the edit has more room.
    const fits = footSize(last) <= room
    await outbound.withFoot(fits ? last : { ...last, references: [], actions: [] }, room, async (foot) =>
      api.call('chat.stopStream', (web) =>
        web.chat.stopStream({
          ...target,
          ...(tail === '' ? {} : { markdown_text: tail }),
          ...(foot.length > 0 ? { blocks: foot } : {}),
          metadata: metadataOf(last),
        }),
      ),
    )
    if (!fits) await outbound.edit(ref, last)
  }

  return async function stream(
    conversation: ConversationRef,
    first: Outgoing,
    asker: Author,
  ): Promise<AnswerStream> {
    checkLength(first.text)
    const { channel, thread } = conversation
    if (thread === undefined)
      throw new AdapterError('invalid', 'Slack streams into threads only. Post the answer instead.')
    const to = await recipient(conversation, asker)
    let text = first.text
    let [ready, held] = splitUnfinished(first.text)
    const begin = ready === '' ? {} : { markdown_text: escapeMentions(ready) }
    const answer = await api.call('chat.startStream', (web) =>
      web.chat.startStream({ channel, thread_ts: thread, ...to, ...begin }),
    )
    const ref: MessageRef = { conversation, id: answer.ts ?? '' }
    const target: Target = { channel, ts: ref.id }
    parts.shown(conversation)
    open.add(ref.id)
    const pump = createPump(parts, target, () => Math.max(open.size, 1))

    return {
      ref,
      async append(delta) {
        if (measure(text + delta) > textBudgetBytes)
          throw new AdapterError(
            'too-long',
            `A streamed message in Slack may have ${textBudgetBytes} bytes. Go on in a new one.`,
          )
        text += delta
        ;[ready, held] = splitUnfinished(held + delta)
        try {
          if (ready !== '') await pump.add(escapeMentions(ready))
        } catch (error) {
          open.delete(ref.id)
          throw error
        }
      },
      async finish(last) {
        checkLength(last.text)
        open.delete(ref.id)
        const { rest, broken } = await pump.end()
        const tail = last.text.startsWith(text)
          ? rest + escapeMentions(held + last.text.slice(text.length))
          : undefined
        try {
          if (broken !== undefined) throw broken
          await finish(
            ref,
            target,
            tail === undefined ? { ...last, references: [], actions: [] } : last,
            tail ?? '',
          )
          // The text was changed on its way: what was streamed is not what is to stand there.
          if (tail === undefined) await outbound.edit(ref, last)
        } catch (error) {
          if (!(error instanceof AdapterError) || !recoverable.has(error.code)) throw error
          // Whatever became of the stream, the whole text can still be put in its place.
          await outbound.edit(ref, last)
        }
      },
    }
  }
}
