import {
  createRtfParagraphs,
  type RtfFormat,
  type RtfParagraph,
  type RtfParagraphs,
  type RtfRun,
} from './rtf-paragraphs.ts'
import { createRtfLists, type RtfLists } from './rtf-lists.ts'
import { symbolFont, toSymbols } from '../markdown/symbol-fonts.ts'
import { type Decode, decodeOfCharset, decodeOfPage } from './rtf-encodings.ts'
import { APART, CHARACTERS, KNOWN_NAMES, readTokens, SKIPPED_NAMES, type Target, TARGETS } from './rtf-tokens.ts'

interface Group extends RtfFormat {
  target: Target
  font: number
  /** Fallback characters after a \u, for old readers. */
  fallback: number
}

interface Parser {
  readonly paragraphs: RtfParagraphs
  readonly lists: RtfLists
  readonly fonts: Map<number, Decode>
  /** Enclosing groups; `outer` are the runs of the paragraph that holds the footnote. */
  readonly stack: { readonly group: Group; readonly outer?: RtfRun[] }[]
  group: Group
  decode: Decode
  address: string
  /** The current form field: its kind, its entries and its value. */
  form: { kind: number; chosen: number; standard: number; readonly entries: string[] }
  /** For each cell of a row whether it is one with the cell above; the number of the next cell. */
  cells: boolean[]
  isCovered: boolean
  cell: number
  picture: string
  style: number
  /** Bytes not decoded yet. */
  pending: string
  skipCharacters: number
  /** True after `\*`: the next word is skipped with its group when it is unknown. */
  isOptional: boolean
  /** True after `{`: only there `\*` has a meaning. */
  isGroupStart: boolean
  /** The first half of a character that is written in two. */
  high: number | undefined
}

const MAX_DEPTH = 1000
const MAX_ADDRESS = 10_000
const MAX_CELLS = 1000

function addFontName({ group, fonts }: Parser, text: string): void {
  const font = symbolFont(text.replace(/;.*$/s, ''))
  if (font !== undefined) fonts.set(group.font, (bytes) => toSymbols(font, bytes.toString('latin1')))
}

function addText(parser: Parser, text: string): void {
  const { group, paragraphs } = parser
  if (group.target === 'text' || APART.has(group.target)) paragraphs.addText(text, group)
  else if (group.target === 'marker') paragraphs.addMarker(text)
  else if (group.target === 'styles') paragraphs.addStyleName(parser.style, text)
  else if (group.target === 'picture') parser.picture += text
  else if (group.target === 'fonts') addFontName(parser, text)
  else if (group.target === 'level') parser.lists.text(text)
  else if (group.target === 'entry') parser.form.entries.splice(-1, 1, (parser.form.entries.at(-1) ?? '') + text)
  else if (group.target === 'address' && parser.address.length < MAX_ADDRESS) parser.address += text
}

/** Decodes the pending bytes in the encoding of their font. */
function settle(parser: Parser): void {
  if (parser.pending === '') return
  const decode =
    parser.group.target === 'fonts' ? parser.decode : (parser.fonts.get(parser.group.font) ?? parser.decode)
  const text = decode(Buffer.from(parser.pending, 'latin1'))
  parser.pending = ''
  addText(parser, text)
}

function openTarget(parser: Parser, name: string): void {
  const target = TARGETS.get(name)
  settle(parser)
  const around = parser.stack.at(-1)
  if (target !== undefined && APART.has(target) && around !== undefined) {
    parser.stack[parser.stack.length - 1] = { ...around, outer: parser.paragraphs.openApart() }
  }
  if (target === 'entry' && parser.form.entries.length < MAX_ENTRIES) parser.form.entries.push('')
  parser.group.target = target ?? 'skip'
}

const newForm = (): Parser['form'] => ({ kind: 0, chosen: UNSET, standard: 0, entries: [] })
/** A field that nobody filled in has its standard value. */
const UNSET = 25
const [TICK, LIST] = [1, 2]
const MAX_ENTRIES = 1000

/** A form field, a box to tick or a list to choose from, has no other text than its value. */
function closeForm(parser: Parser): void {
  const { kind, chosen, standard, entries } = parser.form
  const value = chosen === UNSET ? standard : chosen
  parser.form = newForm()
  const shown = kind === TICK ? (value === 1 ? '[x]' : '[ ]') : kind === LIST ? (entries[value] ?? '') : ''
  if (shown !== '') parser.paragraphs.addText(shown, parser.group)
}

function closeGroup(parser: Parser): void {
  settle(parser)
  const before = parser.stack.pop()
  if (before === undefined) return
  const { target } = parser.group
  if (target === 'picture' && before.group.target !== 'picture') {
    parser.paragraphs.addPicture(parser.picture)
    parser.picture = ''
  }
  if (before.outer !== undefined) parser.paragraphs.closeApart(target, before.outer)
  if (target === 'address' && before.group.target !== 'address') {
    before.group.href = /HYPERLINK\s+"([^"]+)"/i.exec(parser.address)?.[1] ?? before.group.href
    parser.address = ''
  }
  if (target === 'form' && before.group.target !== 'form') closeForm(parser)
  parser.group = before.group
}

function endParagraph(parser: Parser, ends: RtfParagraph['ends']): void {
  settle(parser)
  parser.paragraphs.end(ends, ends === 'cell' && parser.cells[parser.cell] === true)
  if (ends === 'cell') parser.cell += 1
  if (ends === 'row') parser.cell = 0
}

/** Markers and footnotes have their own layout; it does not apply to the paragraph around them. */
function setLayout({ group, paragraphs }: Parser, part: Parameters<RtfParagraphs['setLayout']>[0]): void {
  if (group.target === 'text') paragraphs.setLayout(part)
}

/** Fonts of signs have theirs in the private area. */
function toCharacter({ fonts, group }: Parser, code: number): string {
  const decode = code > 0xf020 && code <= 0xf0ff ? fonts.get(group.font) : undefined
  return decode?.(Buffer.from([code & 0xff])) ?? String.fromCharCode(code)
}

const WORDS: ReadonlyMap<string, (parser: Parser, value: number | undefined) => void> = new Map(
  Object.entries<(parser: Parser, value: number | undefined) => void>({
    par(parser) {
      const { target } = parser.group
      if (APART.has(target)) parser.paragraphs.addText(target === 'box' || target === 'head' ? '\n' : ' ', parser.group)
      else if (parser.group.target === 'text') endParagraph(parser, 'paragraph')
    },
    sect: (parser) => endParagraph(parser, 'paragraph'),
    cell: (parser) => endParagraph(parser, 'cell'),
    nestcell: ({ paragraphs, group }) => paragraphs.addText(' ', group),
    row: (parser) => endParagraph(parser, 'row'),
    line: (parser) => addText(parser, '\n'),
    pard({ group, paragraphs }) {
      if (group.target === 'text') paragraphs.resetLayout()
    },
    plain: ({ group }) =>
      Object.assign(group, { bold: false, italic: false, struck: false, raised: undefined, hidden: false }),
    b: ({ group }, value) => Object.assign(group, { bold: value !== 0 }),
    i: ({ group }, value) => Object.assign(group, { italic: value !== 0 }),
    strike: ({ group }, value) => Object.assign(group, { struck: value !== 0 }),
    v: ({ group }, value) => Object.assign(group, { hidden: value !== 0 }),
    // Text that is deleted in tracked changes, not yet accepted.
    deleted: ({ group }, value) => Object.assign(group, { hidden: value !== 0 }),
    super: ({ group }) => Object.assign(group, { raised: 'sup' }),
    sub: ({ group }) => Object.assign(group, { raised: 'sub' }),
    nosupersub: ({ group }) => Object.assign(group, { raised: undefined }),
    f: ({ group }, value = 0) => Object.assign(group, { font: value }),
    fcharset({ group, fonts }, value = 0) {
      const decode = decodeOfCharset(value)
      if (group.target === 'fonts' && decode !== undefined) fonts.set(group.font, decode)
    },
    ansicpg(parser, value = 1252) {
      parser.decode = decodeOfPage(value)
    },
    mac: (parser) => void (parser.decode = decodeOfPage(10_000)),
    pc: (parser) => void (parser.decode = decodeOfPage(437)),
    pca: (parser) => void (parser.decode = decodeOfPage(850)),
    uc: ({ group }, value = 1) => Object.assign(group, { fallback: Math.min(Math.max(value, 0), 10) }),
    u(parser, value = 0) {
      const code = value & 0xffff
      const isHigh = code >= 0xd800 && code < 0xdc00
      const isLow = code >= 0xdc00 && code < 0xe000
      // A half without the other one is no character.
      if (isLow && parser.high !== undefined) addText(parser, String.fromCharCode(parser.high, code))
      else if (!isHigh && !isLow) addText(parser, toCharacter(parser, code))
      parser.high = isHigh ? code : undefined
      parser.skipCharacters = parser.group.fallback
    },
    s(parser, value = 0) {
      if (parser.group.target === 'styles') {
        parser.style = value
        parser.paragraphs.startStyle(value)
      } else setLayout(parser, { style: value })
    },
    outlinelevel: (parser, value = 0) => setLayout(parser, { outline: value }),
    ls: (parser, value = 0) => setLayout(parser, { list: Math.max(value, 0) }),
    ilvl: (parser, value = 0) => setLayout(parser, { level: Math.min(Math.max(value, 0), 8) }),
    li: (parser, value = 0) => setLayout(parser, { indent: value }),
    fi: (parser, value = 0) => setLayout(parser, { hanging: value < 0 }),
    trowd: (parser) => void Object.assign(parser, { cells: [], isCovered: false }),
    clvmrg: (parser) => void (parser.isCovered = true),
    cellx(parser) {
      if (parser.cells.length < MAX_CELLS) parser.cells.push(parser.isCovered)
      parser.isCovered = false
    },
    fftype: ({ form }, value = 0) => void (form.kind = value),
    ffres: ({ form }, value = 0) => void (form.chosen = value),
    ffdefres: ({ form }, value = 0) => void (form.standard = value),
    intbl: (parser) => setLayout(parser, { inTable: true }),
  }),
)

function addBytes(parser: Parser, bytes: string): void {
  const text = bytes.slice(parser.skipCharacters)
  parser.skipCharacters -= Math.min(parser.skipCharacters, bytes.length)
  const { target } = parser.group
  if (target !== 'skip' && target !== 'shape') parser.pending += text
}

function takeWord(parser: Parser, name: string, value: number | undefined): void {
  if (name === '*') {
    parser.isOptional = parser.isGroupStart
    return
  }
  const { group, isOptional } = parser
  parser.isOptional = false
  if (isOptional && TARGETS.get(name) === undefined && !KNOWN_NAMES.has(name)) group.target = 'skip'
  if (group.target === 'skip') return
  const character = CHARACTERS.get(name)
  if (character !== undefined) addText(parser, character)
  else if (TARGETS.get(name) !== undefined || SKIPPED_NAMES.has(name)) openTarget(parser, name)
  else if (group.target === 'lists') parser.lists.word(name, value)
  else WORDS.get(name)?.(parser, value)
}

const createParser = (lists = createRtfLists()): Parser => ({
  lists,
  paragraphs: createRtfParagraphs(lists),
  fonts: new Map(),
  stack: [],
  group: {
    target: 'text',
    bold: false,
    italic: false,
    struck: false,
    raised: undefined,
    hidden: false,
    font: 0,
    fallback: 1,
    href: '',
  },
  decode: decodeOfPage(1252),
  address: '',
  form: newForm(),
  cells: [],
  isCovered: false,
  cell: 0,
  picture: '',
  style: 0,
  pending: '',
  skipCharacters: 0,
  isOptional: false,
  isGroupStart: false,
  high: undefined,
})

/** Reads a file of RTF in one pass; groups deeper than 1,000 end the reading. */
export function parseRtf(bytes: Buffer) {
  const parser = createParser()
  const { paragraphs, stack } = parser
  for (const token of readTokens(bytes.toString('latin1'))) {
    if (token.kind === 'bytes') {
      addBytes(parser, token.bytes)
      parser.isGroupStart = false
      continue
    }
    settle(parser)
    parser.skipCharacters = 0
    if (token.kind === 'close') closeGroup(parser)
    else if (token.kind === 'word') {
      takeWord(parser, token.name, token.value)
      parser.isGroupStart = false
    } else if (stack.length < MAX_DEPTH) {
      stack.push({ group: { ...parser.group } })
      parser.isGroupStart = true
    } else break
  }
  if (!paragraphs.isEmpty() || parser.pending !== '') endParagraph(parser, 'paragraph')
  return { paragraphs: paragraphs.paragraphs, notes: paragraphs.notes, heads: paragraphs.heads }
}
