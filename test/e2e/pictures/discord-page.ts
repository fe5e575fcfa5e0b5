/** Pages that look like Discord, drawn from the payloads that were sent to the double. */
import type { DiscordDouble } from '#test/doubles/discord/discord-double.ts'
import type { Choice } from '#test/doubles/discord/interactions.ts'
import type { Modal } from '#test/doubles/discord/modals.ts'
import type { TranscriptEntry } from '#test/doubles/discord/types.ts'
import { BRIDGE, lengthOf, voiceBubble, withIcons } from './discord-icons.ts'
import { block, escapeHtml, inline } from './discord-markup.ts'
import { STYLE } from './discord-style.ts'

type NameOf = (id: string) => string
export type Look = 'light' | 'dark'

/** A page of these parts, once light and once dark. */
export const pageOf = (look: Look, ...parts: readonly string[]): string =>
  `<!doctype html><html class="${look}"><meta charset="utf-8"><style>${STYLE}</style><body>${withIcons(parts.join(''))}</body></html>`

/** The head of a channel, or with `@` of a direct conversation. */
export const headOf = (name: string, mark: '#' | '@' = '#'): string =>
  `<div class="top"><span>${mark}</span>${escapeHtml(name)}</div>`

/** The head of a forum post. */
export const postHeadOf = (title: string, tags: readonly string[]): string =>
  `<div class="post"><h2>${escapeHtml(title)}</h2><div class="tags">${tags.map((tag) => `<span>${escapeHtml(tag)}</span>`).join('')}</div></div>`

/** A menu of which nothing is chosen says so. */
const menu = (chosen: string) =>
  chosen === ''
    ? '<div class="menu"><span class="faint">Make a selection</span><span>⌄</span></div>'
    : `<div class="menu">${escapeHtml(chosen)}<span>⌄</span></div>`

/** A panel of components V2: texts, lines and menus. */
const panel = (blocks: NonNullable<TranscriptEntry['blocks']>, nameOf: NameOf): string =>
  `<div class="panel">${blocks
    .map(({ text, chosen, isLine }) => {
      if (isLine === true) return '<hr>'
      return chosen === undefined ? block(text ?? '', nameOf) : menu(chosen)
    })
    .join('')}</div>`

/** Dialogs that presses opened, side by side. */
export const dialogsOf = (modals: readonly Modal[]): string =>
  `<div class="dialogs">${modals
    .map(({ title, components }) => {
      const fields = components.map(
        ({ label, component }) =>
          `<div>${escapeHtml(label)}</div>${component.options === undefined ? `<div class="field">${escapeHtml(component.value ?? '')}</div>` : boxesOf(component.options)}`,
      )
      return `<div class="dialog"><h3>${escapeHtml(title)}</h3>${fields.join('')}<div class="buttons"><span>Cancel</span><span class="s1">Submit</span></div></div>`
    })
    .join('')}</div>`

const boxesOf = (options: readonly { readonly label: string }[]): string =>
  options.map(({ label }) => `<div class="box"><span></span>${escapeHtml(label)}</div>`).join('')

/** A command while it is typed, with the completions that Discord got. */
export const typingOf = (command: string, option: string, typed: string, choices: readonly Choice[]): string =>
  `<div class="typing"><div class="choices"><b>${option.toUpperCase()}</b>${choices.map(({ name }) => `<div>${escapeHtml(name)}</div>`).join('')}</div><div class="input">/${command}<span class="option"><b>${option}</b>${escapeHtml(typed)}|</span></div></div>`

/** Commands on a message have names like *Translate*. */
const nameOfCommand = (name: string) => (/^\p{Lu}/u.test(name) ? name : `/${name}`)

/** Of a message that is answered. */
const firstLineOf = ({ voice, text, files }: TranscriptEntry): string =>
  voice === undefined ? text.split('\n')[0] || files.join(', ') : `🎙️ ${lengthOf(voice)}`

function messageOf(entry: TranscriptEntry, all: readonly TranscriptEntry[], nameOf: NameOf): string {
  const answered = all.find(({ id }) => id === entry.replyTo)
  const reply =
    entry.called === undefined
      ? answered && `╭ <b>${escapeHtml(answered.author)}</b> ${inline(firstLineOf(answered), nameOf)}`
      : `╭ <b>${escapeHtml(entry.called.by)}</b> used <span class="mention">${nameOfCommand(entry.called.command)}</span>`
  const written = entry.text === '' ? '' : block(entry.text, nameOf)
  const words = entry.blocks === undefined ? written : panel(entry.blocks, nameOf)
  const files = entry.files.map((name) => `<div class="file">📄 ${escapeHtml(name)}</div>`)
  const media = entry.voice === undefined ? files.join('') : voiceBubble(entry.voice)
  const rows = entry.rows.map(
    (row) =>
      `<div class="buttons">${row.map(({ label, style }) => `<span class="s${style}">${escapeHtml(label)}</span>`).join('')}</div>`,
  )
  const marks = (entry.reactions ?? []).map((emoji) => `<div><span class="react">${emoji} 1</span></div>`)
  const face = entry.bot
    ? `<div class="face">${BRIDGE}</div>`
    : `<div class="face person">${escapeHtml(entry.author.charAt(0))}</div>`
  return `<div class="message ${entry.only === undefined ? '' : 'alone'}">
    ${reply === undefined ? '' : `<div class="reply">${reply}</div>`}${face}
    <div><div><span class="who">${escapeHtml(entry.author)}</span>${entry.bot ? '<span class="app">APP</span>' : ''}<span class="time">Today at 9:41</span></div>
    <div>${words}${media}${rows.join('')}${marks.join('')}
    ${entry.only === undefined ? '' : '<div class="foot">👁 Only you can see this · <a>Dismiss message</a></div>'}</div></div></div>`
}

/** The messages of a channel now. */
export function messagesOf(
  { transcript, nameOf }: Pick<DiscordDouble, 'transcript' | 'nameOf'>,
  channel: string,
  shows: (entry: TranscriptEntry) => boolean = () => true,
): string {
  const all = transcript(channel)
  return all
    .filter(shows)
    .map((entry) => messageOf(entry, all, nameOf))
    .join('')
}
