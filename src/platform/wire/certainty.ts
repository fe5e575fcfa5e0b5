/**
 * How sure a name or shape is that the interface calls "not shown". A: seen on the wire or in server source. B: two
 * independent clients or official documentation. C: one client. D: inferred from the software behind it. U: unknown,
 * our own choice.
 */
export type Certainty = 'A' | 'B' | 'C' | 'D' | 'U'

/** Schema metadata that marks a guess; it shows as an extension in every JSON schema made from the contract. */
export function guess(certainty: Certainty, note?: string) {
  return { 'x-sureness': certainty, 'x-guess': note }
}
