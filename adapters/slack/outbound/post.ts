import type { WebClient } from '@slack/web-api'
import type { Adapter } from '#bridge/port/adapter.ts'
import { AdapterError } from '#bridge/port/errors.ts'
import type { ConversationRef, MessageRef, Outgoing } from '#bridge/port/message.ts'
import type { Log } from '#bridge/port/platform.ts'
import { createLru } from '#lib/lru.ts'
import { cut } from '#adapters/shared/outgoing.ts'
import { hasCode } from '#adapters/shared/session.ts'
import { type Api, REPEATABLE } from '../api.ts'
import { BLOCKS_BUDGET_BYTES, EPHEMERAL_BUDGET_BYTES, METADATA_TYPE, PRIVATE_TEXT_BYTES } from '../config.ts'
import { slackCode } from '../errors.ts'
import {
  checkLength,
  footSize,
  mentionsOf,
  noteBlocks,
  renderFallback,
  renderFoot,
  renderHead,
  renderText,
} from './blocks.ts'
import { bindToThread, type Blocks } from './buttons.ts'
import type { SentMessages } from './find-send.ts'
import { escapeText, measure } from './markup.ts'
import { createFallback, type Fallback } from './refused-blocks.ts'
import { isLeftOut, type WorkObjects } from './work-objects.ts'

export type Posting = Required<Pick<Adapter, 'post' | 'edit' | 'remove' | 'permalink'>> & Fallback

const MAX_SENDS = 2_000
const RESPOND_MS = 10_000
const PRIVATE_FALLBACK = 200
const PIECE_CHARS = 500

export const metadataOf = ({ sendId }: Outgoing) => ({ event_type: METADATA_TYPE, event_payload: { send_id: sendId } })

const roomUnder = (outgoing: Outgoing) => BLOCKS_BUDGET_BYTES - measure(outgoing.text)

interface Look {
  readonly foot: Blocks
  /** Default: as markdown. */
  readonly text?: typeof renderText
}

const words = (outgoing: Outgoing, { foot, text = renderText }: Look, fallback = renderFallback(outgoing.text)) => ({
  text: [mentionsOf(outgoing), fallback].filter((part) => part !== '').join('\n'),
  blocks: [...renderHead(outgoing), ...text(outgoing.text), ...foot],
})

interface PostingParts {
  readonly api: Api
  readonly log: Log
  readonly sentMessages: Pick<SentMessages, 'findSend' | 'hasReplies'>
  /** Called when our answer is visible in this conversation. */
  readonly shown: (conversation: ConversationRef) => void
  /** An address of Slack's for the answer to a command. */
  readonly isResponseUrl: (url: URL) => boolean
  readonly workObjects: Pick<WorkObjects, 'entitiesOf'>
}

export function createPosting(parts: PostingParts): Posting {
  const { api, sentMessages } = parts
  /** Messages by send id; `unknown`: the response was lost. */
  const sent = createLru<MessageRef | 'unknown'>(MAX_SENDS)
  const { withFoot, showsTable } = createFallback(parts.log)

  async function post(conversation: ConversationRef, outgoing: Outgoing): Promise<MessageRef> {
    checkLength(outgoing.text)
    const { sendId } = outgoing
    const known = sent.get(sendId)
    if (known !== undefined && known !== 'unknown') return known
    const found = known === undefined ? undefined : await sentMessages.findSend(conversation, sendId)
    try {
      const ref =
        found ??
        (await postCards(parts, conversation, outgoing)) ??
        (await postPrivately(parts, conversation, outgoing)) ??
        (await withFoot(outgoing, roomUnder(outgoing), (foot, text) =>
          send(parts, conversation, outgoing, { foot, text }),
        ).catch((error: unknown) => {
          // A command in a direct conversation of other people.
          if (outgoing.ticket === undefined || !hasCode(error, 'not-found', 'forbidden')) throw error
          return respond(parts, conversation, outgoing)
        }))
      sent.set(sendId, ref)
      return ref
    } catch (error) {
      if (hasCode(error, 'ambiguous')) sent.set(sendId, 'unknown')
      throw error
    }
  }

  async function edit(ref: MessageRef, outgoing: Outgoing): Promise<void> {
    checkLength(outgoing.text)
    if (outgoing.privateTo !== undefined && !ref.conversation.direct)
      return replacePrivately(parts, ref.conversation, outgoing)
    await withFoot(outgoing, roomUnder(outgoing), (foot, text) => {
      const target = { channel: ref.conversation.channel, ts: ref.id }
      const args = { ...target, ...words(outgoing, { foot, text }), metadata: metadataOf(outgoing) }
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

  return { post, edit, remove, permalink, withFoot, showsTable }
}

/** A message with cards of the references of an answer. Undefined: it is another message. */
async function postCards(
  { api, workObjects }: PostingParts,
  conversation: ConversationRef,
  outgoing: Outgoing,
): Promise<MessageRef | undefined> {
  if (outgoing.cardsOf === undefined) return undefined
  const entities = workObjects.entitiesOf(outgoing)
  const { channel, thread: thread_ts } = conversation
  const text = escapeText(outgoing.text)
  const blocks = noteBlocks({ note: outgoing.text })
  const args = { channel, thread_ts, text, blocks, metadata: { ...metadataOf(outgoing), entities } }
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- Slack's method, not the browser's.
  const answer = await api.call('chat.postMessage', (web) => web.chat.postMessage(args))
  const ts = answer.ts ?? ''
  if (!isLeftOut(answer.warning)) return { conversation, id: ts }
  await api.call('chat.delete', (web) => web.chat.delete({ channel, ts }), REPEATABLE)
  throw new AdapterError('invalid', `Slack left out the cards of references (${answer.warning}).`)
}

async function send(
  { api, shown }: PostingParts,
  conversation: ConversationRef,
  outgoing: Outgoing,
  look: Look,
): Promise<MessageRef> {
  const args = {
    channel: conversation.channel,
    thread_ts: conversation.thread,
    ...words(outgoing, look),
    metadata: metadataOf(outgoing),
    unfurl_links: false,
    unfurl_media: false,
  }
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- Slack's method, not the browser's.
  const answer = await api.call('chat.postMessage', (web) => web.chat.postMessage(args))
  // Work goes on after its progress and after a receipt.
  if (outgoing.kind === 'answer' || outgoing.kind === 'error') shown(conversation)
  // Only `chat.postMessage` takes the id of a person for the direct message with them.
  const channel = answer.channel ?? conversation.channel
  return { conversation: { ...conversation, channel }, id: answer.ts ?? '' }
}

/**
 * Shows a message to one person. Undefined: it goes to the conversation, since it is a direct one, or since Slack shows
 * nothing to this person there and none of their commands waits for an answer.
 */
async function postPrivately(
  parts: PostingParts,
  conversation: ConversationRef,
  outgoing: Outgoing,
): Promise<MessageRef | undefined> {
  const { privateTo: user, ticket } = outgoing
  if (user === undefined || conversation.direct) return undefined
  const show = async (where: ConversationRef) => {
    let ref: MessageRef | undefined
    for (const piece of privatePieces(outgoing)) ref = await postEphemeral(parts, where, { ...piece, user })
    return ref
  }
  try {
    // Nobody may write in a locked thread, but in its channel.
    return await show(conversation).catch((error: unknown) => {
      const { thread, ...channel } = conversation
      if (thread === undefined || !hasCode(error, 'closed')) throw error
      return show(channel)
    })
  } catch (error) {
    // A command may be called where we are no member: Slack takes its answer under the address of the call.
    if (ticket !== undefined && hasCode(error, 'not-found', 'forbidden')) return respond(parts, conversation, outgoing)
    if (slackCode(error) === 'user_not_in_channel') return undefined
    throw error
  }
}

/** Slack counts the fallback text and the blocks together. */
const privateWords = (outgoing: Outgoing, foot: Blocks) =>
  words(outgoing, { foot }, cut(renderFallback(outgoing.text), PRIVATE_FALLBACK))

/** The messages of one private send, which is split if too long; a long foot is a message of its own. */
function privatePieces(outgoing: Outgoing): readonly { readonly outgoing: Outgoing; readonly foot: Blocks }[] {
  const texts = inPieces(outgoing.text)
  const room = EPHEMERAL_BUDGET_BYTES - PRIVATE_FALLBACK - measure(texts.at(-1) ?? '')
  const foot = renderFoot(outgoing, Math.max(room, 0), 'none')
  if (foot.length > 0 && footSize(outgoing) > room) texts.push('')
  return texts.map((text, index) => ({ outgoing: { ...outgoing, text }, foot: index === texts.length - 1 ? foot : [] }))
}

/** The bridge splits answers; this is for sentences that are longer than a private message. */
function inPieces(text: string): string[] {
  const pieces = ['']
  for (const line of text.split(/(?<=\n)/)) {
    for (let from = 0; from < line.length; from += PIECE_CHARS) {
      const part = line.slice(from, from + PIECE_CHARS)
      const last = pieces.at(-1) ?? ''
      if (measure(last) + measure(part) <= PRIVATE_TEXT_BYTES) pieces[pieces.length - 1] = last + part
      else pieces.push(part)
    }
  }
  return pieces
}

async function postEphemeral(
  { api, sentMessages }: PostingParts,
  conversation: ConversationRef,
  { outgoing, foot, user }: { readonly outgoing: Outgoing; readonly foot: Blocks; readonly user: string },
): Promise<MessageRef> {
  const { channel, thread } = conversation
  // In a thread without replies, Slack accepts it but shows it to nobody.
  const thread_ts = (await sentMessages.hasReplies(conversation)) ? thread : undefined
  const args = { channel, thread_ts, user, ...privateWords(outgoing, bindToThread(foot, thread)) }
  const answer = await api.call('chat.postEphemeral', (web) => web.chat.postEphemeral(args))
  return { conversation, id: answer.message_ts ?? '' }
}

/** Slack edits an ephemeral message only by the `response_url` of a press in it; otherwise a new one is posted. */
async function replacePrivately(parts: PostingParts, conversation: ConversationRef, outgoing: Outgoing): Promise<void> {
  try {
    await respond(parts, conversation, outgoing, true)
  } catch (error) {
    if (!hasCode(error, 'forbidden', 'not-found')) throw error
    await postPrivately(parts, conversation, { ...outgoing, ticket: undefined })
  }
}

/** Answers a command or a press under its `response_url`: good for 30 minutes and five messages. */
async function respond(
  { isResponseUrl }: PostingParts,
  conversation: ConversationRef,
  outgoing: Outgoing,
  replaces = false,
): Promise<MessageRef> {
  const { ticket = '', sendId } = outgoing
  const url = URL.parse(ticket)
  if (url === null || !isResponseUrl(url))
    throw new AdapterError('forbidden', 'Slack can show this nowhere. Invite the app to the channel.')
  for (const [index, { outgoing: piece, foot }] of privatePieces(outgoing).entries()) {
    const how = { response_type: 'ephemeral', replace_original: replaces && index === 0 }
    const body = JSON.stringify({ ...how, ...privateWords(piece, foot) })
    const headers = { 'content-type': 'application/json' }
    const signal = AbortSignal.timeout(RESPOND_MS)
    const response = await fetch(url, { method: 'POST', body, headers, redirect: 'error', signal }).catch(
      (error: unknown) => {
        throw new AdapterError('ambiguous', 'Slack did not take the answer to a command.', { cause: error })
      },
    )
    await response.body?.cancel()
    if (!response.ok)
      throw new AdapterError('not-found', `Slack takes no more answers to this command (HTTP ${response.status}).`)
  }
  return { conversation, id: `response-${sendId}` }
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
