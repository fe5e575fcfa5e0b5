import {
  CHARACTERS,
  CHARSETS,
  decoderOfPage,
  KNOWN_NAMES,
  readTokens,
  SKIPPED_NAMES,
  type Target,
  TARGETS,
} from './rtf-tokens.ts'

export interface RtfRun {
  readonly text: string
  readonly marks: readonly string[]
  readonly href: string
  /** Number of the footnote that is referred to here. */
  readonly note?: number
  /** Bytes of a picture that stands here. */
  readonly picture?: Buffer
}

export interface RtfParagraph {
  readonly runs: readonly RtfRun[]
  /** 1 to 6; 0 is text. */
  readonly heading: number
  /** What stood before the item, and how deep; undefined is no item. */
  readonly item: { readonly level: number; readonly ordered: boolean; readonly number?: number } | undefined
  readonly inTable: boolean
  /** What ends with it. */
  readonly ends: 'paragraph' | 'cell' | 'row'
}

export interface RtfDocument {
  readonly paragraphs: readonly RtfParagraph[]
  readonly notes: readonly (readonly RtfRun[])[]
}

interface State {
  target: Target
  bold: boolean
  italic: boolean
  struck: boolean
  raised: 'sup' | 'sub' | undefined
  hidden: boolean
  font: number
  /** Characters after a \u that repeat it for old readers. */
  fallback: number
  href: string
}

interface Layout {
  style: number
  outline: number | undefined
  list: boolean
  level: number
  indent: number
  hanging: boolean
  inTable: boolean
}

const plainLayout = (): Layout => ({
  style: 0,
  outline: undefined,
  list: false,
  level: 0,
  indent: 0,
  hanging: false,
  inTable: false,
})

/** Twips of one level of a list where only the indent tells it. */
const levelTwips = 360
const maxDepth = 1000

export function parseRtf(bytes: Buffer): RtfDocument {
  const paragraphs: RtfParagraph[] = []
  const notes: RtfRun[][] = []
  const fonts = new Map<number, TextDecoder>()
  const styles = new Map<number, string>()
  let decoder = decoderOfPage(1252)
  let runs: RtfRun[] = []
  let layout = plainLayout()
  let marker = ''
  let address = ''
  let picture = ''
  let styleNumber = 0
  let pending = ''
  let skipCharacters = 0
  let state: State = {
    target: 'text',
    bold: false,
    italic: false,
    struck: false,
    raised: undefined,
    hidden: false,
    font: 0,
    fallback: 1,
    href: '',
  }
  const stack: { readonly state: State; readonly outer?: RtfRun[] }[] = []

  const addText = (text: string) => {
    if (text === '' || state.hidden) return
    const { bold, italic, struck, raised, href } = state
    const marks = [
      ...(bold ? ['strong'] : []),
      ...(italic ? ['em'] : []),
      ...(struck ? ['del'] : []),
      ...(raised === undefined ? [] : [raised]),
    ]
    const last = runs.at(-1)
    if (
      last !== undefined &&
      last.note === undefined &&
      last.picture === undefined &&
      last.href === href &&
      last.marks.join() === marks.join()
    ) {
      runs[runs.length - 1] = { ...last, text: last.text + text }
    } else runs.push({ text, marks, href })
  }
  const put = (text: string) => {
    if (state.target === 'text' || state.target === 'note') addText(text)
    else if (state.target === 'marker') marker += text
    else if (state.target === 'address') address += text
    else if (state.target === 'picture') picture += text
    else if (state.target === 'styles') {
      styles.set(styleNumber, `${styles.get(styleNumber) ?? ''}${text}`)
    }
  }
  const settle = () => {
    if (pending === '') return
    const text = (fonts.get(state.font) ?? decoder).decode(Buffer.from(pending, 'latin1'))
    pending = ''
    put(text)
  }
  const headingOf = () => {
    const style = (styles.get(layout.style) ?? '').replace(/;$/, '').trim()
    if (style.toLowerCase() === 'title') return 1
    const name = /^(?:heading|überschrift|titre|見出し) ?(?<level>[1-6])/i.exec(style)
    const level = layout.outline === undefined ? Number(name?.groups?.['level'] ?? 0) : layout.outline + 1
    return level > 6 ? 0 : level
  }
  const itemOf = () => {
    const text = runs.map((run) => run.text).join('')
    const typed = layout.hanging ? /^(?:[•·▪◦o–-]|\(?[\da-z]{1,4}[.)])\s*\t/i.exec(text)?.[0] : undefined
    if (typed !== undefined && runs[0] !== undefined)
      runs[0] = { ...runs[0], text: runs[0].text.replace(typed, '') }
    const sign = (marker === '' ? (typed ?? '') : marker).trim()
    if (sign === '' && !layout.list) return undefined
    const level = layout.list ? layout.level : Math.max(0, Math.round(layout.indent / levelTwips) - 1)
    const number = /^\(?(\d{1,9})[.)]$/.exec(sign)?.[1]
    return {
      level,
      ordered: /^\(?[\da-z]+[.)]/i.test(sign),
      ...(number === undefined ? {} : { number: Number(number) }),
    }
  }
  const endParagraph = (ends: RtfParagraph['ends']) => {
    settle()
    const heading = headingOf()
    paragraphs.push({
      heading,
      item: heading > 0 ? undefined : itemOf(),
      runs,
      inTable: layout.inTable || ends !== 'paragraph',
      ends,
    })
    runs = []
    marker = ''
  }
  const endGroup = () => {
    settle()
    const before = stack.pop()
    if (before === undefined) return
    if (state.target === 'picture' && before.state.target !== 'picture') {
      runs.push({
        text: '',
        marks: [],
        href: '',
        picture: Buffer.from(picture.replace(/[^\da-f]/gi, ''), 'hex'),
      })
      picture = ''
    }
    if (before.outer !== undefined) {
      notes.push(runs)
      runs = [...before.outer, { text: '', marks: [], href: '', note: notes.length }]
    }
    const url = /HYPERLINK\s+"([^"]+)"/i.exec(address)?.[1]
    if (state.target === 'address' && before.state.target !== 'address') {
      address = ''
      before.state.href = url ?? before.state.href
    }
    state = before.state
  }
  const openTarget = (name: string) => {
    const target = TARGETS[name]
    if (state.target === 'skip' || (target === undefined && !SKIPPED_NAMES.has(name))) return
    settle()
    if (target === 'note' && stack.length > 0) {
      const last = stack.pop()
      if (last !== undefined) stack.push({ ...last, outer: runs })
      runs = []
    }
    state.target = target ?? 'skip'
  }

  /** A marker or a footnote has a layout of its own, which says nothing about the paragraph that it stands in. */
  const setLayout = (part: Partial<Layout>) => {
    if (state.target === 'text') layout = { ...layout, ...part }
  }

  const words: Readonly<Record<string, (value: number | undefined) => void>> = {
    par: () =>
      state.target === 'note'
        ? addText(' ')
        : state.target === 'text'
          ? endParagraph('paragraph')
          : undefined,
    sect: () => endParagraph('paragraph'),
    cell: () => endParagraph('cell'),
    nestcell: () => addText(' '),
    row: () => endParagraph('row'),
    line: () => put('\n'),
    pard: () => setLayout(plainLayout()),
    plain: () =>
      Object.assign(state, { bold: false, italic: false, struck: false, raised: undefined, hidden: false }),
    b: (value) => Object.assign(state, { bold: value !== 0 }),
    i: (value) => Object.assign(state, { italic: value !== 0 }),
    strike: (value) => Object.assign(state, { struck: value !== 0 }),
    v: (value) => Object.assign(state, { hidden: value !== 0 }),
    // Removed, and the removal is not yet agreed to.
    deleted: (value) => Object.assign(state, { hidden: value !== 0 }),
    super: () => Object.assign(state, { raised: 'sup' }),
    sub: () => Object.assign(state, { raised: 'sub' }),
    nosupersub: () => Object.assign(state, { raised: undefined }),
    f: (value = 0) => Object.assign(state, { font: value }),
    fcharset(value = 0) {
      const label = CHARSETS[value]
      if (state.target === 'fonts' && label !== undefined) fonts.set(state.font, new TextDecoder(label))
    },
    ansicpg(value = 1252) {
      decoder = decoderOfPage(value)
    },
    uc: (value = 1) => Object.assign(state, { fallback: Math.min(Math.max(value, 0), 10) }),
    u(value = 0) {
      put(String.fromCharCode(value & 0xffff))
      skipCharacters = state.fallback
    },
    s(value = 0) {
      if (state.target === 'styles') {
        styleNumber = value
        styles.set(value, '')
      } else setLayout({ style: value })
    },
    outlinelevel: (value = 0) => setLayout({ outline: value }),
    ls: (value = 0) => setLayout({ list: value > 0 }),
    ilvl: (value = 0) => setLayout({ level: Math.min(Math.max(value, 0), 8) }),
    li: (value = 0) => setLayout({ indent: value }),
    fi: (value = 0) => setLayout({ hanging: value < 0 }),
    intbl: () => setLayout({ inTable: true }),
  }

  let unknownIsSkipped = false
  for (const token of readTokens(bytes.toString('latin1'))) {
    if (token.kind === 'bytes') {
      const text = token.bytes.slice(skipCharacters)
      skipCharacters -= Math.min(skipCharacters, token.bytes.length)
      if (state.target !== 'skip' && state.target !== 'fonts') pending += text
      continue
    }
    settle()
    skipCharacters = 0
    if (token.kind === 'open') {
      // Deeper groups share the state of the deepest that is kept.
      if (stack.length < maxDepth) stack.push({ state: { ...state } })
      else break
    } else if (token.kind === 'close') endGroup()
    else {
      const { name, value } = token
      if (name === '*') {
        unknownIsSkipped = true
        continue
      }
      if (unknownIsSkipped && TARGETS[name] === undefined && !KNOWN_NAMES.has(name)) state.target = 'skip'
      unknownIsSkipped = false
      const character = CHARACTERS[name]
      if (state.target === 'skip') continue
      if (character !== undefined) put(character)
      else if (TARGETS[name] !== undefined || SKIPPED_NAMES.has(name)) openTarget(name)
      else words[name]?.(value)
    }
  }
  if (runs.length > 0 || pending !== '') endParagraph('paragraph')
  return { paragraphs, notes }
}
