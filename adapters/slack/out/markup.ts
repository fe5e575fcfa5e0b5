/** Slack takes markdown as it is (`markdown_text`, the markdown block), but would notify people by it. */

/** A word joiner: invisible, and no part of Slack's syntax. */
const GUARD = '\u2060'
const CONTROL = /<(?=(?:!(?:channel|here|everyone|group|subteam\^|date\^)|@[UWB]|#[CGD]))/gi
const AT_ALL = /(?<!\w)@(?=(?:channel|here|everyone|group)\b)/gi
/** The beginning of what might become one with the next piece. */
const UNFINISHED = /(?:<(?:!(?:[a-z]{0,8}\^?)?|@|#)?|(?<!\w)@[a-z]{0,8})$/i

/**
 * Text of a model or a document that notifies nobody. Slack reads its control sequences in code too, so they are broken
 * there as well, and nothing else is: `<!DOCTYPE html>` stays what it was.
 */
export const escapeMentions = (markdown: string): string =>
  markdown.replace(CONTROL, `<${GUARD}`).replace(AT_ALL, `@${GUARD}`)

/** Undoes `escapeMentions`. */
export const stripGuards = (text: string): string => text.replaceAll(GUARD, '')

/** Splits off an end that cannot be judged before more text is there. At most 10 characters. */
export function splitUnfinished(markdown: string): [ready: string, held: string] {
  const at = markdown.search(UNFINISHED)
  return at < 0 ? [markdown, ''] : [markdown.slice(0, at), markdown.slice(at)]
}

/** UTF-8 bytes as Slack counts them. They are never fewer than characters, so the limits in characters hold too. */
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

const ENTITIES: Readonly<Record<string, string>> = { '&lt;': '<', '&gt;': '>', '&amp;': '&' }

/** Undoes `escapeText`. */
export const decodeEntities = (markup: string): string =>
  markup.replace(/&(?:lt|gt|amp);/g, (entity) => ENTITIES[entity] ?? entity)
