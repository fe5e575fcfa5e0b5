import type { Adapter, AnswerStream } from '#bridge/port/adapter.ts'
import { AdapterError, type AdapterErrorCode } from '#bridge/port/errors.ts'
import type { Author } from '#bridge/port/author.ts'
import type { ConversationRef, MessageRef, Outgoing } from '#bridge/port/message.ts'
import { hasCode } from '#adapters/shared/session.ts'
import type { Api } from '../api.ts'
import { STREAM_BUDGET_BYTES, TEXT_BUDGET_BYTES } from '../config.ts'
import type { Directory } from '../directory.ts'
import { checkLength, footSize } from './blocks.ts'
import { createMeter, escapeMentions, measure, splitUnfinished } from './markup.ts'
import { metadataOf, type Posting } from './post.ts'
import type { Statuses } from './status.ts'

interface StreamParts {
  readonly api: Api
  readonly posting: Posting
  readonly directory: Directory
  readonly homeTeam: () => string
  readonly statuses: Pick<Statuses, 'shown' | 'ended'>
  /** Least time between two appends, for all open streams together. */
  readonly intervalMs: number
  /** Waits for the turn of an append, where several processes append. */
  readonly turn: () => Promise<void>
}

interface Target {
  readonly channel: string
  readonly ts: string
}

const TEAM_LOOKUP_MS = 5_000

const RECOVERABLE: readonly AdapterErrorCode[] = [
  'ambiguous',
  'network',
  'rate-limited',
  'stopped',
  'stream-closed',
  'too-long',
]

/**
 * Every failure of an append becomes `stream-closed`: the whole text is then sent in one edit. So does a reader's stop,
 * whose own event arrives separately.
 */
function toClosed(error: unknown): unknown {
  if (!hasCode(error, ...RECOVERABLE)) return error
  return new AdapterError('stream-closed', `The streamed message in Slack takes no more text. ${error.message}`, {
    cause: error,
  })
}

/** Paces the appends of one stream: pieces that come too soon are sent together after the interval. */
function createPump({ api, turn }: Pick<StreamParts, 'api' | 'turn'>, target: Target, intervalMs: () => number) {
  const ended = Promise.withResolvers<void>()
  let hasEnded = false
  let waiting = ''
  let lastAt = Date.now()
  let timer: NodeJS.Timeout | undefined
  let underWay: Promise<void> = Promise.resolve()
  let broken: unknown

  async function deliver(): Promise<void> {
    if (waiting === '' || broken !== undefined || hasEnded) return
    await Promise.race([turn(), ended.promise])
    if (hasEnded) return
    const piece = waiting
    waiting = ''
    lastAt = Date.now()
    try {
      const args = { ...target, markdown_text: piece }
      await api.call('chat.appendStream', (web) => web.chat.appendStream(args))
    } catch (error) {
      broken = toClosed(error)
    }
  }

  /** One call at a time, since parallel calls may arrive out of order. */
  async function send(): Promise<void> {
    clearTimeout(timer)
    timer = undefined
    underWay = underWay.then(deliver)
    await underWay
  }

  return {
    /** @throws the error of this append or of an earlier one. */
    async add(piece: string): Promise<void> {
      waiting += piece
      const waitMs = lastAt + intervalMs() - Date.now()
      if (waitMs <= 0) await send()
      else timer ??= setTimeout(() => void send(), waitMs)
      if (broken !== undefined) throw broken
    },
    /** Stops the pump. `rest` was not sent; `broken` is the error, if any. */
    async end(): Promise<{ readonly rest: string; readonly broken: unknown }> {
      clearTimeout(timer)
      hasEnded = true
      ended.resolve()
      await underWay
      return { rest: waiting, broken }
    },
  }
}

type Pump = ReturnType<typeof createPump>

/** Slack's native streams; each is one message. */
export function createStreams(parts: StreamParts): NonNullable<Adapter['stream']> {
  const open = new Set<string>()
  return async (conversation, first, asker) => {
    checkLength(first.text)
    const { channel, thread } = conversation
    if (thread === undefined)
      throw new AdapterError('invalid', 'Slack streams into threads only. Post the answer instead.')
    const recipient = await recipientOf(parts, conversation, asker)
    const [ready] = splitUnfinished(first.text)
    const begin = ready === '' ? {} : { markdown_text: escapeMentions(ready) }
    const answer = await parts.api.call('chat.startStream', (web) =>
      web.chat.startStream({ channel, thread_ts: thread, ...recipient, ...begin }),
    )
    const ref: MessageRef = { conversation, id: answer.ts ?? '' }
    parts.statuses.shown(conversation, 'streamed')
    open.add(ref.id)
    const intervalMs = () => parts.intervalMs * Math.max(open.size, 1)
    const pump = createPump(parts, { channel, ts: ref.id }, intervalMs)
    return createAnswerStream(parts, pump, ref, first.text, () => void open.delete(ref.id))
  }
}

/** The recipient, required in channels. A guest of a shared channel has another team. */
async function recipientOf(parts: StreamParts, conversation: ConversationRef, asker: Author) {
  if (conversation.direct) return {}
  const { directory, homeTeam } = parts
  const team = directory.team(asker.id) ?? (await directory.find(asker.id, TEAM_LOOKUP_MS))?.team
  return { recipient_team_id: team ?? homeTeam(), recipient_user_id: asker.id }
}

function createAnswerStream(
  parts: StreamParts,
  pump: Pump,
  ref: MessageRef,
  begin: string,
  close: () => void,
): AnswerStream {
  let text = begin
  const meter = createMeter()
  meter.add(begin)
  let [, held] = splitUnfinished(begin)
  return {
    ref,
    async append(delta) {
      if (meter.add(delta) > TEXT_BUDGET_BYTES && measure(text + delta) > TEXT_BUDGET_BYTES)
        throw new AdapterError(
          'too-long',
          `A streamed message in Slack may have ${TEXT_BUDGET_BYTES} bytes. Go on in a new one.`,
        )
      text += delta
      const [ready, rest] = splitUnfinished(held + delta)
      held = rest
      try {
        if (ready !== '') await pump.add(escapeMentions(ready))
      } catch (error) {
        close()
        throw error
      }
    },
    async finish(last) {
      checkLength(last.text)
      close()
      const { rest, broken } = await pump.end()
      // Undefined: the final text differs from the streamed one.
      const tail = last.text.startsWith(text) ? rest + escapeMentions(held + last.text.slice(text.length)) : undefined
      const isEdited = tail === undefined || parts.posting.showsTable(last)
      try {
        if (broken !== undefined) throw broken
        await endStream(parts, ref, isEdited ? withoutFoot(last) : last, tail ?? '')
        if (isEdited) await parts.posting.edit(ref, last)
      } catch (error) {
        if (!hasCode(error, ...RECOVERABLE)) throw error
        // After a failed stream, one edit sets the whole text.
        await parts.posting.edit(ref, last)
      }
      void parts.statuses.ended(ref.conversation)
    },
  }
}

const withoutFoot = (outgoing: Outgoing): Outgoing => ({ ...outgoing, references: [], note: undefined, actions: [] })

/** @param tail the text not streamed yet */
async function endStream({ api, posting }: StreamParts, ref: MessageRef, last: Outgoing, tail: string): Promise<void> {
  const room = STREAM_BUDGET_BYTES - measure(last.text)
  // A foot too large for a stream is added by an edit, which has more room.
  const fits = footSize(last) <= room
  await posting.withFoot({ ...(fits ? last : withoutFoot(last)), text: '' }, room, (foot) => {
    const args = {
      channel: ref.conversation.channel,
      ts: ref.id,
      markdown_text: tail === '' ? undefined : tail,
      blocks: foot.length > 0 ? foot : undefined,
      metadata: metadataOf(last),
    }
    return api.call('chat.stopStream', (web) => web.chat.stopStream(args))
  })
  if (!fits) await posting.edit(ref, last)
}
