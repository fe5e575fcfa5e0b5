/** Marks that text can carry, and their signs in markdown. */
const SIGNS = { strong: '**', em: '*', del: '~~', code: '`', sup: '', sub: '' } as const

export type Mark = keyof typeof SIGNS

interface Frame {
  readonly mark: Mark | 'link' | undefined
  readonly href: string
  text: string
}

/** Collects the text of one paragraph, heading or cell. */
export interface Inline {
  /** Adds plain text; signs of markdown in it are escaped. */
  text(text: string): void
  /** Adds text that is markdown already. */
  markdown(text: string): void
  lineBreak(): void
  open(mark: Mark): void
  close(mark: Mark): void
  openLink(href: string): void
  closeLink(): void
  isEmpty(): boolean
  /** Returns and clears the text, as lines; open marks are closed and opened again in the next text. */
  take(): string
}

/** Placeholder of a line break until white space is folded; text from outside never contains it. */
const BREAK_MARK = '\u0001'
const MAX_FRAMES = 16

const CONTROLS = /(?![\t\n\r])\p{Cc}|[\ufeff\ufffe\uffff]/gu
const SPACE = /[ \t\n\r\u00a0]+/g
/** Chinese and Japanese have no spaces: a line end between two of their characters is dropped. */
const UNSPACED = String.raw`[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\u3000-\u303f\uff00-\uffef]`
const WRAPPED = new RegExp(String.raw`(?<=${UNSPACED})[ \t]*\n[ \t]*(?=${UNSPACED})`, 'gu')

/** Escapes signs within a line that markdown would read. */
export const escapeText = (text: string): string =>
  text.replace(/\\(?=[!-/:-@[-`{-~])|`|\*(?!\s)|(?<=\S)\*|<(?=[a-z!?/])|\](?=\()/gi, String.raw`\$&`)

/** Escapes characters that would turn a paragraph into another block. */
export const escapeStart = (text: string): string =>
  text.replace(
    /^(?:#{1,6}(?=\s|$)|[-+*](?=\s|$)|>|~~~|(?:-{3,}|={3,}|_{3,})$)|^(\d{1,9})(?=[.)](?:\s|$))/gm,
    (start, number?: string) => (number === undefined ? `\\${start}` : `${number}\\`),
  )

const RAISED = '⁰¹²³⁴⁵⁶⁷⁸⁹'
const LOWERED = '₀₁₂₃₄₅₆₇₈₉'

function shiftDigits(text: string, digits: string, sign: string): string {
  if (/^\d+$/.test(text)) return text.replace(/\d/g, (digit) => digits[Number(digit)] ?? digit)
  return `${sign}${text}`
}

function wrap({ mark, href, text }: Frame): string {
  const inner = text.trim()
  if (inner === '' || inner === BREAK_MARK) return text
  const before = text.slice(0, text.length - text.trimStart().length)
  const after = text.slice(text.trimEnd().length)
  return `${before}${wrapTrimmed(mark, href, inner)}${after}`
}

function wrapTrimmed(mark: Frame['mark'], href: string, inner: string): string {
  if (mark === undefined) return inner
  if ((mark === 'sup' || mark === 'sub') && inner.startsWith('[^')) return inner
  if (mark === 'sup') return shiftDigits(inner, RAISED, '^')
  if (mark === 'sub') return shiftDigits(inner, LOWERED, '_')
  if (mark === 'code') {
    const fence = inner.includes('`') ? '``' : '`'
    return fence === '`' ? `\`${inner}\`` : `\`\` ${inner} \`\``
  }
  if (mark !== 'link') return `${SIGNS[mark]}${inner}${SIGNS[mark]}`
  // Web and mail addresses only: `javascript:` and the like run code when opened.
  return /^(?:https?:|mailto:)[^\s<>]+$/i.test(href) && inner !== href
    ? `[${inner}](${href.replaceAll('(', '%28').replaceAll(')', '%29')})`
    : inner
}

const toLine = (text: string) => text.replace(WRAPPED, '').replace(SPACE, ' ')

// oxlint-disable-next-line max-lines-per-function -- a factory: it only returns methods
export function createInline(): Inline {
  let frames: Frame[] = [{ mark: undefined, href: '', text: '' }]
  const depth = new Map<string, number>()
  /** Text since the last mark; escaped as a whole, since it may arrive letter by letter. */
  let raw = ''
  /** Kept apart, since computing it would read all texts again each time. */
  let isBlank = true
  const top = () => frames.at(-1) ?? { mark: undefined, href: '', text: '' }
  const isOpen = (mark: string) => (depth.get(mark) ?? 0) > 0
  const settle = () => {
    if (raw !== '') top().text += isOpen('code') ? raw : escapeText(raw)
    raw = ''
  }
  const push = (mark: Mark | 'link', href: string) => {
    settle()
    const count = (depth.get(mark) ?? 0) + 1
    depth.set(mark, count)
    if (count === 1 && frames.length < MAX_FRAMES) frames.push({ mark, href, text: '' })
  }
  const fold = () => {
    const frame = frames.pop()
    if (frame !== undefined) top().text += wrap(frame)
  }
  const pop = (mark: Mark | 'link') => {
    settle()
    const count = depth.get(mark) ?? 0
    if (count === 0) return
    depth.set(mark, count - 1)
    if (count > 1 || !frames.some((frame) => frame.mark === mark)) return
    // Marks that overlap are closed together and opened again.
    const again: Frame[] = []
    while (top().mark !== mark) {
      const { mark: inner, href } = top()
      again.unshift({ mark: inner, href, text: '' })
      fold()
    }
    fold()
    frames.push(...again)
  }

  return {
    text(text) {
      const clean = text.replace(CONTROLS, '')
      isBlank &&= clean.trim() === ''
      raw += clean
    },
    markdown(text) {
      isBlank &&= text.trim() === ''
      settle()
      top().text += text
    },
    lineBreak() {
      isBlank = false
      settle()
      top().text += BREAK_MARK
    },
    open: (mark) => push(mark, ''),
    close: pop,
    openLink: (href) => push('link', href),
    closeLink: () => pop('link'),
    isEmpty: () => isBlank,
    take() {
      isBlank = true
      settle()
      const again = frames.slice(1).map(({ mark, href }) => ({ mark, href, text: '' }))
      while (frames.length > 1) fold()
      const lines = toLine(top().text).split(BREAK_MARK)
      frames = [{ mark: undefined, href: '', text: '' }, ...again]
      return lines
        .map((line) => line.trim())
        .join('\n')
        .trim()
    },
  }
}

/** Names of the two ends of a footnote, as Word, pandoc and others write them. */
const NOTE_TARGET = /^#?(?<kind>fn|footnote|endnote|_ftn|_edn|note)[-_:]?(?<number>\d+)$/i
const NOTE_ORIGIN = /^#(?:fnref|footnote-ref|endnote-ref|_ftnref|_ednref|noteref)[-_:]?\d+$/i

/** Numbers footnotes in order of appearance; the ids in files mean nothing to readers. */
export function createNoteLabels(): (id: string | undefined) => string | undefined {
  const numbers = new Map<string, number>()
  return (id) => {
    const note = NOTE_TARGET.exec(id ?? '')?.groups
    if (note === undefined) return undefined
    const key = `${note['kind']?.toLowerCase()} ${note['number']}`
    const number = numbers.get(key) ?? numbers.size + 1
    numbers.set(key, number)
    return `[^${number}]`
  }
}

/** True for the link that leads back from a footnote. */
export const isNoteOrigin = (href: string): boolean => NOTE_ORIGIN.test(href)
