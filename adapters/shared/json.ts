/** Fields of a JSON object as a service sends it: each is unknown until looked at. */
export type Fields = Readonly<Record<string, unknown>>

export function toFields(value: unknown): Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Fields) : {}
}

/** No fields where the text is no JSON object. */
export function parseFields(json: string): Fields {
  try {
    return toFields(JSON.parse(json))
  } catch {
    return {}
  }
}

/** Undefined for an empty text too. */
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
