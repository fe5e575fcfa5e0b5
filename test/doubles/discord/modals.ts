import type { Json } from './payloads.ts'
import { invalidForm, type Refusal, textOf } from './validate.ts'

/** A dialog as the bot described it. */
export interface Modal {
  readonly custom_id: string
  readonly title: string
  readonly components: readonly {
    readonly label: string
    readonly component: {
      readonly type?: number
      readonly custom_id: string
      readonly max_values?: number
      readonly options?: readonly { readonly value: string; readonly label: string; readonly default?: boolean }[]
      readonly value?: string
      readonly max_length?: number
      readonly required?: boolean
    }
  }[]
}

const length = (path: string, value: unknown, max: number, min = 1): Refusal | undefined => {
  const text = textOf(value)
  if (text.length >= min && text.length <= max) return undefined
  return invalidForm(`data.${path}`, 'BASE_TYPE_BAD_LENGTH', `Must be between ${min} and ${max} in length.`)
}

const known = {
  modal: ['custom_id', 'title', 'components'],
  label: ['type', 'label', 'description', 'component'],
  input: ['type', 'custom_id', 'style', 'min_length', 'max_length', 'required', 'value', 'placeholder'],
  files: ['type', 'custom_id', 'min_values', 'max_values', 'required'],
  radio: ['type', 'custom_id', 'options', 'required'],
  boxes: ['type', 'custom_id', 'options', 'required', 'min_values', 'max_values'],
}

const unknownField = (object: Json, fields: readonly string[]): Refusal | undefined => {
  const odd = Object.keys(object).find((name) => !fields.includes(name))
  return odd === undefined ? undefined : invalidForm(`data.${odd}`, 'UNKNOWN_FIELD', 'The double knows no such field.')
}

/** By the type of the component: text input, file upload, radio group, checkbox group. */
const FIELDS: Readonly<Record<number, readonly string[]>> = {
  4: known.input,
  19: known.files,
  21: known.radio,
  22: known.boxes,
}

/** Options at least and at most. */
const OPTIONS: Readonly<Record<number, readonly [number, number]>> = { 21: [2, 10], 22: [1, 10] }

/** https://docs.discord.com/developers/components/reference#file-upload, #radio-group and #checkbox-group */
function checkChoices(input: Json): Refusal | undefined {
  if (input['type'] === 19 && Number(input['max_values'] ?? 1) > 10)
    return invalidForm('data.max_values', 'NUMBER_TYPE_MAX', 'At most 10.')
  const [least, most] = OPTIONS[Number(input['type'])] ?? []
  if (least === undefined || most === undefined) return undefined
  const options = Array.isArray(input['options']) ? (input['options'] as Json[]) : []
  if (options.length < least || options.length > most)
    return invalidForm('data.options', 'BASE_TYPE_BAD_LENGTH', `Must be between ${least} and ${most} in length.`)
  // A group that need not be ticked says so twice, or the client asks for a tick.
  if (input['type'] === 22 && input['required'] === false && input['min_values'] !== 0)
    return invalidForm('data.min_values', 'CHECKBOX_GROUP_MIN', 'Must be 0 where nothing is required.')
  return options
    .flatMap(({ label, value }) => [length('label', label, 100), length('value', value, 100)])
    .find((refusal) => refusal !== undefined)
}

/** Limits of https://discord.com/developers/docs/components/reference#label and #text-input */
export function checkModal(value: unknown): Modal | Refusal {
  const data = (value ?? {}) as Json
  const components = Array.isArray(data['components']) ? (data['components'] as Json[]) : []
  if (components.length < 1 || components.length > 5)
    return invalidForm('data.components', 'BASE_TYPE_BAD_LENGTH', 'Must be between 1 and 5 in length.')
  for (const label of components) {
    const input = (label['component'] ?? {}) as Json
    const fields = label['type'] === 18 ? FIELDS[Number(input['type'])] : undefined
    if (fields === undefined)
      return invalidForm(
        'data.components',
        'UNION_TYPE_CHOICES',
        'Labels with text inputs, files, radio groups or checkbox groups only.',
      )
    const refusal =
      unknownField(label, known.label) ??
      unknownField(input, fields) ??
      length('label', label['label'], 45) ??
      length('custom_id', input['custom_id'], 100) ??
      checkChoices(input) ??
      length('value', input['value'] ?? '', Number(input['max_length'] ?? 4000), 0) ??
      length('placeholder', input['placeholder'] ?? '', 100, 0)
    if (refusal !== undefined) return refusal
  }
  const refusal =
    unknownField(data, known.modal) ?? length('custom_id', data['custom_id'], 100) ?? length('title', data['title'], 45)
  return refusal ?? (data as unknown as Modal)
}
