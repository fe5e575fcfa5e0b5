import type { WebClient } from '@slack/web-api'
import type { Adapter } from '../../../src/bridge/port/adapter.ts'
import { AdapterError } from '../../../src/bridge/port/errors.ts'
import type { ConversationRef, MessageRef, Outgoing } from '../../../src/bridge/port/message.ts'
import type { Api } from '../api.ts'
import { blocksBudgetBytes, ephemeralBudgetBytes, metadataType, textBudgetBytes } from '../config.ts'
import { remember } from '../directory.ts'
import { slackCode } from '../errors.ts'
import { measure } from './markup.ts'
import type { Blocks } from './blocks.ts'
import { mentionsOf, renderHead } from './allowed-mentions.ts'
import { bindToThread, footSize, renderFallback, renderFoot, renderText } from './blocks.ts'
import type { Threads } from './find-send.ts'

export type Outbound = Required<Pick<Adapter, 'post' | 'edit' | 'remove'>> & {
  /** Tries with a fold for the passages, and without where Slack refuses it. */
  withFoot<T>(outgoing: Outgoing, room: number, show: (foot: Blocks) => Promise<T>): Promise<T>
}

const mostSends = 2_000

export const metadataOf = ({ sendId }: Outgoing) => ({
  event_type: metadataType,
  event_payload: { send_id: sendId },
})

export function checkLength(markdown: string): void {
  const length = measure(markdown)
  if (length > textBudgetBytes)
    throw new AdapterError(
      'too-long',
      `A message for Slack may have ${textBudgetBytes} bytes; this one has ${length}. Split the text.`,
    )
}

const roomUnder = (outgoing: Outgoing) => blocksBudgetBytes - measure(outgoing.text)

const words = (outgoing: Outgoing, foot: Blocks) => ({
  text: [mentionsOf(outgoing), renderFallback(outgoing.text)].filter((part) => part !== '').join('\n'),
  blocks: [...renderHead(outgoing), ...renderText(outgoing.text), ...foot],
})

const contents = (
  { channel, thread }: { readonly channel: string; readonly thread?: string | undefined },
  outgoing: Outgoing,
  foot: Blocks,
) => ({
  channel,
  ...words(outgoing, foot),
  ...(thread === undefined ? {} : { thread_ts: thread }),
})

interface OutboundParts {
  readonly api: Api
  readonly threads: Threads
  /** A message of ours now shows in this conversation. */
  readonly shown: (conversation: ConversationRef) => void
}

export function createOutbound({ api, threads, shown }: OutboundParts): Outbound {
  /** What went out under which send id: the same id again is the same message. */
  const sent = new Map<string, MessageRef | 'perhaps'>()
  let foldRefused = false

  const withFoot: Outbound['withFoot'] = async (outgoing, room, show) => {
    if (foldRefused) return show(renderFoot(outgoing, room, false))
    try {
      return await show(renderFoot(outgoing, room, true))
    } catch (error) {
      if (slackCode(error) !== 'invalid_blocks' || outgoing.references === undefined) throw error
      const answer = await show(renderFoot(outgoing, room, false))
      foldRefused = true
      return answer
    }
  }

  async function send(conversation: ConversationRef, outgoing: Outgoing, foot: Blocks): Promise<MessageRef> {
    const open = {
      ...contents(conversation, outgoing, foot),
      metadata: metadataOf(outgoing),
      unfurl_links: false,
      unfurl_media: false,
    }
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- Slack's method, not the browser's.
    const answer = await api.call('chat.postMessage', (web) => web.chat.postMessage(open))
    shown(conversation)
    return { conversation, id: answer.ts ?? '' }
  }

  /** Slack shows short messages to one member of a channel alone; undefined where it does not. */
  async function whisper(conversation: ConversationRef, outgoing: Outgoing): Promise<MessageRef | undefined> {
    const { privateTo: user } = outgoing
    const room = ephemeralBudgetBytes - measure(outgoing.text)
    if (user === undefined || conversation.direct || room < footSize(outgoing)) return undefined
    // In a thread that has no reply yet Slack takes it and shows it to nobody.
    const place = (await threads.hasReplies(conversation))
      ? conversation
      : { ...conversation, thread: undefined }
    const foot = bindToThread(renderFoot(outgoing, room, false), conversation.thread)
    const args = { ...contents(place, outgoing, foot), user }
    try {
      const answer = await api.call('chat.postEphemeral', (web) => web.chat.postEphemeral(args))
      return { conversation, id: answer.message_ts ?? '' }
    } catch (error) {
      if (slackCode(error) === 'user_not_in_channel') return undefined
      throw error
    }
  }

  async function post(conversation: ConversationRef, outgoing: Outgoing): Promise<MessageRef> {
    checkLength(outgoing.text)
    const known = sent.get(outgoing.sendId)
    if (known !== undefined && known !== 'perhaps') return known
    const found = known === undefined ? undefined : await threads.findSend(conversation, outgoing.sendId)
    try {
      const ref =
        found ??
        (await whisper(conversation, outgoing)) ??
        (await withFoot(outgoing, roomUnder(outgoing), async (foot) => send(conversation, outgoing, foot)))
      remember(sent, outgoing.sendId, ref, mostSends)
      return ref
    } catch (error) {
      if (error instanceof AdapterError && error.code === 'ambiguous')
        remember(sent, outgoing.sendId, 'perhaps', mostSends)
      throw error
    }
  }

  /** Does what a message that is still being streamed refuses: after a crash nobody else ends the stream. */
  async function afterStream<T>(ref: MessageRef, run: () => Promise<T>): Promise<T> {
    try {
      return await run()
    } catch (error) {
      if (slackCode(error) !== 'streaming_state_conflict') throw error
      const stop = (web: WebClient) => web.chat.stopStream({ channel: ref.conversation.channel, ts: ref.id })
      await api.call('chat.stopStream', stop, { repeatable: true }).catch(() => {})
      return run()
    }
  }

  async function edit(ref: MessageRef, outgoing: Outgoing): Promise<void> {
    checkLength(outgoing.text)
    await withFoot(outgoing, roomUnder(outgoing), async (foot) =>
      afterStream(ref, async () =>
        api.call(
          'chat.update',
          (web) =>
            web.chat.update({
              channel: ref.conversation.channel,
              ts: ref.id,
              ...words(outgoing, foot),
              metadata: metadataOf(outgoing),
            }),
          { repeatable: true },
        ),
      ),
    )
  }

  async function remove(ref: MessageRef): Promise<void> {
    try {
      await afterStream(ref, async () =>
        api.call('chat.delete', (web) => web.chat.delete({ channel: ref.conversation.channel, ts: ref.id }), {
          repeatable: true,
        }),
      )
    } catch (error) {
      if (slackCode(error) !== 'message_not_found') throw error
    }
  }

  return { post, edit, remove, withFoot }
}
