import type { APIUser } from 'discord.js'

export interface Names {
  readonly me: string
  readonly channelName: (id: string) => string | undefined
  readonly role: (id: string) => { readonly name: string; readonly ours: boolean } | undefined
}

export interface Heard {
  readonly text: string
  readonly addressed: boolean
  readonly mentionsOthers: boolean
  /** People whom it mentions, ourselves left out. */
  readonly people: readonly { readonly id: string; readonly name: string }[]
}

type Mentioned = Pick<APIUser, 'id' | 'username' | 'global_name'>

/**
 * Reads Discord's mention codes. Who is mentioned is decided by the codes in the text, not by the `mentions` list alone:
 * that list also names the author of the message replied to, and a reply ping or an @everyone addresses nobody.
 */
export function readMentions(
  content: string,
  message: { readonly mentions: readonly Mentioned[]; readonly everyone: boolean },
  names: Names,
): Heard {
  const listed = new Map(message.mentions.map((user) => [user.id, user]))
  const people = new Map<string, string>()
  let addressed = false
  let mentionsOthers = message.everyone
  const text = content.replaceAll(
    /<@!?(\d+)>|<@&(\d+)>|<#(\d+)>|<a?:(\w+):\d+>|<\/([^:<>]{1,120}):\d+>|<t:(-?\d+)(?::\w)?>/g,
    (
      code,
      user?: string,
      role?: string,
      channel?: string,
      emoji?: string,
      command?: string,
      time?: string,
    ) => {
      if (user !== undefined) {
        const known = listed.get(user)
        // Not in the list: the code stands inside code marks or names nobody.
        if (known === undefined) return code
        if (user === names.me) addressed = true
        else {
          mentionsOthers = true
          people.set(user, known.global_name ?? known.username)
        }
        return user === names.me ? OURS : `@${known.global_name ?? known.username}`
      }
      if (role !== undefined) {
        const known = names.role(role)
        if (known?.ours === true) addressed = true
        else mentionsOthers = true
        return known?.ours === true ? OURS : `@${known?.name ?? 'role'}`
      }
      if (channel !== undefined) return `#${names.channelName(channel) ?? 'channel'}`
      if (emoji !== undefined) return `:${emoji}:`
      if (command !== undefined) return `/${command}`
      return time === undefined ? code : readTime(Number(time), code)
    },
  )
  return {
    text: withoutOurs(text),
    addressed,
    mentionsOthers,
    people: Array.from(people, ([id, name]) => ({ id, name })),
  }
}

/** Stands for our own mention until it is taken out; no keyboard makes it. */
const OURS = '\uE000'

function withoutOurs(text: string): string {
  return text
    .replace(/^\s*\uE000[ \t]*[,:;]?/, '')
    .replaceAll(/(?<![ \t])[ \t]*\uE000(?=[ \t]*(?:[,.;:!?]|$))/gm, '')
    .replaceAll(/(?<![ \t])[ \t]*\uE000[ \t]*/g, ' ')
    .trim()
}

function readTime(seconds: number, code: string): string {
  const date = new Date(seconds * 1000)
  return Number.isNaN(date.getTime()) ? code : `${date.toISOString().slice(0, 16).replace('T', ' ')} UTC`
}
