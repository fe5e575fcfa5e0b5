import type { DoubleChannel } from './types.ts'
import { refuse, type RouteAnswer } from './validate.ts'
import type { World } from './world.ts'

const MANAGE_THREADS = 1n << 34n

let refusals = 0

/** 50083 is reported with 400 (discord.js#9216) and with 403 (discord-api-docs#7707), 160005 with no status: they take turns. */
const turned = (code: number, message: string): RouteAnswer =>
  refuse((refusals += 1) % 2 === 0 ? 400 : 403, code, message)

const archived = () => turned(50_083, 'Thread is archived')
const locked = () => turned(160_005, 'Thread is locked')

/** Whoever may manage threads writes in locked ones (developers/topics/threads.mdx, Locked Threads). */
function isLocked(channel: DoubleChannel, { bot, members, roles }: World): boolean {
  const held = members.get(bot.id)?.roles ?? []
  const mayManage = roles.some(
    ({ id, permissions }) => held.includes(id) && (BigInt(permissions) & MANAGE_THREADS) !== 0n,
  )
  return channel.locked === true && !mayManage
}

/** Locked and archived: 50083, with or without an interaction (discord-api-docs#6884). */
const isSealed = (channel: DoubleChannel, world: World) => channel.archived === true && isLocked(channel, world)

/** A new message is refused in a locked thread and in slow mode (429 without a header: Merubokkusu/Discord-S.C.U.M#232). */
export function refuseNew(channel: DoubleChannel, world: World): RouteAnswer | undefined {
  if (isLocked(channel, world)) return channel.archived === true ? archived() : locked()
  const waitMs = (channel.freeAt ?? 0) - Date.now()
  if (waitMs <= 0) return undefined
  const message = 'This action cannot be performed due to slowmode rate limit'
  return { status: 429, body: { code: 20_016, global: false, message, retry_after: waitMs / 1000 } }
}

/** What answers an interaction; to one person alone it is taken everywhere. */
export const refuseReply = (channel: DoubleChannel, world: World, only?: string): RouteAnswer | undefined =>
  only === undefined && isSealed(channel, world) ? archived() : undefined

/** No message of an archived thread is edited (discord.js#9216), and none of a locked one. */
export function refuseChange(channel: DoubleChannel, world: World): RouteAnswer | undefined {
  if (channel.archived === true) return archived()
  return isLocked(channel, world) ? locked() : undefined
}

/** Messages of a locked thread are deleted only while it is open. */
export const refuseRemoval = (channel: DoubleChannel, world: World): RouteAnswer | undefined =>
  isSealed(channel, world) ? archived() : undefined
