import {
  closesBelow,
  createFenceEndReader,
  createFenceReader,
  nextPrefix,
  type LinePrefix,
  type OnRead,
} from './line-syntax.ts'
import {
  createAngleReader,
  createBacktickReader,
  createBracketReader,
  createPlainReader,
  createWordReader,
} from './link-syntax.ts'
import { createLinkPresenter, type IsKnown, type ShownText } from './shown-link.ts'

export type { IsKnown } from './shown-link.ts'

export interface LinkFilter {
  /** Takes more of a text; returns the text that is safe to show now. */
  push(text: string): string
  /** Ends the text; returns the rest. */
  end(): string
}

/**
 * Keeps links to known addresses and turns all others into text that no service links: a code span, or a broken address
 * where code is not safe (an unpaired backtick or an open fence before it). Images become their words. A link is a text
 * that any service takes for one: markdown links and definitions, `<…>`, bare URLs, `www.`, mail addresses, domains.
 *
 * Code stays as it is. In a fence, addresses are broken until `whole` confirms its end, since some services show an
 * open fence as text. In words of more than 4,000 characters every address is broken.
 *
 * @param whole the text is complete, so the end of a fence can be checked.
 * @param look receives the number of characters read: a small multiple of the text, however it is cut.
 */
export function createLinkFilter(isKnown: IsKnown, whole = false, look: OnRead = () => {}): LinkFilter {
  return createFilter(isKnown, { whole, loose: false, look })
}

interface FilterOptions {
  readonly whole: boolean
  readonly loose: boolean
  readonly look: OnRead
}

type InnerFilter = LinkFilter & { isLoose(): boolean }

/** The text that is not shown yet, and its surroundings. */
interface Held extends ShownText {
  pending: string
  /** Nothing follows `pending`. */
  final: boolean
  /** List and quote marks at the beginning of the current line. */
  prefix: LinePrefix
  /** Takes characters from the beginning of `pending`, unchanged or as `safe`. */
  take(length: number, safe?: string): string
}

/** A part of the filter. Returns the text to show, undefined if it needs more text, `''` if it does not apply. */
type Part = () => string | undefined

function createHeld(loose: boolean, onTaken: (length: number) => void): Held {
  const held: Held = {
    pending: '',
    final: false,
    last: '',
    prefix: 'markers',
    fence: undefined,
    loose,
    take(length, safe) {
      const raw = held.pending.slice(0, length)
      held.pending = held.pending.slice(length)
      const newline = raw.lastIndexOf('\n')
      if (newline !== -1) held.prefix = 'markers'
      for (let at = newline + 1; at < raw.length && held.prefix !== 'none'; at += 1)
        held.prefix = nextPrefix(held.prefix, raw.charAt(at))
      const shown = safe ?? raw
      held.last = shown.at(-1) ?? held.last
      onTaken(length)
      return shown
    },
  }
  return held
}

type Presenter = ReturnType<typeof createLinkPresenter>

/** Takes a line that opens or closes a fence as a whole. */
function createFencePart(held: Held, present: Presenter, { whole, look }: FilterOptions): Part {
  let opening: ReturnType<typeof createFenceReader> | undefined
  let ending: ReturnType<typeof createFenceEndReader> | undefined
  function takeOpening(): string | undefined {
    opening ??= createFenceReader(look)
    const found = opening(held.pending, held.final)
    if (found === undefined) return undefined
    opening = undefined
    if (found === 'long') held.loose = true
    if (found === 'long' || found === 'none') return ''
    const { marker, end, length } = found
    const content = held.pending.slice(0, length)
    const isClosed = whole && !held.loose && closesBelow(held.pending.slice(length), content)
    held.fence = { marker, isClosed }
    return held.take(length, content.slice(0, end) + present.word(content.slice(end), 0, ''))
  }
  return () => {
    if (held.fence === undefined) return takeOpening()
    ending ??= createFenceEndReader(held.fence.marker, look)
    const found = ending(held.pending, held.final)
    if (found === undefined) return undefined
    ending = undefined
    if (found === 'none') return ''
    // Only a fence of three backticks is one for every service.
    if (/`{4}/.test(held.fence.marker + held.pending.slice(0, found))) held.loose = true
    held.fence = undefined
    return held.take(found)
  }
}

/** Takes backticks, and the code span that they begin. */
function createBacktickPart(held: Held, look: OnRead) {
  let read: ReturnType<typeof createBacktickReader> | undefined
  return () => {
    const isDoubtful = held.loose || held.fence !== undefined || held.last === '\\'
    read ??= createBacktickReader(isDoubtful, look)
    const found = read(held.pending, held.final)
    if (found === undefined) return undefined
    read = undefined
    if (found.run > 1 || isDoubtful) {
      held.loose = true
      return held.take(found.run)
    }
    held.loose ||= found.span === undefined
    return held.take(found.span ?? 1)
  }
}

const SHOWN_MARK = /^\[\d{1,6}\]/

/** Takes `[text](target)`, `![text](target)` and `[label]:`. */
function createBracketPart(held: Held, present: Presenter, inner: (text: string) => string, look: OnRead) {
  let read: ReturnType<typeof createBracketReader> | undefined
  return () => {
    read ??= createBracketReader(look)
    const found = read(held.pending, held.final)
    // A backtick that follows the link would undo the code span.
    const mustSeeNext = found?.kind === 'link' && found.length === held.pending.length && !held.final
    if (found === undefined || mustSeeNext) return undefined
    read = undefined
    if (found.kind === 'link') {
      const isImage = held.pending.startsWith('!')
      return held.take(found.length, present.link(found, isImage, held.pending[found.length] ?? ''))
    }
    // A definition would link every mark of that name; a space before the colon disables it.
    if (found.kind === 'definition' && held.prefix === 'markers')
      return held.take(found.length, `[${inner(found.label)}] :`)
    // A mark of a reference is shown whole, not its bracket first.
    return held.take(SHOWN_MARK.exec(held.pending)?.[0].length ?? 1)
  }
}

/** Takes `<address>` and `<address|words>`. */
function createAnglePart(held: Held, present: Presenter, look: OnRead) {
  let read: ReturnType<typeof createAngleReader> | undefined
  return () => {
    read ??= createAngleReader(look)
    const found = read(held.pending, held.final)
    const mustSeeNext = typeof found === 'object' && found.length === held.pending.length && !held.final
    if (found === undefined || mustSeeNext) return undefined
    read = undefined
    if (found === 'none') return held.take(1)
    return held.take(found.length, present.angle(found, held.pending[found.length] ?? ''))
  }
}

const ONE = /^[\s\S]/u

/** Takes words and the single characters between them. */
function createWordPart(held: Held, present: Presenter, look: OnRead) {
  const reader = createWordReader(look)
  const plain = createPlainReader(look)
  /** The current word was too long to be held back. */
  let isCut = false
  /** Most of an answer: many words at once. */
  const takePlain = () => {
    if (isCut || held.fence !== undefined || !reader.isFresh()) return ''
    const length = plain.read(held.pending)
    return length === 0 ? '' : held.take(length)
  }
  const take = () => {
    const word = reader.read(held.pending, held.final)
    if (word === undefined) return undefined
    if (word.state === 'begun') {
      const shown = held.take(word.length)
      reader.goOn(word)
      return shown
    }
    const { text, length, state } = word
    const wasCut = isCut
    isCut = state === 'cut'
    if (length === 0 && text === '') return held.take(ONE.exec(held.pending)?.[0].length ?? 1)
    const raw = held.pending.slice(0, length)
    if (held.fence?.isClosed === true) return held.take(length)
    if (isCut || wasCut) return held.take(length, present.cutWord(raw))
    return held.take(length, present.word(text, text.length - length, held.pending[length] ?? ''))
  }
  const onTaken = (length: number) => {
    plain.taken(length)
    reader.next()
  }
  return { take, takePlain, onTaken }
}

function createFilter(isKnown: IsKnown, options: FilterOptions): InnerFilter {
  const { look } = options
  const held = createHeld(options.loose, (length) => words.onTaken(length))
  /** The words of a link; records an unpaired backtick in them. */
  function inner(text: string): string {
    if (text.includes('``')) held.loose = true
    const isBlurred = /[`\\]/.test(held.last)
    const filter = createFilter(isKnown, { whole: true, loose: held.loose || isBlurred, look })
    const shown = filter.push(text) + filter.end()
    held.loose ||= filter.isLoose() && !isBlurred
    return shown
  }
  const present = createLinkPresenter(isKnown, held, inner)
  const takeFence = createFencePart(held, present, options)
  const takeBackticks = createBacktickPart(held, look)
  const takeBracket = createBracketPart(held, present, inner, look)
  const takeAngle = createAnglePart(held, present, look)
  const words = createWordPart(held, present, look)
  let isLineBegin = true

  function takeNext(): string | undefined {
    const { pending, final } = held
    if (pending === '') return undefined
    const first = pending.charAt(0)
    if (first === '\n') {
      isLineBegin = true
      return held.take(1)
    }
    if (isLineBegin) {
      const shown = takeFence()
      if (shown === undefined) return undefined
      isLineBegin = false
      if (shown !== '') return shown
    }
    const plain = words.takePlain()
    if (plain !== '') return plain
    if (first === '`') return takeBackticks()
    if (held.fence !== undefined) return words.take()
    if (first === '!' && pending.length === 1 && !final) return undefined
    if (first === '[' || pending.startsWith('![')) return takeBracket()
    return first === '<' ? takeAngle() : words.take()
  }

  function drain(): string {
    const shown: string[] = []
    for (let piece = takeNext(); piece !== undefined; piece = takeNext()) shown.push(piece)
    return shown.join('')
  }

  return {
    push(text) {
      held.pending += text
      return drain()
    },
    end() {
      held.final = true
      return drain()
    },
    isLoose: () => held.loose || held.fence !== undefined,
  }
}

/** Filters a complete text. */
export function settleLinks(text: string, isKnown: IsKnown): string {
  const filter = createLinkFilter(isKnown, true)
  return filter.push(text) + filter.end()
}
