/** A dialog for one text, opened by a press. */
export interface Prompt {
  readonly title: string
  readonly label: string
  /** The text begins with that of the message. */
  readonly prefill?: 'message'
  /** Reasons against an answer can be ticked, too (`adapters/shared/reasons.ts`): the text begins with them. */
  readonly reasons?: true
}
