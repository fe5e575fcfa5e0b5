import {
  type APIActionRowComponent,
  type APIButtonComponentWithCustomId,
  ButtonStyle,
  ComponentType,
  SelectMenuDefaultValueType,
  TextInputStyle,
} from 'discord.js'
import { AdapterError } from '#bridge/port/errors.ts'
import type { Form, FormField } from '#bridge/port/forms.ts'
import type { Action } from '#bridge/port/message.ts'
import { cut, quotedWords } from '#adapters/shared/outgoing.ts'
import { reasonsFor, toReason } from '#adapters/shared/reasons.ts'
import { MESSAGE_LIMITS } from '../config.ts'
import { escapeText } from './inline.ts'

export type ButtonRow = APIActionRowComponent<APIButtonComponentWithCustomId>

/** Rows of at most five, about as long as each other. The payload of a button travels in its id. */
export function toRows(actions: readonly Action[] = []): ButtonRow[] {
  if (actions.length > MESSAGE_LIMITS.rows * MESSAGE_LIMITS.buttonsPerRow) {
    throw new AdapterError('invalid', `Discord shows at most 25 buttons under a message, not ${actions.length}.`)
  }
  const rows: ButtonRow[] = []
  const perRow = Math.ceil(actions.length / Math.ceil(actions.length / MESSAGE_LIMITS.buttonsPerRow))
  for (let start = 0; start < actions.length; start += perRow) {
    const components = actions.slice(start, start + perRow).map(toButton)
    rows.push({ type: ComponentType.ActionRow, components })
  }
  return rows
}

const STYLES = { danger: ButtonStyle.Danger, primary: ButtonStyle.Primary, plain: ButtonStyle.Secondary } as const

function toButton(action: Action): APIButtonComponentWithCustomId {
  const bare = `${action.id}:${action.value}`
  const customId = action.prompt === undefined ? bare : packPrompt(bare, action.prompt)
  if (customId.length > MESSAGE_LIMITS.customId) {
    throw new AdapterError('invalid', `The button "${action.label}" carries more than the 100 characters of Discord.`)
  }
  return {
    type: ComponentType.Button,
    style: STYLES[action.style ?? 'plain'],
    label: cut(action.label, MESSAGE_LIMITS.label),
    custom_id: customId,
  }
}

/** Prefix of the custom id of a menu: its field, then the id of the action. */
const MENU = '='

/** A form as a panel of menus, since a dialog of Discord has room for five fields and 3 s; each choice is a submission. */
export function toMenus({ title, note, fields, action }: Form): readonly object[] {
  const menus = fields.flatMap(({ id, label, options, chosen, roles, text: typed }) => {
    if (typed !== undefined) return []
    const custom = `${MENU}${id}${SEPARATOR}${action.id}:${action.value}`
    const text = { type: ComponentType.TextDisplay, content: escapeText(label) }
    const row = (menu: object) => [text, { type: ComponentType.ActionRow, components: [menu] }]
    if (roles !== undefined) return row(roleMenu(custom, roles))
    const kept = options.slice(0, MESSAGE_LIMITS.options)
    const isKept = kept.some(({ value }) => value === chosen)
    const shown = isKept ? kept : [...kept.slice(0, -1), ...options.filter(({ value }) => value === chosen)]
    const menu = {
      type: ComponentType.StringSelect,
      custom_id: custom,
      options: shown.map(({ value, label: words }) => ({
        // Discord refuses an empty value.
        value: `${MENU}${value}`,
        label: cut(words, MESSAGE_LIMITS.option),
        default: value === chosen,
      })),
    }
    return row(menu)
  })
  const head = [`### ${escapeText(title)}`, ...(note === undefined ? [] : [note])].join('\n')
  return [{ type: ComponentType.TextDisplay, content: head }, ...menus, ...fields.flatMap(toWords)]
}

/** Words that are shown in small letters below, since a panel has no field to type them. */
function toWords({ label, text: typed = '', inWords = '' }: FormField): readonly object[] {
  const now = typed === '' ? '' : `${escapeText(label)}: **${escapeText(typed)}**`
  const content = [now, inWords].flatMap((line) => (line === '' ? [] : [`-# ${line}`])).join('\n')
  return content === '' ? [] : [{ type: ComponentType.TextDisplay, content }]
}

/** Discord lists the roles itself. */
const roleMenu = (custom: string, roles: readonly string[]) => ({
  type: ComponentType.RoleSelect,
  custom_id: custom,
  min_values: 0,
  max_values: MESSAGE_LIMITS.options,
  default_values: roles.slice(0, MESSAGE_LIMITS.options).map((id) => ({ id, type: SelectMenuDefaultValueType.Role })),
})

/** A choice in a menu, of one value or of roles: custom id of the form's action, and the field with its value as JSON. */
export function readMenu(custom: string, values: readonly string[]) {
  const [field, bare] = custom.slice(MENU.length).split(SEPARATOR)
  if (!custom.startsWith(MENU) || field === undefined || bare === undefined) return undefined
  const value = values.map((each) => (each.startsWith(MENU) ? each.slice(MENU.length) : each)).join(' ')
  return { custom: bare, text: JSON.stringify({ [field]: value }) }
}

/** Undefined: not one of our buttons. */
export function readCustomId(customId: string): { readonly id: string; readonly value: string } | undefined {
  const colon = customId.indexOf(':')
  if (colon <= 0) return undefined
  return { id: customId.slice(0, colon), value: customId.slice(colon + 1) }
}

type Prompt = NonNullable<Action['prompt']>

/** The dialog of a pressed button. Both texts may be missing: then the button's label is used. */
interface Dialog {
  readonly prefill: boolean
  readonly reasons: boolean
  readonly title?: string
  readonly label?: string
}

const FIELD = 'text'
const BOXES = 'reasons'
/** Prefixes of a custom id: `?` the button opens a dialog, `!` one filled with the message's text, `%` one with reasons. */
const MARKS = { plain: '?', prefilled: '!', reasons: '%' } as const
/** A character that our texts never contain. */
const SEPARATOR = '\u001F'

const MAX_FIELD = 4000
/**
 * A custom id has 100 characters for everything needed at the press, also after a restart. Title and label of the
 * dialog are included if they fit.
 */
export function packPrompt(custom: string, { title, label, prefill, reasons }: Prompt): string {
  const bare = `${MARKS[reasons ? 'reasons' : prefill ? 'prefilled' : 'plain']}${custom}`
  const whole = [bare, title, label].join(SEPARATOR)
  return whole.length <= MESSAGE_LIMITS.customId ? whole : bare
}

export function unpackPrompt(custom: string): { readonly custom: string; readonly dialog?: Dialog } {
  if (!Object.values<string>(MARKS).includes(custom.charAt(0))) return { custom }
  const [bare = '', title, label] = custom.slice(1).split(SEPARATOR)
  const kind = { prefill: custom.startsWith(MARKS.prefilled), reasons: custom.startsWith(MARKS.reasons) }
  return { custom: bare, dialog: label === undefined ? kind : { ...kind, title, label } }
}

/** The original text of our message: without mentions, guards, reference lines, and quotation marks around all of it. */
export function ownText(content: string): string {
  const own = content.replace(/^(?:<@\d+> ?)+\n/, '').replace(/(?:\n-# [^\n]*)+$/, '')
  return quotedWords(own.replaceAll('\u200B', '').trim())
}

/** A press, and the language of who pressed. */
interface Pressed {
  readonly id: string
  readonly label: string
  readonly content: string
  readonly locale: string
}

/** https://discord.com/developers/docs/components/reference#label, #text-input and #checkbox-group */
export function toModal(custom: string, dialog: Dialog, pressed: Pressed) {
  const value = dialog.prefill ? cut(ownText(pressed.content), MAX_FIELD) : ''
  const { label, options } = reasonsFor(pressed.locale)
  // Clients on telephones let nobody untick all without `min_values`: discord-api-docs#8272.
  const boxes = { type: ComponentType.CheckboxGroup, custom_id: BOXES, options, required: false, min_values: 0 }
  const field = {
    type: ComponentType.TextInput,
    custom_id: FIELD,
    style: TextInputStyle.Paragraph,
    max_length: MAX_FIELD,
    // A reason may be left out; a text that is corrected may not.
    required: dialog.prefill,
    value: value === '' ? undefined : value,
  }
  return {
    custom_id: onceOnly(custom, pressed.id),
    title: cut(dialog.title ?? pressed.label, MESSAGE_LIMITS.modal),
    components: [
      ...(dialog.reasons ? [{ type: ComponentType.Label, label, component: boxes }] : []),
      { type: ComponentType.Label, label: cut(dialog.label ?? pressed.label, MESSAGE_LIMITS.modal), component: field },
    ],
  }
}

/** Telephones show an earlier dialog of the same id again, with its text: discord-api-docs#7554. */
function onceOnly(custom: string, press: string): string {
  const own = `${custom}${SEPARATOR}${press}`
  return own.length <= MESSAGE_LIMITS.customId ? own : custom
}

interface Typed {
  readonly custom_id?: string
  readonly value?: string
  readonly values?: readonly string[]
  readonly component?: Typed
  readonly components?: readonly Typed[]
}

/** A submitted dialog: the custom id of its button, and its text. */
export function readModal({
  custom_id,
  components,
}: {
  readonly custom_id: string
  readonly components: readonly object[]
}) {
  const [custom = ''] = custom_id.split(SEPARATOR)
  const fields = flatten(components)
  const find = (id: string) => fields.find((field) => field.custom_id === id)
  return { custom, text: toReason(find(BOXES)?.values ?? [], find(FIELD)?.value ?? '') }
}

/** A field may be inside a label or a row. */
const flatten = (components: readonly Typed[]): readonly Typed[] =>
  components.flatMap((each) => [
    each,
    ...flatten([...(each.component ? [each.component] : []), ...(each.components ?? [])]),
  ])
