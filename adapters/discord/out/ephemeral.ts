import { type APIMessage, MessageFlags, Routes } from 'discord.js'
import { AdapterError } from '../../../src/bridge/port/errors.ts'
import { createLru } from '../../../src/lib/lru.ts'
import type { Calls } from '../rest.ts'

/** An interaction's token is good for 15 minutes; the last of them is left for the way there. */
const tokenMs = 14 * 60_000

export interface Whispers {
  /** This person pressed something in this channel: for a while they can be told something alone there. */
  readonly heard: (channel: string, person: string, token: string) => void
  /** Undefined where the person has pressed nothing lately: then there is no such way. Never repeated by itself. */
  show(channel: string, person: string, body: object): Promise<string | undefined>
  /** Changes a message that only one person sees. False: it is none of these. */
  edit(message: string, body: object): Promise<boolean>
  /** Already gone, or out of reach since the token has run out, is as good: nobody else ever saw it. */
  remove(message: string): Promise<boolean>
}

/** Messages for one person alone: Discord shows them only as a follow-up to something that this person did. */
export function createWhispers(options: {
  readonly calls: Calls
  readonly application: () => string
}): Whispers {
  const { calls, application } = options
  const tokens = createLru<{ readonly token: string; readonly until: number }>(2000)
  /** Of our whispers: the token under which each can be changed. */
  const shown = createLru<string>(2000)

  return {
    heard: (channel, person, token) => {
      tokens.set(`${channel}:${person}`, { token, until: Date.now() + tokenMs })
    },
    async show(channel, person, body) {
      const known = tokens.get(`${channel}:${person}`)
      if (known === undefined || known.until < Date.now()) return undefined
      try {
        const { id } = await calls.post<APIMessage>(
          Routes.webhook(application(), known.token),
          { ...body, flags: MessageFlags.Ephemeral | MessageFlags.SuppressEmbeds },
          // A nonce counts for nothing here: sent twice, it would be shown twice.
          { auth: false, retry: false },
        )
        shown.set(id, known.token)
        return id
      } catch (error) {
        // The token ran out before its time, or the press was never acknowledged.
        if (error instanceof AdapterError && error.code === 'not-found') return undefined
        throw error
      }
    },
    async edit(message, body) {
      const token = shown.get(message)
      if (token === undefined) return false
      await calls.patch(Routes.webhookMessage(application(), token, message), body, { auth: false })
      return true
    },
    async remove(message) {
      const token = shown.get(message)
      if (token === undefined) return false
      await calls
        .delete(Routes.webhookMessage(application(), token, message), { auth: false })
        .catch((error: unknown) => {
          const gone = error instanceof AdapterError && ['not-found', 'forbidden'].includes(error.code)
          if (!gone) throw error
        })
      return true
    },
  }
}
