import type { Attributes } from '../markdown/blocks.ts'

/** Fields whose value was not filled in, or is invisible. */
const WITHOUT_VALUE = new Set('hidden password submit button reset image file checkbox radio'.split(' '))

/** Value of a filled-in field; empty for a field that shows none. */
export const fieldValue = ({ type = 'text', value = '' }: Attributes) =>
  WITHOUT_VALUE.has(type.toLowerCase()) ? '' : value

/** `[x]` or `[ ]` for a box; undefined for other fields. */
export function tickOf({ type = 'text', checked }: Attributes): string | undefined {
  if (!/^(?:checkbox|radio)$/i.test(type)) return undefined
  return checked === undefined ? '[ ]' : '[x]'
}

/** Elements whose text is apart from that of their label. */
export const FIELD_NAMES: ReadonlySet<string> = new Set(['select', 'option', 'textarea'])

/** Options that were not chosen. */
export const isOpenChoice = (name: string, attributes: Attributes) => name === 'option' && !('selected' in attributes)
