import type { Meter } from '#bridge/port/adapter.ts'

/** Slack accepts markdown (`markdown_text`, the markdown block), but mentions in it would notify people. */

/** A word joiner: invisible, and no part of Slack's syntax. */
const GUARD = '\u2060'
const CONTROL = /<(?=(?:!(?:channel|here|everyone|group|subteam\^|date\^)|@[UWB]|#[CGD]))/gi
const AT_ALL = /(?<!\w)@(?=(?:channel|here|everyone|group)\b)/gi
/** The beginning of a possible mention at the end of a piece. */
const UNFINISHED = /(?:<(?:!(?:[a-z]{0,8}\^?)?|@[a-z]{0,8}|#)?|(?<![\w<])@[a-z]{0,8})$/i

/**
 * Escapes text of a model or document so that it notifies nobody. Slack reads control sequences in code too, so they
 * are broken there as well; nothing else changes: `<!DOCTYPE html>` stays.
 */
export const escapeMentions = (markdown: string): string =>
  markdown.replace(CONTROL, `<${GUARD}`).replace(AT_ALL, `@${GUARD}`)

/** Undoes `escapeMentions`. */
export const stripGuards = (text: string): string => text.replaceAll(GUARD, '')

/** Splits off an end that may become a mention with more text. At most 10 characters. */
export function splitUnfinished(markdown: string): [ready: string, held: string] {
  const at = markdown.search(UNFINISHED)
  return at < 0 ? [markdown, ''] : [markdown.slice(0, at), markdown.slice(at)]
}

/** UTF-8 bytes, as Slack counts. Never fewer than characters, so limits in characters hold too. */
export const measure = (markdown: string): number => Buffer.byteLength(escapeMentions(markdown))

const GUARD_BYTES = Buffer.byteLength(GUARD)
/** Bytes that the guess may be too high before the text is measured. */
const MAX_OVER = 60

/**
 * `measure` for a text that grows.
 *
 * @param look receives the number of characters read
 */
export function createMeter(look: (characters: number) => void = () => {}): Meter {
  let measured = 0
  let rest = ''
  let guessed = 0
  let over = 0
  return {
    add(piece) {
      look(piece.length)
      // Each mention that is escaped begins with one of these.
      const guards = GUARD_BYTES * (piece.match(/[<@]/g)?.length ?? 0)
      rest += piece
      guessed += Buffer.byteLength(piece) + guards
      over += guards
      if (over > MAX_OVER) {
        look(rest.length)
        // A mention may go on after this place.
        measured += measure(rest) + GUARD_BYTES
        rest = ''
        guessed = 0
        over = 0
      }
      return measured + guessed
    },
  }
}

/** Marks of mrkdwn count at the edge of a word only: this is an edge without a width. */
const EDGE = '\u200B'
/** Stars of bold type, while single stars become italics. */
const [OPEN, CLOSE] = ['\u0001', '\u0002']
const GLUED = {
  before: new RegExp(`(?<=[\\p{L}\\p{N}_])${OPEN}`, 'gu'),
  after: new RegExp(`${CLOSE}(?=[\\p{L}\\p{N}_])`, 'gu'),
}

/** Converts to mrkdwn for the text of a file, which supports no blocks. Links show their target. */
export const toMrkdwn = (markdown: string): string =>
  escapeText(escapeMentions(markdown))
    .replaceAll(/\[([^[\]\n]+)\]\((https?:[^)\s]{1,2000})\)/g, '$1 ($2)')
    .replaceAll(OPEN, '')
    .replaceAll(CLOSE, '')
    .replaceAll(/\*\*\*(?=\S)([^*\n]+?)(?<=\S)\*\*\*/g, `${OPEN}_$1_${CLOSE}`)
    .replaceAll(/\*\*(?=\S)([^*\n]+?)(?<=\S)\*\*/g, `${OPEN}$1${CLOSE}`)
    .replaceAll(/(?<![*\w])\*(?=\S)([^*\n]+?)(?<=\S)\*(?![*\w])/g, '_$1_')
    .replaceAll(GLUED.before, `${EDGE}*`)
    .replaceAll(GLUED.after, `*${EDGE}`)
    .replaceAll(OPEN, '*')
    .replaceAll(CLOSE, '*')
    .replaceAll(/~~(?=\S)([^~\n]+?)(?<=\S)~~/g, '~$1~')
    .replaceAll(/^#{1,6} +(.+)$/gm, '*$1*')

/** Escapes `&`, `<` and `>` for `text` fields. */
export const escapeText = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')

const ENTITIES: Readonly<Record<string, string>> = { '&lt;': '<', '&gt;': '>', '&amp;': '&' }

/** Undoes `escapeText`. */
export const decodeEntities = (markup: string): string =>
  markup.replace(/&(?:lt|gt|amp);/g, (entity) => ENTITIES[entity] ?? entity)
