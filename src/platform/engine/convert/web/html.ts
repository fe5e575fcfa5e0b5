import { isUtf8 } from 'node:buffer'
import { decodeAs, decodeText, markedEncoding } from '#lib/decode.ts'
import type { Attributes } from '../markdown/blocks.ts'
import { createMarkdownWriter, type MarkdownWriter } from '../markdown/writer.ts'
import { createMath } from './math.ts'
import { FIELD_NAMES, fieldValue, tickOf } from './forms.ts'
import { createHiddenParts } from './hidden.ts'
import { type ElementEvents, readElements } from './html-elements.ts'
import { withRoles } from './roles.ts'
import type { Pictures } from '../images/pictures.ts'
import { asOnePart, type ReadDocument } from '../reader.ts'

/** Text that replaces an image: the name of the extracted picture, or its description. */
export type ShowImage = (attributes: Attributes) => string

/** Whether a table that contains tables holds data; otherwise it is only layout. */
export type HoldsData = (table: {
  readonly hasHeads: boolean
  readonly rows: number
  readonly columns: number
}) => boolean

const readShown = (html: string, events: ElementEvents) => readElements(html, withRoles(events))

/** Layout tables by position: tables that contain another table and no data of their own. */
function findLayoutTables(html: string, holdsData: HoldsData): ReadonlySet<number> {
  const layout = new Set<number>()
  if (!/<table\b/i.test(html)) return layout
  const open: { at: number; hasInner: boolean; hasHeads: boolean; rows: number; columns: number; row: number }[] = []
  let count = 0
  // The same reading as in `writeHtml`: a table in a comment is no table.
  readShown(html, {
    open(name) {
      const table = open.at(-1)
      if (name === 'table') {
        if (table !== undefined) table.hasInner = true
        open.push({ at: count, hasInner: false, hasHeads: false, rows: 0, columns: 0, row: 0 })
        count += 1
      } else if (table !== undefined && (TABLE_PARTS.has(name) || name === 'caption')) {
        table.hasHeads ||= name === 'th' || name === 'caption'
        table.row = name === 'tr' ? 0 : table.row + Number(name !== 'caption')
        table.rows += Number(name === 'tr')
        table.columns = Math.max(table.columns, table.row)
      }
    },
    close(name) {
      if (name !== 'table') return
      const table = open.pop()
      if (table?.hasInner === true && !holdsData(table)) layout.add(table.at)
    },
    text: () => undefined,
  })
  return layout
}

const TABLE_PARTS = new Set(['tr', 'td', 'th'])

/** A text of a drawing, and a line of one. */
const isPlaced = (name: string, { x, y, dy }: Attributes) =>
  name === 'text' || (name === 'tspan' && [x, y, dy].some((place) => place !== undefined))

const isAway = (href = '') => href !== '' && !href.startsWith('#')

/**
 * Runs calls at once; those of a part marked as navigation when its end tells that it says something about this page: as
 * a table of contents does, or a part that was never closed. Links to other pages say nothing about it.
 */
function createNavigation() {
  const dropped: (() => void)[] = []
  let calls: (() => void)[] | undefined
  let [depth, letters, lettersAway, isLinkAway] = [0, 0, 0, false]
  return {
    /** Calls of the parts that were left out. */
    dropped,
    run: (call: () => void) => void (calls === undefined ? call() : calls.push(call)),
    enter() {
      depth += 1
      if (depth > 1) return
      calls = []
      letters = 0
      lettersAway = 0
    },
    link: (href?: string) => void (isLinkAway = isAway(href)),
    count(text: string) {
      letters += text.trim().length
      if (isLinkAway) lettersAway += text.trim().length
    },
    leave() {
      depth -= 1
      if (depth > 0) return
      const all = calls ?? []
      calls = undefined
      if (lettersAway > letters / 2) dropped.push(...all)
      else for (const call of all) call()
    },
  }
}

/** Writes text that no text node holds: of images and of filled-in fields. */
function createFieldWriter(writer: MarkdownWriter, run: (call: () => void) => void) {
  const inline = (write: () => string) =>
    run(() => {
      const text = write()
      if (text !== '') writer.inline(text)
    })
  const apart = (text: string) => run(() => writer.text(` ${text} `))
  const field = (attributes: Attributes) => {
    const tick = tickOf(attributes)
    if (tick === undefined) apart(fieldValue(attributes))
    else inline(() => tick)
  }
  return { inline, apart, field }
}

/** Writes a page, and returns the calls that write the navigation, which it left out. */
function writeHtml(html: string, writer: MarkdownWriter, { showImage, holdsData, keepCollapsed }: Required<Reading>) {
  const hiddenParts = createHiddenParts(keepCollapsed)
  const layout = findLayoutTables(html, holdsData)
  const navigation = createNavigation()
  const math = createMath((text) => navigation.run(() => writer.text(text)))
  const tables: boolean[] = []
  let [count, hidden, drawings] = [0, 0, 0]
  const shown = (name: string) =>
    name === 'template' || (TABLE_PARTS.has(name) && tables.at(-1) === true) ? 'div' : name
  const open = (name: string, attributes: Attributes) => navigation.run(() => writer.open(name, attributes))
  const { inline, apart, field } = createFieldWriter(writer, navigation.run)
  readShown(html, {
    open(name, attributes) {
      const table = count
      if (name === 'table') count += 1
      // The title of a drawing is no part of it.
      if (hidden > 0 || hiddenParts.isHidden(name, attributes) || (drawings > 0 && name === 'title')) {
        hidden += 1
        return
      }
      if (name === 'svg') drawings += 1
      hiddenParts.open(attributes)
      if (name === 'math' || math.isOpen()) return math.open(name)
      if (name === 'a') navigation.link(attributes['href'])
      if (name === 'img') inline(() => showImage(attributes))
      else if (name === 'input') field(attributes)
      else if (FIELD_NAMES.has(name) || isPlaced(name, attributes)) apart(' ')
      else if (name === 'table') {
        tables.push(layout.has(table))
        open(tables.at(-1) === true ? 'div' : name, attributes)
      } else {
        if (name === 'nav') navigation.enter()
        open(shown(name), attributes)
      }
    },
    text(text) {
      if (hidden > 0 || hiddenParts.isTiny()) return
      hiddenParts.text(text)
      navigation.count(text)
      navigation.run(() => writer.text(text))
    },
    close(name) {
      if (hidden > 0) {
        hidden -= 1
        return
      }
      hiddenParts.close()
      if (name === 'svg') drawings -= 1
      if (FIELD_NAMES.has(name) || name === 'text') apart(' ')
      if (math.isOpen()) return math.close()
      const closed = name === 'table' && tables.pop() === true ? 'div' : shown(name)
      navigation.run(() => writer.close(closed))
      if (name === 'a') navigation.link()
      if (name === 'nav') navigation.leave()
    },
  })
  return navigation.dropped
}

/** How a page is read. */
interface Reading {
  readonly showImage?: ShowImage
  /** Default: a table that contains tables holds data when it has header cells. */
  readonly holdsData?: HoldsData
  /** Keeps the closed answers of a saved help page. In a mail hidden text is a preview line. Default: false. */
  readonly keepCollapsed?: boolean
}

/** Markdown of a page. */
export function htmlToMarkdown(html: string, reading: Reading = {}): string {
  const { showImage = () => '', holdsData = ({ hasHeads }) => hasHeads, keepCollapsed = false } = reading
  const writer = createMarkdownWriter()
  const dropped = writeHtml(html, writer, { showImage, holdsData, keepCollapsed })
  const text = writer.finish()
  if (text !== '') return text
  // A page of nothing else is about its links.
  for (const call of dropped) call()
  return writer.finish()
}

/** Tools put long comments and styles before the encoding. */
const HEAD_BYTES = 65_536
const NAMED = [
  /<meta[^<>]{1,200}?charset\s{0,9}=\s{0,9}["']?\s{0,9}([\w-]{1,40})/i,
  /^\s{0,99}<\?xml[^<>]{1,200}?encoding=["']([\w-]{1,40})/i,
]

/** Decodes a page: by its byte order mark, else UTF-8 where valid, else the declared encoding, else a guess. */
export function decodePage(bytes: Buffer): string {
  if (markedEncoding(bytes) !== undefined) return decodeText(bytes)
  const head = bytes.toString('latin1', 0, HEAD_BYTES)
  const named = NAMED.map((pattern) => pattern.exec(head)?.[1]).find((label) => label !== undefined)
  // Pages that say UTF-8 are not always, and those that say another one may be saved again as UTF-8.
  const isUtf = named === undefined || /^(?:utf|unicode|ucs)/i.test(named) || isUtf8(bytes)
  return (isUtf ? undefined : decodeAs(named, bytes)) ?? decodeText(bytes)
}

/** An image embedded as a `data:` address. */
const IN_ADDRESS = /^data:image\/[\w.+-]+;base64,(?<content>[\w+/=\s-]+)$/i

/** Extracts embedded images; of linked ones only the alternative text remains. */
export function showImages(
  pictures: Pictures,
  find: (src: string) => Uint8Array | undefined = () => undefined,
): ShowImage {
  return ({ src = '', alt = '' }) => {
    const content = IN_ADDRESS.exec(src)?.groups?.['content']
    const bytes = content === undefined ? find(src) : Buffer.from(content, 'base64')
    const name = bytes === undefined ? '' : pictures.add(bytes)
    const words = alt.replace(/\s+/g, ' ').trim()
    if (name === '') return words
    return words === '' ? name : `${name} (${words})`
  }
}

export const readPage: ReadDocument = ({ bytes, pictures }) =>
  Promise.resolve(
    asOnePart(htmlToMarkdown(decodePage(bytes), { showImage: showImages(pictures), keepCollapsed: true })),
  )
