import type { Json } from './payloads.ts'
import { invalidForm, type Refusal, textOf } from './validate.ts'

/** A dialog as the bot described it. */
export interface Modal {
  readonly custom_id: string
  readonly title: string
  readonly components: readonly {
    readonly label: string
    readonly component: {
      readonly custom_id: string
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
}

const unknownField = (object: Json, fields: readonly string[]): Refusal | undefined => {
  const odd = Object.keys(object).find((name) => !fields.includes(name))
  return odd === undefined ? undefined : invalidForm(`data.${odd}`, 'UNKNOWN_FIELD', 'The double knows no such field.')
}

/** Limits of https://discord.com/developers/docs/components/reference#label and #text-input */
export function checkModal(value: unknown): Modal | Refusal {
  const data = (value ?? {}) as Json
  const components = Array.isArray(data['components']) ? (data['components'] as Json[]) : []
  if (components.length < 1 || components.length > 5)
    return invalidForm('data.components', 'BASE_TYPE_BAD_LENGTH', 'Must be between 1 and 5 in length.')
  for (const label of components) {
    const input = (label['component'] ?? {}) as Json
    if (label['type'] !== 18 || input['type'] !== 4)
      return invalidForm('data.components', 'UNION_TYPE_CHOICES', 'Labels with text inputs only.')
    const refusal =
      unknownField(label, known.label) ??
      unknownField(input, known.input) ??
      length('label', label['label'], 45) ??
      length('custom_id', input['custom_id'], 100) ??
      length('value', input['value'] ?? '', Number(input['max_length'] ?? 4000), 0) ??
      length('placeholder', input['placeholder'] ?? '', 100, 0)
    if (refusal !== undefined) return refusal
  }
  const refusal =
    unknownField(data, known.modal) ?? length('custom_id', data['custom_id'], 100) ?? length('title', data['title'], 45)
  return refusal ?? (data as unknown as Modal)
}
