import {
  addressesIn,
  breakAddresses,
  findAddresses,
  lacksMailbox,
  shownAsText,
  toKey,
  type LinkContext,
} from './addresses.ts'
import type { Angle, Bracketed } from './link-syntax.ts'

/** Whether an address, by its key, is in the sources of this answer. */
export type IsKnown = (key: string) => boolean

/** State of the text shown so far that decides how the next address is made safe. */
export interface ShownText {
  /** The last character. */
  last: string
  /** An unpaired backtick was seen: some services pair it with one far below. */
  loose: boolean
  /** The open fence; `isClosed`: its end was seen. */
  fence: { readonly marker: string; readonly isClosed: boolean } | undefined
}

const BLURS = /[`\\]/
const ESCAPE = /\\([!-/:-@[-`{-~])/g
const ENTITY = /&(?:#\d{1,7}|#x[\da-f]{1,6}|\w{2,20});/gi
/** A target outside of the chat; any other is a relative link. */
const LEADS_AWAY = /^[a-z][a-z0-9+.-]*:|^www\.|@|\/\//i

/**
 * Shows links and addresses: live if the address is known, else as text.
 *
 * @param inner makes links in the words of a link safe; records an unpaired backtick in `shown`.
 */
export function createLinkPresenter(isKnown: IsKnown, shown: ShownText, inner: (text: string) => string) {
  const contextOf = (before: string, behind: string): LinkContext =>
    shown.loose || shown.fence !== undefined || BLURS.test(before + behind) ? 'plain' : 'code'

  /** Services decode escapes and entities. */
  function hidesAddress(word: string): boolean {
    if (!/[\\&]/.test(word)) return false
    const read = word.replace(ESCAPE, '$1').replace(ENTITY, ':')
    return findAddresses(read).some(({ address }) => !isKnown(toKey(address)))
  }

  return {
    link(found: Extract<Bracketed, { kind: 'link' }>, isImage: boolean, next: string): string {
      const text = inner(found.text).trim()
      const { target } = found
      if (target.includes('`')) shown.loose = true
      // Without its bracket, a word must not join the one before it.
      const words = /[\w./:@`-]/.test(shown.last) && text !== '' ? ` ${text}` : text
      if (!LEADS_AWAY.test(target) && findAddresses(target).length === 0) return words
      const key = toKey(target)
      if (!isKnown(key)) {
        if (words === '' || toKey(found.text.trim()) === key) return shownAsText(target, contextOf(shown.last, next))
        return `${words} (${shownAsText(target, contextOf('', ''))})`
      }
      if (words === '') return `<${target}>`
      // If the words name another address than the target, the target is shown too.
      const isHonest = [...addressesIn(found.text)].every((named) => named === key)
      return isHonest && !isImage ? `[${words}](${target})` : `${words} (<${target}>)`
    },

    /** Undefined: it stays unchanged. */
    angle({ address, words }: Angle, next: string): string | undefined {
      if (isKnown(toKey(address)) && words === '') return undefined
      const text = inner(words).trim()
      const safe = shownAsText(address, contextOf(text === '' ? shown.last : '', next))
      return text === '' ? safe : `${text} (${safe})`
    },

    /** @param from everything before it is shown already. */
    word(word: string, from: number, next: string): string {
      // Readers of markdown take an unpaired backtick for a mailbox, too.
      if (shown.last === '`' && lacksMailbox(word.slice(from))) return breakAddresses(word.slice(from))
      let safe = ''
      let done = from
      for (const { start, end, address } of findAddresses(word)) {
        if (end <= from) continue
        const isFine = isKnown(toKey(address))
        const between = word.slice(done, Math.max(start, from))
        const rest = word.slice(Math.max(start, from), end)
        safe += isFine ? between : between.replace(/\]\($/, '] (')
        safe += isFine ? rest : shownAsText(rest, contextOf(safe.at(-1) ?? shown.last, word[end] ?? next))
        done = end
      }
      if (done === from && hidesAddress(word)) return shownAsText(word.slice(from), contextOf(shown.last, next))
      return safe + word.slice(done)
    },

    /** A part of a word too long to be held back: its rest could change the address. */
    cutWord: (text: string): string => breakAddresses(text),
  }
}
