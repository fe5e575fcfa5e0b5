/** Marks that text can carry, and their signs in markdown. */
const signs = { strong: '**', em: '*', del: '~~', code: '`', sup: '', sub: '' } as const

export type Mark = keyof typeof signs

interface Frame {
  readonly mark: Mark | 'link' | undefined
  readonly href: string
  text: string
}

/** The text of one paragraph, heading or cell while it comes in. */
export interface Inline {
  /** Text as it is read; signs of markdown in it are escaped. */
  text(text: string): void
  /** Text that is markdown already. */
  markdown(text: string): void
  lineBreak(): void
  open(mark: Mark): void
  close(mark: Mark): void
  openLink(href: string): void
  closeLink(): void
  isEmpty(): boolean
  /** All of it; marks that are open are closed, and go on in what follows. Lines are parted by \n. */
  take(): string
}

/** Stands for a line break until the white space is folded; cannot come in from outside. */
const breakMark = '\u0001'
const maxFrames = 16

const controls = /(?![\t\n\r])\p{Cc}|[\ufeff\ufffe\uffff]/gu
const space = /[ \t\n\r\u00a0]+/g
/** Chinese and Japanese have no spaces: where a line ends between two of their characters, nothing stands. */
const wrapped =
  /(?<=[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\u3000-\u303f\uff00-\uffef])[ \t]*\n[ \t]*(?=[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\u3000-\u303f\uff00-\uffef])/gu

const escapeText = (text: string) =>
  text.replace(/\\(?=[!-/:-@[-`{-~])|`|\*(?!\s)|(?<=\S)\*|<(?=[a-z!?/])|\](?=\()/gi, String.raw`\$&`)

const raised = '⁰¹²³⁴⁵⁶⁷⁸⁹'
const lowered = '₀₁₂₃₄₅₆₇₈₉'

function shiftDigits(text: string, digits: string, sign: string): string {
  if (/^\d+$/.test(text)) return text.replace(/\d/g, (digit) => digits[Number(digit)] ?? digit)
  return `${sign}${text}`
}

function wrap({ mark, href, text }: Frame): string {
  const inner = text.trim()
  if (inner === '' || inner === breakMark) return text
  const before = text.slice(0, text.length - text.trimStart().length)
  const after = text.slice(text.trimEnd().length)
  return `${before}${wrapTrimmed(mark, href, inner)}${after}`
}

function wrapTrimmed(mark: Frame['mark'], href: string, inner: string): string {
  if (mark === undefined) return inner
  if ((mark === 'sup' || mark === 'sub') && inner.startsWith('[^')) return inner
  if (mark === 'sup') return shiftDigits(inner, raised, '^')
  if (mark === 'sub') return shiftDigits(inner, lowered, '_')
  if (mark === 'code') {
    const fence = inner.includes('`') ? '``' : '`'
    return fence === '`' ? `\`${inner}\`` : `\`\` ${inner} \`\``
  }
  if (mark !== 'link') return `${signs[mark]}${inner}${signs[mark]}`
  // Only what leads somewhere by itself; nothing that runs when it is opened.
  return /^(?:https?:|mailto:)[^\s<>]+$/i.test(href) && inner !== href
    ? `[${inner}](${href.replaceAll('(', '%28').replaceAll(')', '%29')})`
    : inner
}

const toLine = (text: string) => text.replace(wrapped, '').replace(space, ' ')

export function createInline(): Inline {
  let frames: Frame[] = [{ mark: undefined, href: '', text: '' }]
  const depth = new Map<string, number>()
  /** Text that came since the last mark; escaped as a whole, since it may come letter by letter. */
  let raw = ''
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
    if (count === 1 && frames.length < maxFrames) frames.push({ mark, href, text: '' })
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
      raw += text.replace(controls, '')
    },
    markdown(text) {
      settle()
      top().text += text
    },
    lineBreak() {
      settle()
      top().text += breakMark
    },
    open: (mark) => push(mark, ''),
    close: pop,
    openLink: (href) => push('link', href),
    closeLink: () => pop('link'),
    isEmpty: () => raw.trim() === '' && frames.every(({ text }) => text.trim() === ''),
    take() {
      settle()
      const again = frames.slice(1).map(({ mark, href }) => ({ mark, href, text: '' }))
      while (frames.length > 1) fold()
      const lines = toLine(top().text).split(breakMark)
      frames = [{ mark: undefined, href: '', text: '' }, ...again]
      return lines
        .map((line) => line.trim())
        .join('\n')
        .trim()
    },
  }
}
