import { type APIMessage, MessageFlags, type RawFile, Routes } from 'discord.js'
import type { Adapter } from '#bridge/port/adapter.ts'
import type { ConversationRef, MessageRef, Outgoing } from '#bridge/port/message.ts'
import { createLru } from '#lib/lru.ts'
import { hasCode } from '#adapters/shared/session.ts'
import { type Rest, timeOf } from '../rest.ts'
import { type Ephemeral, TOKEN_MS } from './ephemeral.ts'
import { bodyOf } from './message-body.ts'

/** How the answer to an interaction is sent. */
export interface TicketRights {
  /** Its answer was deferred: Discord shows "… is thinking" until the first send. */
  readonly deferred?: boolean
  /** The deferred answer is seen by its person only. */
  readonly isPrivate?: boolean
  /** Ordinary messages can't be sent there, or others would see them: all answers use the interaction's token. */
  readonly interactionOnly?: boolean
  /** A direct conversation with the bot: nobody else can read it. */
  readonly direct?: boolean
}

const LETTERS = { deferred: 'd', isPrivate: 'a', interactionOnly: 'i', direct: '1' } as const
const RIGHTS = Object.keys(LETTERS) as (keyof TicketRights)[]

/** The ticket as text. The bridge stores it with the job, so that an interaction can be answered after a restart. */
export const packTicket = ({ id, token }: { readonly id: string; readonly token: string }, rights: TicketRights) =>
  `${RIGHTS.map((right) => (rights[right] === true ? LETTERS[right] : '')).join('')}.${id}.${token}`

interface Ticket extends TicketRights {
  readonly id: string
  readonly token: string
}

function unpackTicket(packed: string | undefined): Ticket | undefined {
  const [letters, id, ...rest] = packed?.split('.') ?? []
  if (letters === undefined || id === undefined || !/^\d{1,20}$/.test(id)) return undefined
  const rights = Object.fromEntries(RIGHTS.map((right) => [right, letters.includes(LETTERS[right])]))
  return { ...rights, id, token: rest.join('.') }
}

/** Sends that answer a command or a press. */
export interface Replies {
  /** Sends of this interaction wait for its acknowledgement. */
  begin(interaction: string, acknowledged: Promise<unknown>): void
  /** `undefined`: it is an ordinary message. `late`: Discord takes no more answers to this interaction. */
  post(conversation: ConversationRef, outgoing: Outgoing, files?: RawFile[]): Promise<MessageRef | 'late' | undefined>
  /** The same of an edit; `true`: it is done. */
  edit(ref: MessageRef, outgoing: Outgoing): Promise<boolean | 'late'>
  /** Shows a panel to the person of a press or a command alone. False: Discord takes no more answers to it. */
  show(ticket: string, body: { readonly flags: number }): Promise<boolean>
  /** Undefined: it may be an ordinary message. */
  find(
    ...asked: Parameters<NonNullable<Adapter['find']>>
  ): Promise<{ readonly found: MessageRef | undefined } | undefined>
}

interface RepliesParts {
  readonly rest: Rest
  readonly application: () => string
  readonly ephemeral: Pick<Ephemeral, 'remember'>
}

const ORIGINAL = '@original'

/** Whether only the person of the interaction may see this. */
const isPrivateSend = (
  { isPrivate, direct, interactionOnly }: Ticket,
  { direct: inDirect }: ConversationRef,
  { privateTo }: Outgoing,
) => isPrivate === true || (privateTo !== undefined && direct !== true && (interactionOnly === true || !inDirect))

const auth = { auth: false }

/** An edit by a token takes the flag for panels alone. */
const editable = ({ flags, ...words }: { readonly flags: number }) =>
  (flags & MessageFlags.IsComponentsV2) === 0 ? words : { ...words, flags }

const isLate = ({ id }: Ticket) => Date.now() - timeOf(id) > TOKEN_MS

const isLoading = (raw: APIMessage | undefined) => ((raw?.flags ?? 0) & MessageFlags.Loading) !== 0

/** Messages that are sent by the token of an interaction. */
function createWebhook({ rest, application }: Pick<RepliesParts, 'rest' | 'application'>) {
  /** Ids of the follow-up messages with the parts that did not fit into this one. */
  const followers = createLru<readonly string[]>(500)

  /** Undefined: gone, or never acknowledged. */
  async function original({ token }: Ticket): Promise<APIMessage | undefined> {
    const route = Routes.webhookMessage(application(), token, ORIGINAL)
    try {
      return await rest.get<APIMessage>(route, auth)
    } catch (error) {
      if (hasCode(error, 'not-found')) return undefined
      throw error
    }
  }

  /** Never repeated: Discord ignores nonces here. */
  async function follow({ token }: Ticket, body: { readonly flags: number }, isPrivate: boolean, files?: RawFile[]) {
    const flags = body.flags | (isPrivate ? MessageFlags.Ephemeral : 0)
    const how = { ...auth, retry: false, files }
    const { id } = await rest.post<APIMessage>(Routes.webhook(application(), token), { ...body, flags }, how)
    return id
  }

  async function showFollowing(ticket: Ticket, message: string, contents: readonly string[], isPrivate: boolean) {
    const before = followers.get(message) ?? []
    const now = before.slice(0, contents.length)
    for (const [index, content] of contents.entries()) {
      const there = before[index]
      const body = { flags: MessageFlags.SuppressEmbeds, content, allowed_mentions: { parse: [] } }
      if (there === undefined) now.push(await follow(ticket, body, isPrivate))
      else await rest.patch(Routes.webhookMessage(application(), ticket.token, there), editable(body), auth)
    }
    for (const gone of before.slice(contents.length))
      await rest.delete(Routes.webhookMessage(application(), ticket.token, gone), auth)
    followers.set(message, now)
  }

  return { original, follow, showFollowing }
}

async function unlessLate<Result>(ticket: Ticket, run: () => Promise<Result>): Promise<Result | 'late'> {
  if (isLate(ticket)) return 'late'
  try {
    return await run()
  } catch (error) {
    if (hasCode(error, 'not-found')) return 'late'
    throw error
  }
}

// oxlint-disable-next-line max-lines-per-function -- a factory: it only returns methods
export function createReplies({ rest, application, ephemeral }: RepliesParts): Replies {
  /** Interactions whose deferred answer was used, with the id of that send. */
  const filled = createLru<string>(2000)
  const underWay = new Map<string, Promise<unknown>>()
  const { original, follow, showFollowing } = createWebhook({ rest, application })

  async function isFree(ticket: Ticket): Promise<boolean> {
    if (ticket.deferred !== true || filled.get(ticket.id) !== undefined) return false
    return underWay.has(ticket.id) || isLoading(await original(ticket))
  }

  async function fill(ticket: Ticket, sendId: string, body: object, files?: RawFile[]): Promise<string> {
    filled.set(ticket.id, sendId)
    const route = Routes.webhookMessage(application(), ticket.token, ORIGINAL)
    try {
      const { id } = await rest.patch<APIMessage>(route, body, { ...auth, files })
      return id
    } catch (error) {
      // The next attempt fills it, or finds that this one did.
      filled.delete(ticket.id)
      throw error
    }
  }

  async function send(ticket: Ticket, conversation: ConversationRef, outgoing: Outgoing, files?: RawFile[]) {
    await underWay.get(ticket.id)?.catch(() => {})
    const isPrivate = isPrivateSend(ticket, conversation, outgoing)
    const isFirst = await isFree(ticket)
    if (!isFirst && !isPrivate && ticket.interactionOnly !== true) return undefined
    const { body, following } = bodyOf(outgoing)
    let id: string
    if (isFirst && isPrivate === (ticket.isPrivate === true))
      id = await fill(ticket, outgoing.sendId, editable(body), files)
    else {
      // The deferred answer is for everybody, and this is not.
      if (isFirst) await rest.delete(Routes.webhookMessage(application(), ticket.token, ORIGINAL), auth)
      if (isFirst) filled.set(ticket.id, outgoing.sendId)
      id = await follow(ticket, body, isPrivate, files)
    }
    if (isPrivate) ephemeral.remember(id, ticket.token)
    await showFollowing(ticket, id, following, isPrivate)
    return { conversation, id }
  }

  return {
    begin(interaction, acknowledged) {
      underWay.set(interaction, acknowledged)
      const end = () => setTimeout(() => underWay.delete(interaction), TOKEN_MS).unref()
      acknowledged.then(end, end)
    },
    async post(conversation, outgoing, files) {
      const ticket = unpackTicket(outgoing.ticket)
      if (ticket === undefined) return undefined
      if (ticket.deferred !== true && ticket.interactionOnly !== true && !isPrivateSend(ticket, conversation, outgoing))
        return undefined
      return unlessLate(ticket, () => send(ticket, conversation, outgoing, files))
    },
    async show(packed, body) {
      const ticket = unpackTicket(packed)
      if (ticket === undefined) return false
      await underWay.get(ticket.id)?.catch(() => {})
      return (await unlessLate(ticket, () => follow(ticket, body, true))) !== 'late'
    },
    async edit(ref, outgoing) {
      const ticket = unpackTicket(outgoing.ticket)
      if (ticket === undefined || (ticket.deferred !== true && ticket.interactionOnly !== true)) return false
      const { body, following } = bodyOf(outgoing)
      const done = await unlessLate(ticket, async () => {
        await rest.patch(Routes.webhookMessage(application(), ticket.token, ref.id), editable(body), auth)
        await showFollowing(ticket, ref.id, following, isPrivateSend(ticket, ref.conversation, outgoing))
        return true
      })
      return done === 'late' && ticket.interactionOnly !== true ? false : done
    },
    async find(conversation, { ticket: packed, known, sendId }) {
      const ticket = unpackTicket(packed)
      if (ticket === undefined || isLate(ticket)) return undefined
      const raw = ticket.deferred === true ? await original(ticket) : undefined
      if (raw === undefined || isLoading(raw) || known.includes(raw.id))
        return ticket.interactionOnly === true ? { found: undefined } : undefined
      filled.set(ticket.id, sendId)
      return { found: { conversation, id: raw.id } }
    },
  }
}
