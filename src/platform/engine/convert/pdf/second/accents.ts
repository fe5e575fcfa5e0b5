/** Accents that fonts draw as signs of their own, and what makes one letter of them and the next. */
const COMBINING: Readonly<Record<string, string>> = {
  '`': '\u0300',
  '\u00b4': '\u0301',
  '\u02c6': '\u0302',
  '\u02dc': '\u0303',
  '\u00af': '\u0304',
  '\u02d8': '\u0306',
  '\u02d9': '\u0307',
  '\u00a8': '\u0308',
  '\u02da': '\u030a',
  '\u02dd': '\u030b',
  '\u02c7': '\u030c',
  '\u00b8': '\u0327',
}
/** Stands for an accent that is to go. */
const MARK = '\0'
const ACCENT = /[\u00a8\u00b4\u02c6\u02dc\u00af\u02d8\u02d9\u02da\u02dd\u02c7\u00b8]/u

/** A text of a page as the second reader gives it: in the order of drawing. */
export interface DrawnText {
  readonly text: string
  readonly left: number
  readonly right: number
  readonly size: number
  readonly endsLine: boolean
}

/** Whether a page may have accents apart from their letters. */
export const mayHaveAccents = (markdown: string): boolean => ACCENT.test(markdown)

/** The letter with its accent, where there is one such letter. */
function accented(accent: string, letter: string): string | undefined {
  const base = { '\u0131': 'i', '\u0237': 'j' }[letter] ?? letter
  const whole = `${base}${COMBINING[accent] ?? ''}`.normalize('NFC')
  return Array.from(whole).length === 1 && whole !== base ? whole : undefined
}

interface Accented {
  /** Place among the letters of the page. */
  readonly at: number
  readonly letter: string
  readonly accent: string
  /** Letters of its word before it, and with it those up to the next accent. */
  readonly word: readonly [string, string]
}

const lettersOf = (text: string) =>
  Array.from(text).filter((sign) => /[\p{L}\p{N}]/u.test(sign) && !(sign in COMBINING))

/** Letters of a page without accents, and those that an accent was drawn over: the next text begins further left. */
function findAccented(texts: readonly DrawnText[]): { readonly letters: string; readonly found: readonly Accented[] } {
  const letters: string[] = []
  const found: Accented[] = []
  for (const [index, { text, left, size }] of texts.entries()) {
    const [earlier, before] = [texts[index - 2], texts[index - 1]]
    const accent = before?.endsLine === false ? before.text.slice(-1) : ''
    const letter = accent in COMBINING ? accented(accent, text.slice(0, 1)) : undefined
    if (before !== undefined && letter !== undefined && left < before.right - size * 0.1) {
      const isAlone = before.text.length === 1
      const start = isAlone ? (earlier?.endsLine === false ? earlier.text : '') : before.text.slice(0, -1)
      const [head = ''] = /\p{L}*$/u.exec(start.slice(-MAX_WORD)) ?? []
      const [tail = ''] = /^\p{L}*/u.exec(text.slice(0, MAX_WORD)) ?? []
      found.push({ at: letters.length, letter, accent, word: [head, tail] })
    }
    letters.push(...lettersOf(text))
  }
  return { letters: letters.join(''), found }
}

/** Letters on both sides by which a place is found again. */
const CONTEXT = 8
/** Each miss reads the page to its end. */
const MAX_MISSES = 200
const MAX_WORD = 40
/** Places of the same letters that are passed over. */
const MAX_TAKEN = 20

/** Markdown of a page with accents put over their letters, where a font draws both apart, as TeX does. */
export function withAccents(markdown: string, texts: readonly DrawnText[]): string {
  const { letters, found } = findAccented(texts)
  if (found.length === 0) return markdown
  const signs = Array.from(markdown)
  const places = signs.flatMap((sign, index) => (/[\p{L}\p{N}]/u.test(sign) && !(sign in COMBINING) ? [index] : []))
  const shown = places.map((place) => signs[place] ?? '').join('')
  if (shown.length !== places.length || letters.length > 1_000_000) return markdown
  const find = createFinder(shown)
  let put = 0
  for (const { at, letter, accent, word } of found) {
    const ahead = letters.slice(Math.max(0, at - CONTEXT), at)
    const behind = letters.slice(at, at + CONTEXT)
    const index = find([[ahead, behind], [ahead, behind.slice(0, 1)], ['', behind], word])
    if (index === -1) continue
    put += 1
    const [place = 0, previous = 0] = [places[index], places[index - 1]]
    signs[place] = letter
    // This one is a mark of code, too.
    if (accent === '`' && signs[place - 1] === accent) signs[place - 1] = ''
    // The gap that the accent had left is within the word.
    if (
      word[0] !== '' &&
      index > 0 &&
      signs.slice(previous + 1, place).every((sign) => sign === ' ' || sign in COMBINING)
    )
      signs.fill('', previous + 1, place)
  }
  return put < found.length / 2 ? markdown : withoutAccents(signs, new Set(found.map(({ accent }) => accent)))
}

/** Without the accents that are on their letters now, and the gaps around them. */
function withoutAccents(signs: readonly string[], drawn: ReadonlySet<string>): string {
  const isDrawn = (sign: string) => sign !== '`' && drawn.has(sign)
  return signs
    .map((sign) => (isDrawn(sign) ? MARK : sign))
    .join('')
    .replace(/(?<=\p{Ll})-\0+ ?(?=\p{Ll})/gu, '')
    .replace(/(?<=\S) \0+(?= |$)/gm, '')
    .replaceAll(MARK, '')
}

/** Finds letters by those around them, the longest first, where none was put yet; -1 where they are not found. */
function createFinder(letters: string) {
  const taken = new Set<number>()
  let misses = 0
  let from = 0
  const indexOf = (text: string, start: number): number => {
    const at = misses > MAX_MISSES ? -1 : letters.indexOf(text, Math.max(0, start))
    if (at === -1) misses += 1
    return at
  }
  return (around: readonly (readonly [string, string])[]): number => {
    for (const [ahead, behind] of around) {
      const text = ahead + behind
      if (text.length < 3) continue
      const skip = ahead.length
      let at = indexOf(text, from - skip)
      if (at === -1) at = indexOf(text, 0)
      for (let tries = 0; at !== -1 && taken.has(at + skip) && tries < MAX_TAKEN; tries += 1) at = indexOf(text, at + 1)
      if (at === -1 || taken.has(at + skip)) continue
      from = at + skip
      taken.add(from)
      return from
    }
    return -1
  }
}
