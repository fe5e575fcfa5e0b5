import { type APIMessage, MessageFlags, Routes } from 'discord.js'
import { createLru } from '../../../src/lib/lru.ts'
import { hasCode } from '../../shared/session.ts'
import type { Rest } from '../rest.ts'

/** An interaction's token is good for 15 minutes; the last of them is left for the way there. */
const TOKEN_MS = 14 * 60_000

export interface Ephemeral {
  /** This person used a button in this channel: for a while they can be shown messages of their own there. */
  readonly rememberToken: (channel: string, person: string, token: string) => void
  /** Undefined where the person has used no button lately: then there is no way. Never repeated by itself. */
  show(channel: string, person: string, body: object): Promise<string | undefined>
  /** Changes a message that only one person sees. False: it is none of these. */
  edit(message: string, body: object): Promise<boolean>
  /** Already gone, or out of reach since the token has run out, is as good: nobody else ever saw it. */
  remove(message: string): Promise<boolean>
}

/** Messages for one person alone: Discord shows them only as a follow-up to something that this person did. */
export function createEphemeral(options: { readonly rest: Rest; readonly application: () => string }): Ephemeral {
  const { rest, application } = options
  const tokens = createLru<{ readonly token: string; readonly until: number }>(2000)
  /** The tokens under which our messages can be changed. */
  const shown = createLru<string>(2000)

  return {
    rememberToken: (channel, person, token) => {
      tokens.set(`${channel}:${person}`, { token, until: Date.now() + TOKEN_MS })
    },
    async show(channel, person, body) {
      const known = tokens.get(`${channel}:${person}`)
      if (known === undefined || known.until < Date.now()) return undefined
      try {
        const { id } = await rest.post<APIMessage>(
          Routes.webhook(application(), known.token),
          { ...body, flags: MessageFlags.Ephemeral | MessageFlags.SuppressEmbeds },
          // A nonce counts for nothing here: sent twice, it would be shown twice.
          { auth: false, retry: false },
        )
        shown.set(id, known.token)
        return id
      } catch (error) {
        // The token ran out before its time, or the press was never acknowledged.
        if (hasCode(error, 'not-found')) return undefined
        throw error
      }
    },
    async edit(message, body) {
      const token = shown.get(message)
      if (token === undefined) return false
      await rest.patch(Routes.webhookMessage(application(), token, message), body, { auth: false })
      return true
    },
    async remove(message) {
      const token = shown.get(message)
      if (token === undefined) return false
      await rest
        .delete(Routes.webhookMessage(application(), token, message), { auth: false })
        .catch((error: unknown) => {
          if (!hasCode(error, 'not-found', 'forbidden')) throw error
        })
      return true
    },
  }
}
