import type { WebClient } from '@slack/web-api'
import type { Adapter } from '../../../src/bridge/port/adapter.ts'
import type { ConversationRef, MessageRef, Outgoing } from '../../../src/bridge/port/message.ts'
import { createLru } from '../../../src/lib/lru.ts'
import { hasCode } from '../../shared/session.ts'
import { type Api, REPEATABLE } from '../api.ts'
import { BLOCKS_BUDGET_BYTES, EPHEMERAL_BUDGET_BYTES, METADATA_TYPE } from '../config.ts'
import { slackCode } from '../errors.ts'
import { checkLength, footSize, mentionsOf, renderFallback, renderFoot, renderHead, renderText } from './blocks.ts'
import { bindToThread, type Blocks } from './buttons.ts'
import type { SentMessages } from './find-send.ts'
import { measure } from './markup.ts'

export type Posting = Required<Pick<Adapter, 'post' | 'edit' | 'remove' | 'permalink'>> & {
  /** Shows foldable passages, or the lines only if Slack refuses the container. */
  withFoot<T>(outgoing: Outgoing, room: number, show: (foot: Blocks) => Promise<T>): Promise<T>
}

const MAX_SENDS = 2_000

export const metadataOf = ({ sendId }: Outgoing) => ({ event_type: METADATA_TYPE, event_payload: { send_id: sendId } })

const roomUnder = (outgoing: Outgoing) => BLOCKS_BUDGET_BYTES - measure(outgoing.text)

const words = (outgoing: Outgoing, foot: Blocks) => ({
  text: [mentionsOf(outgoing), renderFallback(outgoing.text)].filter((part) => part !== '').join('\n'),
  blocks: [...renderHead(outgoing), ...renderText(outgoing.text), ...foot],
})

interface PostingParts {
  readonly api: Api
  readonly sentMessages: Pick<SentMessages, 'findSend' | 'hasReplies'>
  /** Called when our message is visible in this conversation. */
  readonly shown: (conversation: ConversationRef) => void
}

export function createPosting(parts: PostingParts): Posting {
  const { api, sentMessages } = parts
  /** Messages by send id; `unknown`: the response was lost. */
  const sent = createLru<MessageRef | 'unknown'>(MAX_SENDS)
  const withFoot = createFoldFallback()

  async function post(conversation: ConversationRef, outgoing: Outgoing): Promise<MessageRef> {
    checkLength(outgoing.text)
    const { sendId } = outgoing
    const known = sent.get(sendId)
    if (known !== undefined && known !== 'unknown') return known
    const found = known === undefined ? undefined : await sentMessages.findSend(conversation, sendId)
    try {
      const ref =
        found ??
        (await postEphemeral(parts, conversation, outgoing)) ??
        (await withFoot(outgoing, roomUnder(outgoing), (foot) => send(parts, conversation, outgoing, foot)))
      sent.set(sendId, ref)
      return ref
    } catch (error) {
      if (hasCode(error, 'ambiguous')) sent.set(sendId, 'unknown')
      throw error
    }
  }

  async function edit(ref: MessageRef, outgoing: Outgoing): Promise<void> {
    checkLength(outgoing.text)
    await withFoot(outgoing, roomUnder(outgoing), (foot) => {
      const target = { channel: ref.conversation.channel, ts: ref.id }
      const args = { ...target, ...words(outgoing, foot), metadata: metadataOf(outgoing) }
      const update = () => api.call('chat.update', (web) => web.chat.update(args), REPEATABLE)
      return afterStream(api, ref, update)
    })
  }

  async function remove(ref: MessageRef): Promise<void> {
    const target = { channel: ref.conversation.channel, ts: ref.id }
    try {
      await afterStream(api, ref, () => api.call('chat.delete', (web) => web.chat.delete(target), REPEATABLE))
    } catch (error) {
      if (slackCode(error) !== 'message_not_found') throw error
    }
  }

  async function permalink(ref: MessageRef): Promise<string | undefined> {
    const target = { channel: ref.conversation.channel, message_ts: ref.id }
    try {
      const answer = await api.call('chat.getPermalink', (web) => web.chat.getPermalink(target), REPEATABLE)
      return answer.permalink
    } catch (error) {
      if (hasCode(error, 'not-found')) return undefined
      throw error
    }
  }

  return { post, edit, remove, permalink, withFoot }
}

/** Omits the fold after the first refusal by the workspace. */
function createFoldFallback(): Posting['withFoot'] {
  let isFoldRefused = false
  return async (outgoing, room, show) => {
    if (isFoldRefused) return show(renderFoot(outgoing, room, false))
    try {
      return await show(renderFoot(outgoing, room, true))
    } catch (error) {
      if (slackCode(error) !== 'invalid_blocks' || outgoing.references === undefined) throw error
      const answer = await show(renderFoot(outgoing, room, false))
      isFoldRefused = true
      return answer
    }
  }
}

async function send(
  { api, shown }: PostingParts,
  conversation: ConversationRef,
  outgoing: Outgoing,
  foot: Blocks,
): Promise<MessageRef> {
  const args = {
    channel: conversation.channel,
    thread_ts: conversation.thread,
    ...words(outgoing, foot),
    metadata: metadataOf(outgoing),
    unfurl_links: false,
    unfurl_media: false,
  }
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- Slack's method, not the browser's.
  const answer = await api.call('chat.postMessage', (web) => web.chat.postMessage(args))
  shown(conversation)
  return { conversation, id: answer.ts ?? '' }
}

/** Posts an ephemeral message to a member of the channel; undefined if Slack does not show it. */
async function postEphemeral(
  { api, sentMessages }: PostingParts,
  conversation: ConversationRef,
  outgoing: Outgoing,
): Promise<MessageRef | undefined> {
  const { privateTo: user } = outgoing
  const room = EPHEMERAL_BUDGET_BYTES - measure(outgoing.text)
  if (user === undefined || conversation.direct || room < footSize(outgoing)) return undefined
  const { channel, thread } = conversation
  const foot = bindToThread(renderFoot(outgoing, room, false), thread)
  // In a thread without replies, Slack accepts it but shows it to nobody.
  const thread_ts = (await sentMessages.hasReplies(conversation)) ? thread : undefined
  const args = { channel, thread_ts, user, ...words(outgoing, foot) }
  try {
    const answer = await api.call('chat.postEphemeral', (web) => web.chat.postEphemeral(args))
    return { conversation, id: answer.message_ts ?? '' }
  } catch (error) {
    if (slackCode(error) === 'user_not_in_channel') return undefined
    throw error
  }
}

/** Runs a change; if a stream left open by a crash blocks it, ends the stream first. */
async function afterStream<T>(api: Api, ref: MessageRef, change: () => Promise<T>): Promise<T> {
  try {
    return await change()
  } catch (error) {
    if (slackCode(error) !== 'streaming_state_conflict') throw error
    const stop = (web: WebClient) => web.chat.stopStream({ channel: ref.conversation.channel, ts: ref.id })
    await api.call('chat.stopStream', stop, REPEATABLE).catch(() => {})
    return change()
  }
}
