import { Tokenizer } from 'htmlparser2'
import type { Attributes } from '../markdown/blocks.ts'

/** Elements that never have content. */
export const EMPTY_NAMES = new Set('area base br col embed hr img input link meta param source track wbr'.split(' '))

/** Elements that are not displayed; of `ruby` the pronunciation, of formulas their twins, of drawings what they reuse. */
export const HIDDEN_NAMES = new Set(
  (
    'script style template noscript head object iframe rt rp datalist annotation annotation-xml defs symbol metadata ' +
    'desc clippath marker'
  ).split(' '),
)

/** Elements in which a slash closes a tag, as in XML. */
const FOREIGN_NAMES = new Set(['svg', 'math'])

/** Elements that a start tag closes, where their own end tag is left out. */
const IMPLIED_ENDS: ReadonlyMap<string, readonly string[]> = new Map(
  Object.entries<readonly string[]>({
    li: ['li', 'p'],
    dt: ['dt', 'dd', 'p'],
    dd: ['dt', 'dd', 'p'],
    option: ['option'],
    optgroup: ['option', 'optgroup'],
    tr: ['tr', 'td', 'th', 'p', 'li', 'ul', 'ol', 'caption', 'colgroup'],
    td: ['td', 'th', 'p', 'li', 'ul', 'ol'],
    th: ['td', 'th', 'p', 'li', 'ul', 'ol'],
    thead: ['tr', 'td', 'th', 'p', 'caption', 'colgroup', 'thead', 'tbody', 'tfoot'],
    tbody: ['tr', 'td', 'th', 'p', 'caption', 'colgroup', 'thead', 'tbody', 'tfoot'],
    tfoot: ['tr', 'td', 'th', 'p', 'caption', 'colgroup', 'thead', 'tbody', 'tfoot'],
  }),
)
const CLOSES_PARAGRAPH = new Set(
  (
    'p div ul ol dl table blockquote pre h1 h2 h3 h4 h5 h6 hr section article aside main header footer figure nav ' +
    'address form fieldset'
  ).split(' '),
)

/** Raw-text elements closed in their own tag, as in XHTML: HTML would take the rest of the page for their content. */
const EMPTY_RAW_TEXT = /<(?:script|style|title|textarea|iframe|xmp|noembed|noframes)(?:\s[^<>]*)?\/>/gi

/** Only the text of deeper elements is read. */
const MAX_DEPTH = 1000
/** How many levels up an end tag may match; an end tag without a match is ignored. */
const REACH = 100

export interface ElementEvents {
  open(name: string, attributes: Attributes): void
  close(name: string): void
  text(text: string): void
}

/** The stack of open elements: closes elements without end tags, and ignores stray end tags. */
function createElementStack(events: ElementEvents) {
  const stack: string[] = []
  let [tooDeep, foreign] = [0, 0]
  const pop = () => {
    const name = stack.pop() ?? ''
    if (FOREIGN_NAMES.has(name)) foreign -= 1
    events.close(name)
  }
  const closeImplied = (name: string) => {
    if (CLOSES_PARAGRAPH.has(name) && stack.at(-1) === 'p') pop()
    // A head without an end would hide the whole page.
    if ((CLOSES_PARAGRAPH.has(name) || name === 'body') && stack.at(-1) === 'head') pop()
    const ends = IMPLIED_ENDS.get(name)
    while (ends?.includes(stack.at(-1) ?? '') === true) pop()
  }
  return {
    open(name: string, attributes: Attributes, isEmpty: boolean) {
      closeImplied(name)
      events.open(name, attributes)
      if (isEmpty) return events.close(name)
      if (stack.length < MAX_DEPTH) {
        stack.push(name)
        if (FOREIGN_NAMES.has(name)) foreign += 1
      } else {
        tooDeep += 1
        events.close(name)
      }
    },
    close(name: string) {
      if (tooDeep > 0) {
        tooDeep -= 1
        return
      }
      const at = stack.lastIndexOf(name)
      if (at === -1 || at < stack.length - REACH) return
      while (stack.length > at) pop()
    },
    end() {
      while (stack.length > 0) pop()
    },
    isForeign: () => foreign > 0 && stack.at(-1) !== 'foreignobject',
  }
}

const isXhtml = (html: string) =>
  /^\s*<\?xml|<html[^>]+xmlns\s*=\s*["']http:\/\/www\.w3\.org\/1999\/xhtml/i.test(html.slice(0, 2000))

/** Reads the elements of a page in order, well nested, in time linear in its length. */
export function readElements(page: string, events: ElementEvents): void {
  const html = page.replace(EMPTY_RAW_TEXT, '')
  const closesItself = isXhtml(html)
  const stack = createElementStack(events)
  let name = ''
  let attributes: Record<string, string> = {}
  let key = ''
  let value = ''
  const lower = (start: number, end: number) => html.slice(start, end).toLowerCase()
  const text = (start: number, end: number) => events.text(html.slice(start, end))
  const tokenizer = new Tokenizer(
    { decodeEntities: true },
    {
      ontext: text,
      ontextentity: (code) => events.text(String.fromCodePoint(code)),
      onopentagname(start, end) {
        name = lower(start, end)
        attributes = {}
      },
      onattribname(start, end) {
        key = lower(start, end)
        value = ''
      },
      onattribdata(start, end) {
        value += html.slice(start, end)
      },
      onattribentity(code) {
        value += String.fromCodePoint(code)
      },
      onattribend() {
        if (key !== '__proto__') attributes[key] ??= value
      },
      onopentagend: () => stack.open(name, attributes, EMPTY_NAMES.has(name)),
      // HTML ignores a slash at the end of a tag. XHTML means it, and some pages close an element with it that would
      // hide the rest.
      onselfclosingtag() {
        const isEmpty = EMPTY_NAMES.has(name) || HIDDEN_NAMES.has(name) || name === 'a' || name === 'p'
        stack.open(name, attributes, closesItself || isEmpty || stack.isForeign())
      },
      onclosetag: (start, end) => stack.close(lower(start, end)),
      oncdata: text,
      oncomment: () => undefined,
      ondeclaration: () => undefined,
      onprocessinginstruction: () => undefined,
      onend: () => undefined,
    },
  )
  tokenizer.write(html)
  tokenizer.end()
  stack.end()
}
