/**
 * Converts inline markdown in one pass over its marks, in linear time. Paragraphs are ignored, as in Discord: a code
 * span crosses blank lines.
 */

import { takeEmphasis } from './emphasis.ts'
import { createScan, emit, matchAt, runAt, type Scan } from './scan.ts'

const ZERO_WIDTH = '\u200B'
/** With more brackets open at once, the outermost are literal. */
const MAX_OPEN_BRACKETS = 16

const ENTITIES: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
  '#39': "'",
  nbsp: ' ',
}

const MARKS = { discord: /[\\`![\]_*|&<]/g, plain: /[\\`![\]_*~&<]/g }
const PUNCTUATION = /[!-/:-@[-`{-~]/
const ENTITY = /&(amp|lt|gt|quot|apos|#39|nbsp);/y
const LINE_BREAK = /<br\s*\/?>/iy
const AUTOLINK = /<https?:\/\/[^\s<>]*>/iy
/** `(url "title")`; the URL may contain paired brackets. */
const TARGET = /\(<?([^()\s<>]*(?:\([^()\s]*\)[^()\s<>]*)*)>?(?:\s+(?:"[^"]*"|'[^']*'|\([^()]*\)))?\)/y
const REFERENCE = /\[[^[\]]*\]/y

/** Mentions, emoji, commands and times in Discord's own notation. */
const DISCORD_CODE = /<(?=@[!&]?\d|#\d|a?:\w{1,64}:\d|\/[^:<>]{1,120}:\d|t:-?\d|id:)/g
const AT_ALL = /@(?=everyone|here)/gi

function scan(text: string, plain: boolean): Scan {
  const state = createScan(text, plain)
  const marks = plain ? MARKS.plain : MARKS.discord
  while (state.at < text.length) {
    marks.lastIndex = state.at
    const next = marks.exec(text)?.index ?? text.length
    if (next > state.at) emit(state, text.slice(state.at, next))
    if (next < text.length) take(state, text.charAt(next))
  }
  return state
}

/** Markdown for Discord: code spans stay, links show their target, and nobody is mentioned. */
export function renderInline(text: string): string {
  const { pieces, codePieces } = scan(text, false)
  if (codePieces.size === 0) return neutralise(pieces.join(''))
  let out = ''
  let prose = ''
  for (const [index, piece] of pieces.entries()) {
    if (codePieces.has(index)) {
      out += neutralise(prose) + piece
      prose = ''
    } else prose += piece
  }
  return out + neutralise(prose)
}

/** Without any mark, for cells in a code block, where Discord renders none. */
export const plainText = (text: string): string =>
  scan(text, true).pieces.join('').replaceAll('```', `\`\`${ZERO_WIDTH}\``)

/** Escapes file names and quotations in our lines: no markup and no live link. */
export function escapeText(text: string): string {
  const plain = text
    .replaceAll(/[\\*_~`|[\]<>]/g, String.raw`\$&`)
    .replaceAll(/(?<=\b[a-z][a-z\d+.-]{1,20}):(?=\/\/)/gi, `:${ZERO_WIDTH}`)
  return neutralise(plain)
}

/** Keeps text of a model or file from mentioning anybody, and from being read as Discord's codes. */
const neutralise = (text: string): string =>
  text.replaceAll(AT_ALL, `@${ZERO_WIDTH}`).replaceAll(DISCORD_CODE, `<${ZERO_WIDTH}`)

function take(state: Scan, mark: string): void {
  if (mark === '\\') takeEscape(state)
  else if (mark === '`') takeCode(state)
  else if (mark === '[' || mark === '!') openBracket(state)
  else if (mark === ']') closeBracket(state)
  else if (mark === '&') takeEntity(state)
  else if (mark === '<') takeAngle(state)
  else if (mark === '|') takeBars(state)
  else takeEmphasis(state)
}

function takeEscape(state: Scan): void {
  const next = state.text.charAt(state.at + 1)
  if (PUNCTUATION.test(next)) emit(state, `\\${next}`, state.plain ? next : undefined)
  else emit(state, '\\')
}

/** A code span ends at the next run of as many backticks. */
function takeCode(state: Scan): void {
  const { text, at } = state
  const marks = runAt(state)
  state.backticks ??= backticksOf(text)
  const starts = state.backticks.get(marks.length) ?? []
  while ((starts.at(-1) ?? Infinity) <= at) starts.pop()
  const end = starts.at(-1)
  if (end === undefined) return emit(state, marks)
  const span = text.slice(at, end + marks.length)
  state.codePieces.add(state.pieces.length)
  return emit(state, span, state.plain ? span.slice(marks.length, -marks.length).trim() : span)
}

function backticksOf(text: string): Map<number, number[]> {
  const runs = new Map<number, number[]>()
  for (const { 0: marks, index } of text.matchAll(/`+/g)) {
    const starts = runs.get(marks.length)
    if (starts === undefined) runs.set(marks.length, [index])
    else starts.push(index)
  }
  for (const starts of runs.values()) starts.reverse()
  return runs
}

function takeEntity(state: Scan): void {
  const [source = '&', name = ''] = matchAt(ENTITY, state, state.at) ?? []
  emit(state, source, ENTITIES[name])
}

function takeAngle(state: Scan): void {
  const lineBreak = matchAt(LINE_BREAK, state, state.at)
  if (lineBreak === null) emit(state, matchAt(AUTOLINK, state, state.at)?.[0] ?? '<')
  else emit(state, lineBreak[0], '\n')
}

/** `||` hides text in Discord until the next `||`. */
function takeBars(state: Scan): void {
  const run = runAt(state)
  emit(state, run, run.replaceAll('||', String.raw`\|\|`))
}

function openBracket(state: Scan): void {
  const image = state.text[state.at] === '!'
  if (image && state.text[state.at + 1] !== '[') return emit(state, '!')
  if (state.brackets.length === MAX_OPEN_BRACKETS) state.brackets.shift()
  state.brackets.push({ piece: state.pieces.length, image })
  return emit(state, image ? '![' : '[')
}

/**
 * Images become their words, and a link shows its target: a masked link would hide it, and an image or preview would
 * leak data by itself. Angle brackets suppress the preview.
 */
function closeBracket(state: Scan): void {
  const opening = state.brackets.pop()
  const after = state.at + 1
  const target = opening && matchAt(TARGET, state, after)
  const reference = opening?.image && !target ? matchAt(REFERENCE, state, after) : undefined
  const rest = target ?? reference
  if (!opening || !rest) return emit(state, ']')
  const { pieces } = state
  const first = opening.piece + 1
  pieces[opening.piece] = ''
  if (!opening.image && first < pieces.length) {
    pieces[first] = pieces[first]?.trimStart() ?? ''
    pieces.push(pieces.pop()?.trimEnd() ?? '')
  }
  const url = opening.image ? '' : (target?.[1] ?? '')
  return emit(state, `]${rest[0]}`, /^https?:\/\//i.test(url) ? shownTarget(state, opening.piece, url) : '')
}

/** The target after a label; a label equal to the target is dropped. */
function shownTarget({ pieces }: Scan, piece: number, url: string): string {
  const label = pieces.slice(piece).join('').trim()
  if (label !== '' && label.replace(/^</, '').replace(/>$/, '') !== url) return ` (<${url}>)`
  pieces.fill('', piece)
  return `<${url}>`
}
