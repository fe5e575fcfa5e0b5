import type { MessageContext } from '../delivery/job-context.ts'
import { command } from '#lexicon/command.ts'
import type { AccessTokens, PersonRef, TokenScope } from '../port/person-access.ts'
import { AdapterError } from '../port/errors.ts'
import { dayOf } from '../texts/formats.ts'

interface Services {
  readonly tokens?: AccessTokens
}

const SLOT = 'command'
const NAME = /^[\p{L}\p{N}][\p{L}\p{N}._-]{0,39}$/u

const personOf = ({ conversation: { adapter, workspace }, author }: MessageContext): PersonRef => ({
  adapter,
  workspace,
  personId: author.id,
})

const HERE = command('here')

/** Reads `laptop`, `laptop here`, `laptop here search fetch`; undefined: it says something else. */
function readOrder(
  argument: string,
  channel: string,
  tools: readonly string[],
): { readonly name: string; readonly scope: TokenScope } | undefined {
  const [name = '', ...words] = argument.split(/\s+/)
  const isHere = words.some((word) => HERE.test(word))
  const only = [...new Set(words.map((word) => word.toLowerCase()))].filter((word) => !HERE.test(word))
  // `connect here` is no name: it would read more than was meant.
  if (!NAME.test(name) || HERE.test(name) || !only.every((word) => tools.includes(word))) return undefined
  return { name, scope: { channel: isHere ? channel : undefined, tools: only.length === 0 ? undefined : only } }
}

/** Makes a token, and shows it once. Without a name: lists the tokens of this person. */
export async function connect({ tokens }: Services, ctx: MessageContext, argument: string): Promise<void> {
  const { texts, sender, author, adapter, conversation } = ctx
  if (tokens === undefined) return ctx.whisper(texts.commands.notHere('connect'))
  const person = personOf(ctx)
  const order = readOrder(argument, conversation.channel, tokens.tools)
  if (order === undefined) return ctx.whisper(await listOf(tokens, person, ctx))
  const { name, scope } = order
  // After a restart: a token that was shown is not made again.
  await sender.locate(SLOT)
  if ((await sender.rows()).some(({ slot }) => slot === SLOT)) return
  // The row of this send has another text: a token is stored nowhere.
  const kept = texts.commands.tokenMade(name)
  const content = { kind: 'notice', text: kept, privateTo: author.id } as const
  const token = await tokens.make(person, name, sender.outgoing(SLOT, content).sendId, scope)
  if (token === undefined) return ctx.whisper(texts.commands.tokenTaken(name))
  const text = texts.commands.token(name, token, tokens.address, scope)
  try {
    await sender.open(SLOT, content, async (outgoing) => ({
      ref: await adapter.post(conversation, { ...outgoing, text }),
    }))
  } catch (error) {
    // Nobody has seen it, and its name is free again.
    if (error instanceof AdapterError && error.code !== 'ambiguous') await tokens.revoke(person, name)
    throw error
  }
  await sender.close(SLOT, kept)
}

/** Ends the token of this name: the next request of its program is refused. */
export async function disconnect({ tokens }: Services, ctx: MessageContext, name: string): Promise<void> {
  const { commands } = ctx.texts
  if (tokens === undefined) return ctx.whisper(commands.notHere('disconnect'))
  const person = personOf(ctx)
  if (name === '') return ctx.whisper(await listOf(tokens, person, ctx))
  return ctx.whisper((await tokens.revoke(person, name)) ? commands.tokenRevoked(name) : commands.noToken(name))
}

async function listOf(tokens: AccessTokens, person: PersonRef, { texts, author }: MessageContext): Promise<string> {
  const day = (at: number | undefined) =>
    at === undefined ? undefined : dayOf(new Date(at).toISOString(), author, Date.now())
  const lines = (await tokens.list(person)).map(({ name, createdAt, usedAt, ...scope }) =>
    texts.commands.tokenLine(name, day(createdAt) ?? '', day(usedAt), scope),
  )
  return texts.commands.tokens(lines, tokens.tools)
}
