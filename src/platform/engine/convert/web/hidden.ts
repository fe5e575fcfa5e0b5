import type { Attributes } from '../markdown/blocks.ts'
import { isOpenChoice } from './forms.ts'
import { EMPTY_NAMES, HIDDEN_NAMES } from './html-elements.ts'

const OUT_OF_SIGHT =
  /(?:^|[;\s])(?:display\s{0,9}:\s{0,9}none|visibility\s{0,9}:\s{0,9}(?:hidden|collapse))\s{0,9}(?:!|;|$)/i
/** Text of no size is for machines: keywords, marks of the sender, orders to whoever reads it. */
const NO_SIZE = /(?:^|[;\s])(?:font-size|font)\s{0,9}:\s{0,9}0(?:\.0{1,9})?(?:px|pt|em|rem|%)?\s{0,9}(?:!|;|\/|\s|$)/i

/** A size of its own: within text of no size it is visible. A relative size is no size there. */
const SIZE =
  /(?:^|[;\s])font(?:-size)?\s{0,9}:[^;]{0,80}?(?:[1-9]\d{0,3}(?:\.\d{1,9})?(?:px|pt|rem|vw|mm|cm)|medium|small|large)/i

/** Text of a component, in the form in which pages are saved. */
const isShadow = (name: string, { shadowrootmode: mode, shadowroot = mode }: Attributes) =>
  name === 'template' && (shadowroot === 'open' || shadowroot === 'closed')

/** Elements that never show their text: of them also formulas that KaTeX draws a second time. */
const isNeverShown = (name: string, attributes: Attributes) =>
  (HIDDEN_NAMES.has(name) && !isShadow(name, attributes)) ||
  isOpenChoice(name, attributes) ||
  attributes['class'] === 'katex-html'

const isClosed = (attributes: Attributes) =>
  (attributes['hidden'] ?? 'until-found') !== 'until-found' || OUT_OF_SIGHT.test(attributes['style'] ?? '')

/** Parts that a press on the line before them opens. Menus, dialogs and notices are of other names or say so. */
const COLLAPSIBLE = new Set('div dd p section article td'.split(' '))
const ASIDE = /menu|nav|dialog|modal|popup|tooltip|cookie|consent|banner|overlay|toast|preheader|preview/i
/** Longer text is no question, title or button. */
const MAX_TITLE = 300

/**
 * Decides which elements of a page are left out: preview lines of mails, text for machines, parts that a script shows
 * later. With `keepCollapsed`, the closed answers of a saved help page stay: parts that follow a short text.
 */
export function createHiddenParts(keepCollapsed: boolean) {
  /** For each open element the letters of its text so far, and of its last closed child; whether its text has no size. */
  const open: { letters: number; before: number; isTiny: boolean }[] = [{ letters: 0, before: 0, isTiny: false }]
  const isCollapsed = (name: string, attributes: Attributes) => {
    const { before } = open.at(-1) ?? { before: 0 }
    const named = `${attributes['class'] ?? ''} ${attributes['id'] ?? ''} ${attributes['role'] ?? ''}`
    return COLLAPSIBLE.has(name) && before > 0 && before <= MAX_TITLE && !ASIDE.test(named)
  }
  return {
    isHidden(name: string, attributes: Attributes): boolean {
      if (isNeverShown(name, attributes)) return true
      if (EMPTY_NAMES.has(name) || name === 'html' || name === 'body' || !isClosed(attributes)) return false
      return !(keepCollapsed && isCollapsed(name, attributes))
    },
    open({ style = '' }: Attributes): void {
      const isTiny = NO_SIZE.test(style) || (open.at(-1)?.isTiny === true && !SIZE.test(style))
      open.push({ letters: 0, before: 0, isTiny })
    },
    isTiny: () => open.at(-1)?.isTiny === true,
    text(text: string): void {
      const element = open.at(-1)
      if (element === undefined) return
      const letters = text.trim().length
      element.letters += letters
      element.before += letters
    },
    close(): void {
      const closed = open.length > 1 ? open.pop() : undefined
      const parent = open.at(-1)
      if (closed === undefined || parent === undefined) return
      parent.letters += closed.letters
      if (closed.letters > 0) parent.before = closed.letters
    },
  }
}
