/** What a chat service may make a link of, wherever it stands in a text. */

const END = String.raw`\s<>\x60|"“”„«»。、，；！？（）「」『』【】`
const SCHEME = String.raw`(?:[a-z][a-z0-9+.-]{0,30})?:\/\/[^${END}]*`
const NO_SCHEME = String.raw`\/\/[\p{L}\p{N}-]{1,63}\.[^${END}]*`
const OTHER_SCHEME = String.raw`(?<![a-z0-9])(?:mailto|tel|sms|javascript|vbscript|data|file|magnet|slack|discord|steam|skype|facetime|bitcoin):[^${END}]+`
const WWW = String.raw`(?<![a-z0-9])www\.[^${END}]*`
const MAIL = String.raw`[\p{L}\p{N}._%+-]{1,64}@[\p{L}\p{N}-]{1,63}(?:\.[\p{L}\p{N}-]{1,63})+[^${END},;)]*`
const LABELS = String.raw`(?:(?<![\p{L}\p{N}-])[\p{L}\p{N}][\p{L}\p{N}-]{0,62}\.)(?:[\p{L}\p{N}-]{1,63}\.){0,6}`
const DOMAIN_WITH_PATH = String.raw`${LABELS}\p{L}{2,24}(?::\d{1,5})?\/[^${END}]*`
/** Endings that are no file's: `handbook.md` and `ask.ts` are names of files more often than of countries. */
const DOMAIN = String.raw`${LABELS}(?:com|net|org|info|biz|edu|gov|xyz|dev|app|top|site|online|shop|club|link|live|click|eu|uk|de|fr|es|nl|ch|ru|cn|jp|kr|br|us|io)(?![\p{L}\p{N}-]|\.\p{L})(?::\d{1,5})?`

const ADDRESS = new RegExp(
  [SCHEME, NO_SCHEME, OTHER_SCHEME, MAIL, WWW, DOMAIN_WITH_PATH, DOMAIN]
    .map((form) => `(?:${form})`)
    .join('|'),
  'giu',
)

const TAIL = /[.,;:!?'’*_~\])}…]+$/

/** Punctuation that follows an address does not belong to it; a bracket that was opened inside does. */
function withoutTail(address: string): string {
  let end = address.length
  for (;;) {
    const tail = TAIL.exec(address.slice(0, end))
    if (tail === null) return address.slice(0, end)
    const last = address[end - 1] ?? ''
    const opening = last === ')' ? '(' : last === ']' ? '[' : undefined
    const kept = address.slice(0, end)
    if (opening !== undefined && kept.split(opening).length >= kept.split(last).length) return kept
    end -= 1
  }
}

export interface FoundAddress {
  readonly start: number
  readonly end: number
  readonly address: string
}

export function findAddresses(text: string): readonly FoundAddress[] {
  return Array.from(text.matchAll(ADDRESS), ({ 0: found, index }) => {
    // A dot alone may still go on.
    const bare = withoutTail(found)
    const address = /www$/i.test(bare) ? found.slice(0, bare.length + 1) : bare
    return { start: index, end: index + address.length, address }
  }).filter(({ start, end }) => start < end)
}

/** One form of what leads to the same place: case of scheme and host, escapes of markdown, a slash at the end. */
export function toKey(address: string): string {
  const bare = address
    .replace(/\\([!-/:-@[-`{-~])/g, '$1')
    .replaceAll('&amp;', '&')
    .replace(/^mailto:/i, '')
  const host = /^(?:[a-z][a-z0-9+.-]*:\/\/)?[^/?#]*/i.exec(bare)?.[0] ?? ''
  return (host.toLowerCase() + bare.slice(host.length)).replace(/\/$/, '')
}

/** Keys of all addresses that stand in a text. */
export function addressesIn(text: string): ReadonlySet<string> {
  return new Set(findAddresses(text).map(({ address }) => toKey(address)))
}
