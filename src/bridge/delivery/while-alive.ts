import { setTimeout as sleep } from 'node:timers/promises'
import type { Adapter } from '../port/adapter.ts'
import type { MessageRef, Outgoing } from '../port/message.ts'
import type { Outbox, Sharing } from '../port/store.ts'

/** Within this time, the process that took over has posted its own message or found ours. */
const TAKEOVER_MS = 10_000
const POLL_MS = 250

interface Parts {
  readonly sharing: Pick<Sharing, 'assertAlive'>
  readonly outbox: Pick<Outbox, 'ofSend'>
}

/**
 * Wraps the adapter so that it sends only while the other processes count this one as alive: after a takeover its jobs run
 * elsewhere, and people would see messages twice. Reading is not restricted. A message that was posted too late is
 * removed, unless the process that took over has found it and goes on with it.
 */
export function whileAlive(adapter: Adapter, { sharing, outbox }: Parts): Adapter {
  const guard =
    <Args extends unknown[], Result>(send: (...args: Args) => Promise<Result>) =>
    async (...args: Args): Promise<Result> => {
      await sharing.assertAlive()
      return send(...args)
    }

  /** @throws the error of a process that was taken over meanwhile */
  async function assertInTime(ref: MessageRef, { sendId }: Outgoing): Promise<MessageRef> {
    try {
      await sharing.assertAlive()
      return ref
    } catch (error) {
      if (await isDuplicate(ref, sendId, outbox)) await adapter.remove(ref)
      throw error
    }
  }

  const stream = adapter.stream?.bind(adapter)
  const upload = adapter.upload?.bind(adapter)
  return {
    ...adapter,
    post: guard(async (conversation, outgoing) => assertInTime(await adapter.post(conversation, outgoing), outgoing)),
    edit: adapter.edit && guard(adapter.edit.bind(adapter)),
    remove: guard(adapter.remove.bind(adapter)),
    upload:
      upload &&
      guard(async (conversation, file, outgoing) => assertInTime(await upload(conversation, file, outgoing), outgoing)),
    stream:
      stream &&
      guard(async (conversation, outgoing, asker) => {
        const message = await stream(conversation, outgoing, asker)
        return {
          ref: await assertInTime(message.ref, outgoing),
          append: guard(message.append.bind(message)),
          finish: guard(message.finish.bind(message)),
        }
      }),
  }
}

/** Whether the send is shown by another message, or by none any more. */
async function isDuplicate(ref: MessageRef, sendId: string, outbox: Parts['outbox']): Promise<boolean> {
  for (const until = Date.now() + TAKEOVER_MS; ; await sleep(POLL_MS)) {
    const row = await outbox.ofSend(sendId)
    if (row === undefined) return true
    if (row.ref !== undefined) return row.ref.id !== ref.id
    if (Date.now() > until) return false
  }
}
