import type { Action, ConversationRef } from './message.ts'

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
}

/** Footbridge as a whole, as one person sees it: one part below the other. */
export interface Overview {
  readonly parts: readonly OverviewPart[]
  /** Questions that the person may want to ask, at most four. */
  readonly prompts: readonly string[]
}

export interface OverviewPart {
  readonly heading?: string
  /** Markdown, one paragraph or list. */
  readonly text: string
  readonly actions?: readonly Action[]
}

/** The conversation in which somebody looks at their overview. */
export const overviewOf = (adapter: string, workspace: string, personId: string): ConversationRef => ({
  adapter,
  workspace,
  channel: personId,
  direct: true,
})
