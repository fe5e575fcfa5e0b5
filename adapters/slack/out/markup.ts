/**
 * Between Slack's markup and markdown. In: `<@U…>`, `<#C…>`, links and entities become readable markdown. Out: Slack
 * takes markdown as it is (`markdown_text`, the markdown block), but would notify people by it.
 */

/** Names of people and channels by id, for mentions. */
export type Names = ReadonlyMap<string, string>

const mention = /<@([UW][A-Z0-9]+)(?:\|([^<>]*))?>/g
const channelMention = /<#([CG][A-Z0-9]+)(?:\|([^<>]*))?>/g
const code = /(```[\s\S]*?```|`[^`\n]+`)/
const entities: Readonly<Record<string, string>> = { '&lt;': '<', '&gt;': '>', '&amp;': '&' }

const decodeEntities = (text: string) =>
  text.replace(/&(?:lt|gt|amp);/g, (entity) => entities[entity] ?? entity)

export const mentionedIds = (text: string): string[] =>
  [...text.matchAll(mention)].map((match) => match[1] ?? '')

/** Channels that a text names, each once, in order. Slack leaves the name out where not everybody may know it. */
export function mentionedChannels(text: string): { readonly id: string; readonly name: string }[] {
  const found = new Map<string, string>()
  for (const [, id = '', label = ''] of text.matchAll(channelMention)) {
    if ((found.get(id) ?? '') === '') found.set(id, decodeEntities(label))
  }
  return [...found].map(([id, name]) => ({ id, name }))
}

/** Somebody besides us is called: a person, a group, everyone. */
export const mentionsOthers = (text: string, ownId: string): boolean =>
  mentionedIds(text).some((id) => id !== ownId) || /<!(?:channel|here|everyone|subteam\^)/.test(text)

function decodeLink(whole: string, inner: string, names: Names): string {
  const bar = inner.indexOf('|')
  const target = bar < 0 ? inner : inner.slice(0, bar)
  const label = bar < 0 ? '' : inner.slice(bar + 1)
  if (target.startsWith('@'))
    return `@${label === '' ? (names.get(target.slice(1)) ?? target.slice(1)) : label}`
  if (target.startsWith('#'))
    return `#${label === '' ? (names.get(target.slice(1)) ?? target.slice(1)) : label}`
  if (target.startsWith('!')) return label === '' ? `@${target.slice(1).replace(/\^.*/, '')}` : label
  if (!/^[a-z][\w+.-]*:/i.test(target)) return whole
  const bare = target.replace(/^(?:mailto|tel):/, '')
  if (label === '' || label === bare || target.endsWith(`://${label}`)) return bare
  return `[${label}](${target})`
}

function decodeProse(text: string, names: Names): string {
  return decodeEntities(
    text
      .replace(/(?<![\w*])\*(?=\S)([^*\n]*[^*\s])\*(?![\w*])/g, '**$1**')
      .replace(/(?<![\w~])~(?=\S)([^~\n]*[^~\s])~(?![\w~])/g, '~~$1~~')
      .replace(/^([ \t]*)[•◦▪]\s/gm, '$1- ')
      .replace(/<([^<>\n]+)>/g, (whole, inner: string) => decodeLink(whole, inner, names)),
  )
}

/** Slack wraps addresses in angle brackets even inside code. */
const decodeCode = (text: string): string =>
  decodeEntities(
    text.replace(
      /<((?:https?|mailto):[^<>|\n]+)(?:\|([^<>\n]*))?>/g,
      (_, url: string, label?: string) => label ?? url,
    ),
  )

/** Readable markdown of a Slack text, without our own mention. */
export function toMarkdown(text: string, ownId: string, names: Names): string {
  return text
    .replace(new RegExp(`(?<![ \\t])[ \\t]*<@${ownId}(?:\\|[^<>]*)?>[ \\t]*`, 'g'), ' ')
    .split(code)
    .map((part, index) => (index % 2 === 1 ? decodeCode(part) : decodeProse(part, names)))
    .join('')
    .trim()
}

/** Takes no room and is no part of Slack's syntax. */
const guard = '\u2060'
const control = /<(?=(?:!(?:channel|here|everyone|group|subteam\^|date\^)|@[UWB]|#[CGD]))/gi
const atAll = /(?<!\w)@(?=(?:channel|here|everyone|group)\b)/gi
/** The beginning of what might become one with the next piece. */
const unfinished = /(?:<(?:!(?:[a-z]{0,8}\^?)?|@|#)?|(?<!\w)@[a-z]{0,8})$/i

/**
 * Text of a model or a document that notifies nobody. Slack reads its control sequences in code too, so they are broken
 * there as well, and nothing else is: `<!DOCTYPE html>` stays what it was.
 */
export const escapeMentions = (markdown: string): string =>
  markdown.replace(control, `<${guard}`).replace(atAll, `@${guard}`)

/** As it was before our guards were put in. */
export const stripGuards = (text: string): string => text.replaceAll(guard, '')

/** Splits off an end that cannot be judged before more text is there. At most 10 characters. */
export function splitUnfinished(markdown: string): [ready: string, held: string] {
  const at = markdown.search(unfinished)
  return at < 0 ? [markdown, ''] : [markdown.slice(0, at), markdown.slice(at)]
}

/** What Slack will count: UTF-8 bytes. They are never fewer than characters, so the limits in characters hold too. */
export const measure = (markdown: string): number => Buffer.byteLength(escapeMentions(markdown))

/** Markdown for the one place that takes no blocks: the words beside a file. Links show where they lead. */
export const toMrkdwn = (markdown: string): string =>
  escapeText(escapeMentions(markdown))
    .replaceAll(/\[([^[\]\n]+)\]\((https?:[^)\s]{1,2000})\)/g, '$1 ($2)')
    .replaceAll(/\*\*(?=\S)([^*\n]+?)(?<=\S)\*\*/g, '*$1*')
    .replaceAll(/~~(?=\S)([^~\n]+?)(?<=\S)~~/g, '~$1~')
    .replaceAll(/^#{1,6} +(.+)$/gm, '*$1*')

/** For `text` fields, where `&`, `<` and `>` are Slack's own. */
export const escapeText = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
