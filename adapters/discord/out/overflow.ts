import { createHash } from 'node:crypto'
import { type APIMessage, MessageFlags, Routes } from 'discord.js'
import { createLru } from '../../../src/lib/lru.ts'
import { MESSAGE_LIMITS } from '../config.ts'
import type { Rest } from '../rest.ts'

/** For `allowed_mentions`: these people, and nobody else. */
export const allowOnly = (users: readonly string[]) => ({
  parse: [],
  replied_user: false,
  ...(users.length === 0 ? {} : { users }),
})

interface Part {
  readonly id: string
  readonly content: string
}

/**
 * Messages that carry what found no room in another one. Each is a reply to it, so that they are found again after a restart
 * without anything being stored.
 */
export interface Overflow {
  /** We just made this message: it has none yet. */
  begin(message: string): void
  /** Makes exactly these stand below the message. @param users the people whom new ones mention. */
  show(channel: string, message: string, contents: readonly string[], users?: readonly string[]): Promise<void>
}

export function createOverflow(options: {
  readonly rest: Rest
  readonly me: () => string
  readonly remove: (channel: string, message: string) => Promise<void>
}): Overflow {
  const { rest, me, remove } = options
  const known = createLru<readonly Part[]>(500)

  async function partsOf(channel: string, message: string): Promise<readonly Part[]> {
    const remembered = known.get(message)
    if (remembered !== undefined) return remembered
    return (await rest.messages(channel, { after: message, limit: '50' }))
      .filter(({ author, message_reference: to }) => author.id === me() && to?.message_id === message)
      .map(({ id, content }) => ({ id, content }))
  }

  async function add(
    channel: string,
    message: string,
    content: string,
    place: number,
    users: readonly string[],
  ): Promise<Part> {
    const nonce = createHash('sha256').update(`${message}\n${place}\n${content}`).digest('base64url')
    const { id } = await rest.post<APIMessage>(Routes.channelMessages(channel), {
      content,
      nonce: nonce.slice(0, MESSAGE_LIMITS.nonce),
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
      const before = await partsOf(channel, message)
      const now: Part[] = []
      for (const [place, content] of contents.entries()) {
        const there = before[place]
        if (there === undefined) now.push(await add(channel, message, content, place, users))
        else {
          const route = Routes.channelMessage(channel, there.id)
          if (there.content !== content) await rest.patch(route, { content, allowed_mentions: { parse: [] } })
          now.push({ id: there.id, content })
        }
        known.set(message, [...now, ...before.slice(now.length)])
      }
      for (const { id } of before.slice(contents.length)) await remove(channel, id)
      known.set(message, now)
    },
  }
}
