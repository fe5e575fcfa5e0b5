/** URLs, domains and mail addresses that a chat service may turn into links. */

const END = String.raw`\s<>\x60|"“”„«»。、，；！？（）「」『』【】`
const SCHEME = String.raw`(?:[a-z][a-z0-9+.-]{0,30})?:\/\/[^${END}]*`
const NO_SCHEME = String.raw`\/\/[\p{L}\p{N}-]{1,63}\.[^${END}]*`
const OTHER_SCHEME = String.raw`(?<![a-z0-9])(?:mailto|tel|sms|javascript|vbscript|data|file|magnet|slack|discord|steam|skype|facetime|bitcoin):[^${END}]+`
const WWW = String.raw`(?<![a-z0-9])www\.[^${END}]*`
/** A label of a mail address's host. Readers of markdown take symbols, too, such as `¢`. */
const MAIL_LABEL = String.raw`(?:(?![${END}])[\p{L}\p{N}\p{M}\p{S}-]){1,63}`
const MAIL_HOST = String.raw`@${MAIL_LABEL}(?:\.${MAIL_LABEL})+`
/** Readers of markdown read even one sign before `@` as a mailbox: `=@example.org`. */
const MAIL = String.raw`(?:[\p{L}\p{N}._%+-]{1,64}|(?<=[!#$&'*/=?^{}~:;,]))${MAIL_HOST}[^${END},;)]*`
const LABELS = String.raw`(?:(?<![\p{L}\p{N}-])[\p{L}\p{N}][\p{L}\p{N}-]{0,62}\.)(?:[\p{L}\p{N}-]{1,63}\.){0,6}`
const DOMAIN_WITH_PATH = String.raw`${LABELS}\p{L}{2,24}(?::\d{1,5})?\/[^${END}]*`
/** Top-level domains that are no file extensions: `handbook.md` and `ask.ts` are mostly names of files. */
const DOMAIN = String.raw`${LABELS}(?:com|net|org|info|biz|edu|gov|xyz|dev|app|top|site|online|shop|club|link|live|click|eu|uk|de|fr|es|nl|ch|ru|cn|jp|kr|br|us|io)(?![\p{L}\p{N}-]|\.\p{L})(?::\d{1,5})?`

const ADDRESS = new RegExp(
  [SCHEME, NO_SCHEME, OTHER_SCHEME, MAIL, WWW, DOMAIN_WITH_PATH, DOMAIN].map((form) => `(?:${form})`).join('|'),
  'giu',
)

/** A cheap test: every match of `ADDRESS` contains one of these. */
const HINT = /\/\/|@|[a-z]:[^\s]|\.[\p{L}\p{N}-]|www\./iu
/** A run of characters that may hold an address; no address goes beyond it. */
const SEGMENT = new RegExp(`[^${END}]+`, 'gu')

/** A longer address counts as unknown, so it is never shown as a link. */
const MAX_ADDRESS_CHARS = 1000
/** Longer segments of files are not searched for addresses. */
const MAX_SEGMENT_CHARS = 4000

const TAIL = new Set(".,;:!?'’*_~])}…")

/** Removes punctuation after an address; a bracket that closes one inside the address belongs to it. */
function withoutTail(address: string): string {
  let end = address.length
  if (!TAIL.has(address[end - 1] ?? '')) return address
  const count = { '(': 0, ')': 0, '[': 0, ']': 0 }
  for (const character of address) if (character in count) count[character as keyof typeof count] += 1
  for (; TAIL.has(address[end - 1] ?? ''); end -= 1) {
    const last = address[end - 1]
    if (last === ')') {
      if (count['('] >= count[')']) break
      count[')'] -= 1
    } else if (last === ']') {
      if (count['['] >= count[']']) break
      count[']'] -= 1
    }
  }
  return address.slice(0, end)
}

export interface FoundAddress {
  readonly start: number
  readonly end: number
  readonly address: string
}

const BEGINS_WITH_HOST = new RegExp(`^${MAIL_HOST}`, 'u')

/** Whether a word becomes a mail address when a sign comes before it. */
export const lacksMailbox = (word: string): boolean => BEGINS_WITH_HOST.test(word)

export function findAddresses(text: string): readonly FoundAddress[] {
  if (!HINT.test(text)) return []
  return Array.from(text.matchAll(ADDRESS), ({ 0: found, index }) => {
    // A trailing dot may belong to a longer address.
    const bare = withoutTail(found)
    const address = /www$/i.test(bare) ? found.slice(0, bare.length + 1) : bare
    return { start: index, end: index + address.length, address }
  }).filter(({ start, end }) => start < end)
}

/** Normal form of an address: case of scheme and host, markdown escapes, slash at the end. */
export function toKey(address: string): string {
  const bare = address
    .replace(/\\([!-/:-@[-`{-~])/g, '$1')
    .replaceAll('&amp;', '&')
    .replace(/^mailto:/i, '')
  const host = /^(?:[a-z][a-z0-9+.-]*:\/\/)?[^/?#]*/i.exec(bare)?.[0] ?? ''
  return (host.toLowerCase() + bare.slice(host.length)).replace(/\/$/, '')
}

/** Keys of the addresses in a text that are short enough to be shown as links. */
export function addressesIn(text: string): ReadonlySet<string> {
  const keys = new Set<string>()
  for (const [segment] of text.matchAll(SEGMENT)) {
    if (segment.length > MAX_SEGMENT_CHARS) continue
    for (const { address } of findAddresses(segment)) {
      if (address.length <= MAX_ADDRESS_CHARS) keys.add(toKey(address))
    }
  }
  return keys
}

/** `code`: a code span is safe here. `plain`: an unpaired backtick or open code is near; break the address. */
export type LinkContext = 'code' | 'plain'

/** `https(://)example(.)org`: no service makes a link of it, and people can still read it. */
export const breakAddresses = (text: string): string => text.replace(/:?\/\/|[:@]/g, '($&)').replaceAll('.', '(.)')

/** Shows an address as text, not as a link. */
export function shownAsText(address: string, context: LinkContext): string {
  // A bar would end the cell of a table.
  const oneLine = address.replace(/\s+/g, ' ').replaceAll('|', '%7C')
  return context === 'code' && !/[`\\]/.test(oneLine) ? `\`${oneLine}\`` : breakAddresses(oneLine)
}
