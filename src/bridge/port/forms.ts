import type { Action, ConversationRef, Reference } from './message.ts'

/** A dialog in which a person chooses values. Its submission is an `action` event: `text` is the values as JSON. */
export interface Form {
  readonly title: string
  readonly submit: string
  /** Empty: there is nothing to choose, and `note` says why. */
  readonly fields: readonly FormField[]
  readonly note?: string
  /** Id and value of the `action` event. */
  readonly action: Pick<Action, 'id' | 'value'>
}

export interface FormField {
  readonly id: string
  readonly label: string
  /** At most 100. */
  readonly options: readonly { readonly value: string; readonly label: string }[]
  /** One of the options' values. */
  readonly chosen: string
  /** Instead of an option, any number of roles may be chosen, now these: the value is their ids, one blank between two. */
  readonly roles?: readonly string[]
  /** Instead of an option, words may be typed, now these; a service without such fields shows them. */
  readonly text?: string
  /** The sentence that a service without such fields shows: how the same is said in words. */
  readonly inWords?: string
}

/** Footbridge as a whole, as one person sees it: one part below the other. */
export interface Overview {
  /** Absent: only the prompts change. */
  readonly parts?: readonly OverviewPart[]
  /** Questions that the person may want to ask, at most four: the label, and the message that it sends. */
  readonly prompts: readonly { readonly title: string; readonly message: string }[]
}

export interface OverviewPart {
  readonly heading?: string
  /** Markdown, one paragraph or list. */
  readonly text: string
  readonly actions?: readonly Action[]
}

/** An answer or a file that a message links to, in short; all texts are plain. */
export interface Card {
  /** As it is in the message. */
  readonly url: string
  readonly title: string
  readonly text: string
  readonly note: string
  /** When it was answered or dropped, milliseconds: the card and its details are as old as that. */
  readonly at: number
  /** It is a file: who dropped it, and when. Absent: it is an answer. */
  readonly file?: Pick<Reference, 'droppedBy' | 'droppedAt'>
}

/**
 * Details of a card for one person: the answer with its passages, one reference of it, the beginning of a file, or why
 * it is not shown to them. Texts are plain.
 */
export type Details =
  | (Pick<Card, 'title' | 'text' | 'at' | 'file'> & { readonly references: readonly Reference[] })
  | (Pick<Card, 'at'> & { readonly reference: Reference })
  | { readonly refusal: string }

/** The conversation in which somebody looks at their overview. */
export const overviewOf = (adapter: string, workspace: string, personId: string): ConversationRef => ({
  adapter,
  workspace,
  channel: personId,
  direct: true,
})
