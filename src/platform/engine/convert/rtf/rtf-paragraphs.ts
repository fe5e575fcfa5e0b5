import { allWords, oneOf } from '#lexicon/match.ts'
import type { RtfLists } from './rtf-lists.ts'
import type { Target } from './rtf-tokens.ts'

export interface RtfRun {
  readonly text: string
  readonly marks: readonly string[]
  readonly href: string
  /** Number of the footnote referenced here. */
  readonly note?: number
  /** Bytes of a picture at this place. */
  readonly picture?: Buffer
}

interface ListItem {
  /** From 0. */
  readonly level: number
  readonly ordered: boolean
  readonly number?: number
  /** As the document shows it: `(c)`, `Article II`. */
  readonly label?: string
}

export interface RtfParagraph {
  readonly runs: readonly RtfRun[]
  /** 1 to 6; 0 is text. */
  readonly heading: number
  /** Undefined for a paragraph that is no list item; `level` counts from 0. */
  readonly item: ListItem | undefined
  readonly inTable: boolean
  /** Whether the paragraph also ends its cell or row. */
  readonly ends: 'paragraph' | 'cell' | 'row'
  /** Its cell is one with the cell above. */
  readonly isCovered?: boolean
}

/** Format of characters, inherited by inner groups. */
export interface RtfFormat {
  bold: boolean
  italic: boolean
  struck: boolean
  raised: 'sup' | 'sub' | undefined
  hidden: boolean
  href: string
}

interface Layout {
  style: number
  outline: number | undefined
  /** Number of the list; 0: none. */
  list: number
  level: number
  indent: number
  hanging: boolean
  inTable: boolean
}

const plainLayout = (): Layout => ({
  style: 0,
  outline: undefined,
  list: 0,
  level: 0,
  indent: 0,
  hanging: false,
  inTable: false,
})

/** Indent of one list level in twips, used when nothing else gives the level. */
const LEVEL_TWIPS = 360
/** Longer style names are cut: they are read for each paragraph. */
const MAX_STYLE_NAME = 200

const HEADING = new RegExp(`^${oneOf(allWords('documents', 'headingStyles'))} ?(?<level>[1-6])`, 'iu')
const TYPED_MARKER = /^(?:[•·▪◦o–-]|\(?[\da-z]{1,4}[.)])\s*\t/i

function headingOf({ outline, style }: Layout, styles: ReadonlyMap<number, string>): number {
  const name = (styles.get(style) ?? '').replace(/;$/, '').trim()
  if (name.toLowerCase() === 'title') return 1
  const level = outline === undefined ? Number(HEADING.exec(name)?.groups?.['level'] ?? 0) : outline + 1
  return level > 6 ? 0 : level
}

function itemOf({ list, level, indent }: Layout, marker: string): RtfParagraph['item'] {
  const sign = marker.trim()
  if (sign === '' && list === 0) return undefined
  const number = /^\(?(\d{1,9})[.)]$/.exec(sign)?.[1]
  // A letter o alone is a ring.
  const ordered = /[\p{L}\p{N}]/u.test(sign) && !/^o$/i.test(sign)
  return {
    level: list > 0 ? level : Math.max(0, Math.round(indent / LEVEL_TWIPS) - 1),
    ordered,
    ...(number === undefined ? {} : { number: Number(number) }),
    ...(ordered ? { label: sign } : {}),
  }
}

function marksOf({ bold, italic, struck, raised }: RtfFormat): readonly string[] {
  const marks = [bold && 'strong', italic && 'em', struck && 'del', raised]
  return marks.filter((mark) => typeof mark === 'string')
}

/** Removes a list marker that was typed by hand. */
function takeTypedMarker(runs: RtfRun[]): string {
  const [first] = runs
  const typed = TYPED_MARKER.exec(runs.map((run) => run.text).join(''))?.[0]
  if (typed === undefined || first === undefined) return ''
  runs[0] = { ...first, text: first.text.replace(typed, '') }
  return typed
}

/** Collects runs into paragraphs and footnotes. */
// oxlint-disable-next-line max-lines-per-function -- a factory: it only returns methods
export function createRtfParagraphs(lists: RtfLists) {
  const paragraphs: RtfParagraph[] = []
  const notes: RtfRun[][] = []
  /** Heads and feet of pages, by their text. */
  const heads = new Map<string, RtfRun[]>()
  let boxes: RtfRun[][] = []
  const styles = new Map<number, string>()
  let runs: RtfRun[] = []
  let layout = plainLayout()
  let marker = ''

  return {
    paragraphs,
    notes,
    heads,
    isEmpty: () => runs.length === 0 && boxes.length === 0,
    addText(text: string, format: RtfFormat) {
      if (text === '' || format.hidden) return
      const { href } = format
      const marks = marksOf(format)
      const last = runs.at(-1)
      const isText = last !== undefined && last.note === undefined && last.picture === undefined
      if (isText && last.href === href && last.marks.join() === marks.join()) {
        runs[runs.length - 1] = { ...last, text: last.text + text }
      } else runs.push({ text, marks, href })
    },
    addPicture(hex: string) {
      const picture = Buffer.from(hex.replace(/[^\da-f]/gi, ''), 'hex')
      runs.push({ text: '', marks: [], href: '', picture })
    },
    /** Adds the item's number or bullet as the writing program stored it. */
    addMarker(text: string) {
      marker += text
    },
    addStyleName(style: number, text: string) {
      styles.set(style, `${styles.get(style) ?? ''}${text}`.slice(0, MAX_STYLE_NAME))
    },
    startStyle(style: number) {
      styles.set(style, '')
    },
    setLayout(part: Partial<Layout>) {
      layout = { ...layout, ...part }
    },
    resetLayout() {
      layout = plainLayout()
    },
    /** Begins text that is apart from the paragraph around it, whose runs are returned. */
    openApart(): RtfRun[] {
      const outer = runs
      runs = []
      return outer
    },
    /** Ends it: notes and comments leave their number in the paragraph, a text box follows it, heads are kept once. */
    closeApart(target: Target, outer: RtfRun[]) {
      const inner = runs
      runs = outer
      if (target === 'box') boxes.push(inner)
      else if (target === 'head')
        heads.set(
          inner
            .map(({ text }) => text)
            .join('')
            .trim(),
          inner,
        )
      else {
        notes.push(target === 'comment' ? [{ text: 'Comment: ', marks: [], href: '' }, ...inner] : inner)
        runs.push({ text: '', marks: [], href: '', note: notes.length })
      }
    },
    end(ends: RtfParagraph['ends'], isCovered = false) {
      const heading = headingOf(layout, styles)
      if (heading === 0 && layout.hanging) {
        const typed = takeTypedMarker(runs)
        if (marker === '') marker = typed
      }
      const counted = layout.list > 0 ? lists.count(layout.list, layout.level) : ''
      const item = itemOf(layout, marker.trim() === '' ? counted : marker)
      if (heading > 0 && item?.label !== undefined && runs.length > 0) {
        runs.unshift({ text: `${item.label} `, marks: [], href: '' })
      }
      paragraphs.push({
        heading,
        item: heading > 0 ? undefined : item,
        runs,
        inTable: layout.inTable || ends !== 'paragraph',
        ends,
        isCovered,
      })
      runs = []
      marker = ''
      const inTable = layout.inTable || ends !== 'paragraph'
      const shown = boxes.map((box) => ({
        heading: 0,
        item: undefined,
        runs: box,
        inTable,
        ends: 'paragraph' as const,
      }))
      // The text of a box in a cell belongs into that cell.
      paragraphs.splice(ends === 'paragraph' ? paragraphs.length : -1, 0, ...shown)
      boxes = []
    },
  }
}

export type RtfParagraphs = ReturnType<typeof createRtfParagraphs>
