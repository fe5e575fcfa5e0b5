/** `{ [key]: value }`, or nothing where the platform said nothing. */
export function given<K extends string, V>(key: K, value: V | null | undefined): { [P in K]?: V } {
  return value === null || value === undefined ? {} : ({ [key]: value } as { [P in K]?: V })
}
