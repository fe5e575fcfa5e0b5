import { type APIMessage, MessageFlags, Routes } from 'discord.js'
import { createLru } from '#lib/lru.ts'
import { hasCode } from '#adapters/shared/session.ts'
import type { DiscordAdapterOptions } from '../config.ts'
import type { Rest } from '../rest.ts'

/** An interaction's token is valid for 15 minutes, minus one for the request. */
export const TOKEN_MS = 14 * 60_000

export interface Ephemeral {
  /** Call it when this person used a button in this channel: then they can be shown ephemeral messages for a while. */
  readonly rememberToken: (channel: string, person: string, token: string) => Promise<void>
  /** Registers a message that one person sees: by this token it can be changed. */
  readonly remember: (message: string, token: string) => void
  /**
   * Resolves with undefined if the person has used no button lately, since Discord then offers no way. Never repeated.
   */
  show(channel: string, person: string, body: { readonly flags: number }): Promise<string | undefined>
  /** Edits an ephemeral message. False: it is not ephemeral. */
  edit(message: string, body: object): Promise<boolean>
  /** Removes an ephemeral message. Succeeds too if it is gone or its token has expired. False: it is not ephemeral. */
  remove(message: string): Promise<boolean>
}

function createMemory(): NonNullable<DiscordAdapterOptions['presses']> {
  const tokens = createLru<{ readonly token: unknown; readonly until: number }>(2000)
  return {
    async get(key) {
      const known = tokens.get(key)
      return known !== undefined && known.until > Date.now() ? known.token : undefined
    },
    set: async (key, token, lifetimeMs = TOKEN_MS) => tokens.set(key, { token, until: Date.now() + lifetimeMs }),
  }
}

/** Ephemeral messages: Discord allows them only as a follow-up to an interaction of this person. */
export function createEphemeral(options: {
  readonly rest: Rest
  readonly application: () => string
  readonly presses?: DiscordAdapterOptions['presses']
}): Ephemeral {
  const { rest, application, presses = createMemory() } = options
  /** Tokens for editing our messages, by message id. */
  const shown = createLru<string>(2000)

  return {
    rememberToken: (channel, person, token) => presses.set(`${channel}:${person}`, token, TOKEN_MS),
    remember: (message, token) => shown.set(message, token),
    async show(channel, person, body) {
      const token = await presses.get(`${channel}:${person}`)
      if (typeof token !== 'string') return undefined
      try {
        const { id } = await rest.post<APIMessage>(
          Routes.webhook(application(), token),
          { ...body, flags: body.flags | MessageFlags.Ephemeral },
          // Nonces are ignored here: a repeated request would show the message twice.
          { auth: false, retry: false },
        )
        shown.set(id, token)
        return id
      } catch (error) {
        // The token expired early, or the press was never acknowledged.
        if (hasCode(error, 'not-found', 'closed')) return undefined
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
          if (!hasCode(error, 'not-found', 'forbidden', 'closed')) throw error
        })
      return true
    },
  }
}
