import type { Attributes } from '../markdown/blocks.ts'
import type { ElementEvents } from './html-elements.ts'

/** Parts of tables that programs make of other elements, by their role for screen readers. */
const PARTS: ReadonlyMap<string, string> = new Map([
  ['table', 'table'],
  ['grid', 'table'],
  ['treegrid', 'table'],
  ['row', 'tr'],
  ['columnheader', 'th'],
  ['rowheader', 'th'],
  ['cell', 'td'],
  ['gridcell', 'td'],
])
/** Elements that mean nothing by themselves. */
const PLAIN = new Set(['div', 'span', 'section'])

/** Whether an element is a box for ticking, as Confluence, Notion and screen readers mark it; undefined for others. */
function tickedBox(name: string, attributes: Attributes): boolean | undefined {
  const { class: classes = '', role } = attributes
  if (name === 'li' && 'data-inline-task-id' in attributes) return /(?:^|\s)checked(?:\s|$)/.test(classes)
  if (name !== 'input' && role === 'checkbox') return attributes['aria-checked'] === 'true'
  const [, state] = /(?:^|\s)checkbox-(on|off)(?:\s|$)/.exec(classes) ?? []
  return state === undefined ? undefined : state === 'on'
}

/** Elements by what they are for: tables made of other elements are tables, and ticks are those of a form. */
export function withRoles(events: ElementEvents): ElementEvents {
  const names: string[] = []
  let tables = 0
  const shownAs = (name: string, role = '') => {
    const part = PLAIN.has(name) ? PARTS.get(role) : undefined
    return part === undefined || (part !== 'table' && tables === 0) ? name : part
  }
  return {
    open(name, attributes) {
      const shown = shownAs(name, attributes['role'])
      if (shown === 'table' && shown !== name) tables += 1
      names.push(shown === name ? '' : shown)
      events.open(shown, attributes)
      const isTicked = tickedBox(name, attributes)
      if (isTicked === undefined) return
      events.open('input', isTicked ? { type: 'checkbox', checked: '' } : { type: 'checkbox' })
      events.close('input')
    },
    close(name) {
      const shown = names.pop() ?? ''
      if (shown === 'table') tables -= 1
      events.close(shown === '' ? name : shown)
    },
    text: (text) => events.text(text),
  }
}
