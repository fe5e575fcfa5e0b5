import { RequestFailure } from '../failure.ts'
import { PERSON_ID } from '../inbound.ts'
import type { WebChannel, WebPost } from '../../protocol.ts'
import type { StoredMessage } from '../store/messages.ts'
import type { RouteParts } from './parts.ts'

/** Stores a posted message once: the same id again gives the message that is there. */
export function storePost(
  { store, clock }: RouteParts,
  channel: WebChannel,
  post: WebPost & { readonly language: string | undefined },
): StoredMessage {
  const known = store.messages.get(post.id)
  if (known) {
    if (known.ours || known.channel !== channel.id) throw taken()
    return known
  }
  const files = post.files ?? []
  if (post.text.trim() === '' && files.length === 0) {
    throw new RequestFailure(400, 'empty', 'Write something, drop a file or record a memo first.')
  }
  if (files.some((id) => !store.uploads.get(id))) {
    throw new RequestFailure(
      409,
      'upload-missing',
      'A file of this message did not arrive whole. Add it again.',
    )
  }
  store.transact(() => {
    store.messages.insert({
      id: post.id,
      channel: channel.id,
      thread: rootOf(store.messages.get(post.thread ?? ''), channel, post.thread),
      ours: false,
      authorId: PERSON_ID,
      authorName: post.name || 'You',
      language: post.language,
      kind: 'message',
      text: post.text,
      body: {},
      accepted: false,
      sentAt: clock(),
    })
    store.uploads.attach(post.id, files)
  })
  const stored = store.messages.get(post.id)
  if (!stored) throw new Error('A message is not there right after it was stored.')
  return stored
}

/** A reply to a reply stands in the same thread: threads are one level deep. */
function rootOf(
  target: StoredMessage | undefined,
  channel: WebChannel,
  thread: string | undefined,
): string | undefined {
  if (channel.direct || thread === undefined) return undefined
  // The root itself may be deleted while its thread lives on.
  if (!target) return thread
  if (target.channel !== channel.id) throw taken()
  return target.thread ?? target.id
}

function taken(): RequestFailure {
  return new RequestFailure(409, 'id-taken', 'This message belongs to another channel. Reload the page.')
}
