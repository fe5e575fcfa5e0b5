/**
 * Reads one construct at the beginning of a growing text: called again with each longer text, it continues where it
 * stopped, so that no character is read twice.
 *
 * @param complete the text has ended.
 * @returns undefined: more text is needed.
 */
export type Reader<Found> = (text: string, complete: boolean) => Found | undefined

/** Receives the number of characters read, for tests of the cost. */
export type OnRead = (characters: number) => void

/** Longer incomplete lines and words are not held back. */
export const MAX_HELD_CHARS = 4000

/** State within the quote and list marks of a line: a definition or fence can begin only after them. */
export type LinePrefix = 'markers' | 'needs-blank' | 'none' | number

/** The prefix after one more character; a number counts the digits of a list number. */
export function nextPrefix(prefix: LinePrefix, character: string): LinePrefix {
  const isBlank = character === ' ' || character === '\t'
  if (prefix === 'none') return 'none'
  if (prefix === 'needs-blank') return isBlank ? 'markers' : 'none'
  const isDigit = character >= '0' && character <= '9'
  if (prefix !== 'markers') {
    if (character === '.' || character === ')') return 'needs-blank'
    return isDigit && prefix < 9 ? prefix + 1 : 'none'
  }
  if (isBlank || character === '>') return 'markers'
  if (character === '-' || character === '*' || character === '+') return 'needs-blank'
  return isDigit ? 1 : 'none'
}

/** A line that opens a fence: its marker, where it ends, and the length of the line. */
export interface OpenedFence {
  readonly marker: string
  readonly end: number
  readonly length: number
}

/** Reads the beginning of a line. `none`: it opens no fence. `long`: it may, but services differ. */
export function createFenceReader(look: OnRead): Reader<OpenedFence | 'none' | 'long'> {
  let at = 0
  let prefix: LinePrefix = 'markers'
  let start: number | undefined
  let end: number | undefined

  function readMarker(text: string, complete: boolean): 'none' | undefined {
    for (; start === undefined && at < text.length; at += 1) {
      const character = text.charAt(at)
      if (prefix === 'markers' && (character === '`' || character === '~')) start = at
      else prefix = nextPrefix(prefix, character)
      if (prefix === 'none') return 'none'
    }
    if (start === undefined) return complete ? 'none' : undefined
    while (end === undefined && at < text.length && text[at] === text[start]) at += 1
    if (at < text.length || complete) end ??= at
    if (end === undefined) return at - start > 80 ? 'none' : undefined
    return end - start < 3 || end - start > 80 ? 'none' : undefined
  }

  return (text, complete) => {
    const from = at
    const refused = readMarker(text, complete)
    if (refused === undefined && start !== undefined && end !== undefined) {
      const isBackticks = text[start] === '`'
      while (at < text.length && text[at] !== '\n' && !(isBackticks && text[at] === '`')) at += 1
    }
    look(at - from)
    if (refused !== undefined) return refused
    if (end !== undefined && at - end > MAX_HELD_CHARS) return 'long'
    if (start === undefined || end === undefined || (at === text.length && !complete)) return undefined
    return text[at] === '`' ? 'none' : { marker: text.slice(start, end), end, length: at }
  }
}

/** Reads a line inside an open fence: its length if it ends the fence, else `none`. */
export function createFenceEndReader(marker: string, look: OnRead): Reader<number | 'none'> {
  let at = 0
  let count = 0
  let part: 'indent' | 'marker' | 'rest' = 'indent'
  return (text, complete) => {
    const from = at
    for (; at < text.length; at += 1) {
      const character = text.charAt(at)
      if (character === '\n') break
      if (part === 'indent' && !/[ \t>]/.test(character)) part = 'marker'
      if (part === 'marker' && character === marker[0]) count += 1
      else if (part === 'marker') part = 'rest'
      if (part === 'rest' && (count < marker.length || character.trim() !== '')) break
    }
    look(at - from)
    const isWhole = at < text.length ? text[at] === '\n' : complete
    if (!isWhole) return at < text.length ? 'none' : undefined
    return count >= marker.length ? at : 'none'
  }
}

/**
 * Whether every service shows all text below this fence as code, up to its end. Not so for tildes, for three backticks
 * in a line, and for a fence in a list or quotation that ends.
 */
export function closesBelow(below: string, opening: string): boolean {
  const [, indent] = /^([ \t]*)```(?!`)/.exec(opening) ?? []
  if (indent === undefined) return false
  const end = below.indexOf('```')
  if (end === -1) return false
  const lineEnd = below.indexOf('\n', end)
  const last = below.slice(end, lineEnd === -1 ? undefined : lineEnd)
  const lines = below.slice(0, end).split('\n').slice(1)
  const isInside = lines.every((line) => line.startsWith(indent) || line.trim() === '')
  return isInside && last.trim() === '```' && lines.at(-1)?.trim() === ''
}
