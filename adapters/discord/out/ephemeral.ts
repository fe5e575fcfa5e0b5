import { type APIMessage, MessageFlags, Routes } from 'discord.js'
import { createLru } from '../../../src/lib/lru.ts'
import { hasCode } from '../../shared/session.ts'
import type { Rest } from '../rest.ts'

/** An interaction's token is valid for 15 minutes, minus one for the request. */
export const TOKEN_MS = 14 * 60_000

export interface Ephemeral {
  /** Call it when this person used a button in this channel: then they can be shown ephemeral messages for a while. */
  readonly rememberToken: (channel: string, person: string, token: string) => void
  /** Registers a message that one person sees: by this token it can be changed. */
  readonly remember: (message: string, token: string) => void
  /**
   * Resolves with undefined if the person has used no button lately, since Discord then offers no way. Never repeated.
   */
  show(channel: string, person: string, body: object): Promise<string | undefined>
  /** Edits an ephemeral message. False: it is none. */
  edit(message: string, body: object): Promise<boolean>
  /** Removes an ephemeral message. Succeeds too if it is gone or its token has expired. False: it is none. */
  remove(message: string): Promise<boolean>
}

/** Ephemeral messages: Discord allows them only as a follow-up to an interaction of this person. */
export function createEphemeral(options: { readonly rest: Rest; readonly application: () => string }): Ephemeral {
  const { rest, application } = options
  const tokens = createLru<{ readonly token: string; readonly until: number }>(2000)
  /** Tokens for editing our messages, by message id. */
  const shown = createLru<string>(2000)

  return {
    rememberToken: (channel, person, token) => {
      tokens.set(`${channel}:${person}`, { token, until: Date.now() + TOKEN_MS })
    },
    remember: (message, token) => shown.set(message, token),
    async show(channel, person, body) {
      const known = tokens.get(`${channel}:${person}`)
      if (known === undefined || known.until < Date.now()) return undefined
      try {
        const { id } = await rest.post<APIMessage>(
          Routes.webhook(application(), known.token),
          { ...body, flags: MessageFlags.Ephemeral | MessageFlags.SuppressEmbeds },
          // Nonces are ignored here: a repeated request would show the message twice.
          { auth: false, retry: false },
        )
        shown.set(id, known.token)
        return id
      } catch (error) {
        // The token expired early, or the press was never acknowledged.
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
