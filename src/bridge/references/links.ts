import { addressesIn, findAddresses, toKey } from './addresses.ts'
import { shownAsText, type LinkContext } from './inert-link.ts'
import { parseBracketed } from './link-syntax.ts'

/** Whether an address stands in what was read for this answer, by its key. */
export type IsKnown = (key: string) => boolean

export interface LinkFilter {
  /** Takes more of a text; returns what is safe to show now. */
  push(text: string): string
  /** What was held back. */
  end(): string
}

/** A link, a word or a code span that is longer than this while it is incomplete is taken as it stands. */
const LONGEST = 4000
const LINE_BEGIN = /^(?:[ \t]|>|[-*+][ \t]|\d{1,9}[.)][ \t])*$/
const FENCE = /^(?:[ \t]|>|[-*+][ \t]|\d{1,9}[.)][ \t])*(`{3,80}(?=[^`]*$)|~{3,80}(?!~))/
/** The beginning of a line that may become one that opens or closes a fence. */
const FENCE_BEGUN = /^(?:[ \t]|>|[-*+]|\d{1,9}[.)]?)*(?:`{0,2}|~{0,2}|`{3,}[^`]*|~{3,}.*)$/
const BREAKS = String.raw`\s\x60[<。、，；！？（）「」『』【】`
/** A word in a script that writes with spaces, and what stands in addresses. */
const WORD = new RegExp(
  String.raw`^(?:(?!!\[)[^${BREAKS}\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}])+`,
  'u',
)
/** Once it is an address, letters of every script go on with it. */
const ADDRESS_WORD = new RegExp(String.raw`^(?:(?!!\[)[^${BREAKS}])+`, 'u')
const LETTERS = /^["'“„»«(*_]*[\p{L}\p{N}\p{M}'’-]+$/u
const SCHEME_BEGUN = /^[^\p{L}]*(?:h|ht|http?|https|w|ww|www|f|ft|ftp|m|ma|mai|mail|mailto?)$/iu
const ONE = /^[\s\S]/u
const ESCAPE = /\\([!-/:-@[-`{-~])/g
const ENTITY = /&(?:#\d{1,7}|#x[\da-f]{1,6}|\w{2,20});/gi

/**
 * Lets through links whose address is known, and shows every other as text that no chat service makes a link of: as
 * code, or where code is not safe (an odd backtick stands before it, a fence is open) with the address broken. Images
 * become their words. A link is one here as soon as any service would take it for one: markdown links and definitions,
 * `<…>`, bare addresses with any scheme, `www.`, mail addresses, domains.
 *
 * Where the text is cut matters only to how an address is broken. Code stays as it is, but for fences: some services show what
 * follows an open fence as text, so addresses in one are broken until `whole` says that its end was seen.
 *
 * @param whole the text comes in one piece, with its end: a fence that is closed below is known to be one.
 */
export function createLinkFilter(isKnown: IsKnown, whole = false): LinkFilter {
  return createFilter(isKnown, { whole, loose: false })
}

type InnerFilter = LinkFilter & { isLoose(): boolean }

function createFilter(
  isKnown: IsKnown,
  given: { readonly whole: boolean; readonly loose: boolean },
): InnerFilter {
  const { whole } = given
  let pending = ''
  let final = false
  /** What was taken of the line under way, as it came. */
  let line = ''
  /** The last character that was shown. */
  let last = ''
  /** What was shown of the word under way. */
  let begun = ''
  let fence: string | undefined
  /** The end of the open fence was seen. */
  let closed = false
  /** A backtick without its partner was seen: some services pair it with one far below. */
  let { loose } = given

  const contextOf = (before: string, behind: string): LinkContext =>
    loose || fence !== undefined || /[`\\]/.test(before + behind) ? 'plain' : 'code'

  function take(length: number, shown = pending.slice(0, length)): string {
    const raw = pending.slice(0, length)
    pending = pending.slice(length)
    const newline = raw.lastIndexOf('\n')
    line = newline === -1 ? line + raw : raw.slice(newline + 1)
    last = shown.at(-1) ?? last
    begun = ''
    return shown
  }

  /** A line that opens or closes a fence, as a whole; `''`: this is none. */
  function takeFence(): string | undefined {
    const end = pending.indexOf('\n')
    if (end === -1 && !final && FENCE_BEGUN.test(pending)) return undefined
    const content = end === -1 ? pending : pending.slice(0, end)
    const marker = FENCE.exec(content)?.[1]
    if (fence !== undefined) {
      if (!closesFence(content, fence)) return ''
      // Three backticks are a fence for every service, and more are not.
      if (/`{4}/.test(fence + content)) loose = true
      fence = undefined
      return take(content.length)
    }
    if (marker === undefined) return ''
    fence = marker
    closed = whole && !loose && closesBelow(pending.slice(content.length), content)
    const begin = content.indexOf(marker) + marker.length
    return take(content.length, content.slice(0, begin) + showWord(content.slice(begin), 0, ''))
  }

  /** One backtick, no other in between, one backtick, in one line: that is code for every service. All else is doubtful. */
  function takeBackticks(): string | undefined {
    const run = /^`+/.exec(pending)?.[0] ?? ''
    if (run.length === pending.length && !final) return undefined
    if (run.length > 1 || fence !== undefined || last === '\\') loose = true
    if (loose) return take(run.length)
    const [code = ''] = /^`[^`\n]*/.exec(pending) ?? []
    const behind = /^`*/.exec(pending.slice(code.length))?.[0] ?? ''
    const length = code.length + behind.length
    // More backticks, or more of the line, may come.
    if (length === pending.length && !final && length < LONGEST) return undefined
    if (behind === '`' && !code.endsWith('\\')) return take(length)
    loose = true
    return take(1)
  }

  /** A backtick behind it, which may be still to come, would undo code. */
  const mustSeeBehind = (length: number) => length === pending.length && !final && length < LONGEST

  function takeBracket(): string | undefined {
    const found = parseBracketed(pending, final || pending.length > LONGEST)
    if (found === undefined) return undefined
    if (found.kind === 'link') {
      if (mustSeeBehind(found.length)) return undefined
      const isImage = pending.startsWith('!')
      return take(found.length, showLink(found, isImage, pending[found.length] ?? ''))
    }
    // Its address would go to every mark of that name. With a space before the colon it is no definition.
    if (found.kind === 'definition' && LINE_BEGIN.test(line))
      return take(found.length, `[${settleInner(found.label)}] :`)
    return take(1)
  }

  /** The words of a link, with what an odd backtick in them does to the rest. */
  function settleInner(text: string): string {
    if (text.includes('``')) loose = true
    const inner = createFilter(isKnown, { whole: true, loose: loose || /[`\\]/.test(last) })
    const shown = inner.push(text) + inner.end()
    loose ||= inner.isLoose() && !/[`\\]/.test(last)
    return shown
  }

  function showLink(
    link: { readonly text: string; readonly target: string },
    isImage: boolean,
    next: string,
  ): string {
    const inner = settleInner(link.text).trim()
    if (link.target.includes('`')) loose = true
    // Without its bracket a word must not become one with what is before it.
    const words = /[\w./:@`-]/.test(last) && inner !== '' ? ` ${inner}` : inner
    const { target } = link
    // What leads to a place in the text, or to a file beside it, leads nowhere in a chat.
    if (!/^[a-z][a-z0-9+.-]*:|^www\.|@|\/\//i.test(target) && findAddresses(target).length === 0) return words
    const key = toKey(target)
    if (!isKnown(key)) {
      if (words === '' || toKey(link.text.trim()) === key) return shownAsText(target, contextOf(last, next))
      return `${words} (${shownAsText(target, contextOf('', ''))})`
    }
    if (words === '') return `<${target}>`
    // A text that names another address than it leads to stands beside where it leads.
    const isHonest = [...addressesIn(link.text)].every((named) => named === key)
    return isHonest && !isImage ? `[${words}](${target})` : `${words} (<${target}>)`
  }

  function takeAngle(): string | undefined {
    const link = /^<((?:[a-z][a-z0-9+.-]*:|[^\s<>|@`]+@)[^\s<>|`]*)(?:\|([^<>\n]*))?>/i.exec(pending)
    if (link === null) {
      const isUndecided = /^<[^\s<>|]*(?:\|[^<>\n]*)?$/.test(pending) && pending.length < LONGEST
      return isUndecided && !final ? undefined : take(1)
    }
    const [{ length }, address = '', named = ''] = link
    if (mustSeeBehind(length)) return undefined
    if (isKnown(toKey(address)) && named === '') return take(length)
    const words = settleInner(named).trim()
    const shown = shownAsText(address, contextOf(words === '' ? last : '', pending[length] ?? ''))
    return take(length, words === '' ? shown : `${words} (${shown})`)
  }

  function takeWord(): string | undefined {
    const there = begun + pending
    const plain = WORD.exec(there)?.[0] ?? ''
    const mayGoOn = findAddresses(plain).length > 0 || /:\/\/$|www\.$/i.test(plain)
    const word = mayGoOn ? (ADDRESS_WORD.exec(there)?.[0] ?? plain) : plain
    const length = word.length - begun.length
    if (length <= 0) return take(ONE.exec(pending)?.[0].length ?? 1)
    if (length === pending.length && !final && word.length < LONGEST) {
      // Letters alone lead nowhere yet; if they turn out to begin an address, what follows is cut off from them.
      if (!LETTERS.test(word) || SCHEME_BEGUN.test(word)) return undefined
      const shown = take(length)
      begun = word
      return shown
    }
    const asItIs = fence !== undefined && closed
    return take(length, asItIs ? undefined : showWord(word, begun.length, pending[length] ?? ''))
  }

  /** @param from what is before it was shown already. */
  function showWord(word: string, from: number, following: string): string {
    let shown = ''
    let done = from
    for (const { start, end, address } of findAddresses(word)) {
      if (end <= from) continue
      const isFine = isKnown(toKey(address))
      const between = word.slice(done, Math.max(start, from))
      const rest = word.slice(Math.max(start, from), end)
      shown += isFine ? between : between.replace(/\]\($/, '] (')
      shown += isFine ? rest : shownAsText(rest, contextOf(shown.at(-1) ?? last, word[end] ?? following))
      done = end
    }
    if (done === from && hides(word)) return shownAsText(word.slice(from), contextOf(last, following))
    return shown + word.slice(done)
  }

  /** Services read what escapes and entities stand for. */
  function hides(word: string): boolean {
    if (!/[\\&]/.test(word)) return false
    const read = word.replace(ESCAPE, '$1').replace(ENTITY, ':')
    return findAddresses(read).some(({ address }) => !isKnown(toKey(address)))
  }

  function takeNext(): string | undefined {
    if (pending === '') return undefined
    const first = pending.charAt(0)
    if (first === '\n') return take(1)
    if (line === '') {
      const shown = takeFence()
      if (shown !== '') return shown
    }
    if (first === '`') return takeBackticks()
    if (fence !== undefined) return takeWord()
    if (first === '!' && pending.length === 1 && !final) return undefined
    if (first === '[' || pending.startsWith('![')) return takeBracket()
    return first === '<' ? takeAngle() : takeWord()
  }

  function drain(): string {
    const shown: string[] = []
    for (let piece = takeNext(); piece !== undefined; piece = takeNext()) shown.push(piece)
    return shown.join('')
  }

  return {
    push(text) {
      pending += text
      return drain()
    },
    end() {
      final = true
      return drain()
    },
    isLoose: () => loose || fence !== undefined,
  }
}

function closesFence(content: string, marker: string): boolean {
  const inner = content.replace(/^[ \t>]*/, '').trimEnd()
  return inner.length >= marker.length && inner === marker.charAt(0).repeat(inner.length)
}

/**
 * Whether what stands below an opening fence is code for every service, up to its end: fences of tildes are not, three
 * backticks anywhere end one, and one in a list or a quotation ends where that ends.
 */
function closesBelow(below: string, opening: string): boolean {
  const [, indent] = /^([ \t]*)```(?!`)/.exec(opening) ?? []
  if (indent === undefined) return false
  const end = below.indexOf('```')
  const [last = ''] = /^[^\n]*/.exec(below.slice(end)) ?? []
  const lines = below.slice(0, Math.max(end, 0)).split('\n').slice(1)
  const isInside = lines.every((line) => line.startsWith(indent) || line.trim() === '')
  return end !== -1 && isInside && last.trim() === '```' && lines.at(-1)?.trim() === ''
}

/** The whole of a text, as the filter lets it through. */
export function settleLinks(text: string, isKnown: IsKnown): string {
  const filter = createLinkFilter(isKnown, true)
  return filter.push(text) + filter.end()
}
