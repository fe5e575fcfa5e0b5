/** Unchecked fields of a JSON object from a service. */
export type Fields = Readonly<Record<string, unknown>>

export function toFields(value: unknown): Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Fields) : {}
}

/** Empty if the text is no JSON object. */
export function parseFields(json: string): Fields {
  try {
    return toFields(JSON.parse(json))
  } catch {
    return {}
  }
}

/** A text field; undefined if it is empty too. */
export const text = (fields: Fields, name: string): string | undefined => {
  const value = fields[name]
  return typeof value === 'string' && value !== '' ? value : undefined
}

export const number = (fields: Fields, name: string): number | undefined => {
  const value = fields[name]
  return typeof value === 'number' && Number.isFinite(value) ? value : undefined
}

export const list = (fields: Fields, name: string): readonly Fields[] => {
  const value = fields[name]
  return Array.isArray(value) ? value.map(toFields) : []
}
