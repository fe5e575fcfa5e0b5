import { createHash } from 'node:crypto'
import { type APIMessage, MessageFlags, Routes } from 'discord.js'
import { createLru } from '../../../src/lib/lru.ts'
import type { Calls } from '../rest.ts'
import { messageLimits } from '../config.ts'
import { allowOnly } from './allowed-mentions.ts'

interface FollowUp {
  readonly id: string
  readonly content: string
}

interface Below {
  readonly channel: string
  readonly message: string
  readonly users: readonly string[]
}

/**
 * Messages that carry what found no room in an answer. Each is a reply to the answer, so that they are found again after
 * a restart without anything being stored.
 */
export interface FollowUps {
  /** We just made this message: it has none yet. */
  begin(message: string): void
  /** Makes exactly these stand below the message. */
  /** @param users whom these may call. */
  show(
    channel: string,
    message: string,
    contents: readonly string[],
    users?: readonly string[],
  ): Promise<void>
}

export function createFollowUps(options: {
  readonly calls: Calls
  readonly me: () => string
  readonly remove: (channel: string, message: string) => Promise<void>
}): FollowUps {
  const { calls, me, remove } = options
  const known = createLru<readonly FollowUp[]>(500)

  async function of(channel: string, message: string): Promise<readonly FollowUp[]> {
    const remembered = known.get(message)
    if (remembered !== undefined) return remembered
    const query = { after: message, limit: '50' }
    const page = await calls.get<APIMessage[]>(Routes.channelMessages(channel), { query })
    return page
      .filter(({ author, message_reference: to }) => author.id === me() && to?.message_id === message)
      .map(({ id, content }) => ({ id, content }))
      .toReversed()
  }

  async function add({ channel, message, users }: Below, content: string, place: number): Promise<FollowUp> {
    const nonce = createHash('sha256').update(`${message}\n${place}\n${content}`).digest('base64url')
    const { id } = await calls.post<APIMessage>(Routes.channelMessages(channel), {
      content,
      nonce: nonce.slice(0, messageLimits.nonce),
      enforce_nonce: true,
      flags: MessageFlags.SuppressEmbeds | (users.length === 0 ? MessageFlags.SuppressNotifications : 0),
      allowed_mentions: allowOnly(users),
      message_reference: { message_id: message, fail_if_not_exists: false },
    })
    return { id, content }
  }

  return {
    begin: (message) => known.set(message, []),
    async show(channel, message, contents, users = []) {
      const before = await of(channel, message)
      const now: FollowUp[] = []
      for (const [place, content] of contents.entries()) {
        const there = before[place]
        if (there === undefined) now.push(await add({ channel, message, users }, content, place))
        else {
          const route = Routes.channelMessage(channel, there.id)
          if (there.content !== content)
            await calls.patch(route, { content, allowed_mentions: { parse: [] } })
          now.push({ id: there.id, content })
        }
        known.set(message, [...now, ...before.slice(now.length)])
      }
      for (const { id } of before.slice(contents.length)) await remove(channel, id)
      known.set(message, now)
    },
  }
}
