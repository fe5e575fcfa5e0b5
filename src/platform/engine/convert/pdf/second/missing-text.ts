/** Letters and digits of a text with their places: markup and blanks do not count. */
function lettersIn(text: string): { readonly letters: string; readonly places: readonly number[] } {
  const found = [...text.matchAll(/[\p{L}\p{N}]/gu)].filter(([letter]) => letter.length === 1)
  return { letters: found.map(([letter]) => letter).join(''), places: found.map(({ index }) => index) }
}

/** Letters around a place by which it is found again. */
const CONTEXT = 16
/** Each miss reads the page to its end. */
const MAX_MISSES = 100

/** Finds letters in those of a page, from where the last ones ended; -1 where they are not. */
function createSearch(letters: string) {
  let misses = 0
  return (context: string, from: number): number => {
    const at = context === '' || misses > MAX_MISSES ? -1 : letters.indexOf(context, Math.max(0, from))
    if (at === -1) misses += 1
    return at
  }
}

const isSign = (sign: string | undefined) => sign !== undefined && /[^\s\p{L}\p{N}|]/u.test(sign)

interface Insert {
  readonly at: number
  readonly text: string
}

function insert(text: string, inserts: readonly Insert[]): string {
  const parts: string[] = []
  let from = 0
  for (const { at, text: added } of inserts.toSorted((one, other) => one.at - other.at)) {
    parts.push(text.slice(from, at), added)
    from = at
  }
  return [...parts, text.slice(from)].join('')
}

/** The place after the signs between a word and the text that follows it. */
function afterSigns(markdown: string, place: number, before: string): number {
  const tail = before.slice(-CONTEXT).trimEnd()
  let signs = 0
  while (signs < tail.length && isSign(tail.at(-1 - signs))) signs += 1
  let at = place
  for (; isSign(markdown[at]); at += 1) {
    const isMark = '*_`\\'.includes(markdown[at] ?? '')
    if (!isMark && signs === 0) break
    if (isMark && !/\s$/.test(before)) break
    if (!isMark) signs -= 1
  }
  return at
}

/**
 * Puts letters beyond U+FFFF where the lines of another reader have them, by the letters before or after them; those
 * whose place is not found come at the end.
 */
export function putLettersIn(markdown: string, lines: string): string {
  const parts = lines.split(/((?:[\u{10000}-\u{10ffff}]\s*)+)/u)
  if (parts.length === 1 || /[\u{10000}-\u{10ffff}]/u.test(markdown)) return markdown
  const { letters, places } = lettersIn(markdown)
  const all = lettersIn(lines).letters
  const find = createSearch(letters)
  const inserts: Insert[] = []
  const lost: string[] = []
  let [from, passed] = [0, 0]
  for (let index = 1; index < parts.length; index += 2) {
    const [before = '', run = ''] = parts.slice(index - 1, index + 1)
    passed += lettersIn(before).letters.length
    const text = run.trim()
    const ahead = all.slice(Math.max(0, passed - CONTEXT), passed)
    const known = find(ahead, from - ahead.length)
    const next = known === -1 ? find(all.slice(passed, passed + CONTEXT), from) : -1
    if (known === -1 && next === -1) {
      lost.push(text)
      continue
    }
    from = known === -1 ? next : known + ahead.length
    const at = known === -1 ? (places[next] ?? 0) : afterSigns(markdown, (places[from - 1] ?? 0) + 1, before)
    const isApart = text !== run && !/\s/.test(markdown[at] ?? ' ')
    inserts.push({ at, text: `${known !== -1 && /\s$/.test(before) ? ' ' : ''}${text}${isApart ? ' ' : ''}` })
  }
  return [insert(markdown, inserts), lost.join(' ')].filter((part) => part !== '').join('\n\n')
}

/** Marks invisible texts, where the markdown has them in this order. */
export function markHidden(markdown: string, texts: readonly string[]): string {
  const { letters, places } = lettersIn(markdown)
  const find = createSearch(letters)
  const marks: Insert[] = []
  let from = 0
  for (const text of texts) {
    const hidden = lettersIn(text).letters
    // A letter or two would be found anywhere.
    const at = hidden.length < 3 ? -1 : find(hidden, from)
    if (at === -1) continue
    from = at + hidden.length
    const end = afterSigns(markdown, (places[from - 1] ?? 0) + 1, text)
    const last = marks.at(-1)
    const start = places[at] ?? 0
    // Texts that follow each other are one.
    if (last !== undefined && !/[\p{L}\p{N}]|\n\s*\n/u.test(markdown.slice(last.at, start))) marks.pop()
    else marks.push({ at: start, text: '[hidden: ' })
    marks.push({ at: end, text: ']' })
  }
  return insert(markdown, marks)
}
