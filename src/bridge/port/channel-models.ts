import type { ConversationRef } from './message.ts'

/** The language model of a channel, for an adapter that shows the choice itself (the page). The caller checks who may choose. */
export interface ChannelModels {
  /** @throws {PlatformError} when the platform cannot list its models now */
  choiceIn(conversation: ConversationRef, signal: AbortSignal): Promise<ModelChoice>
  /**
   * Sets the model of the whole channel, or of all direct conversations with this person, and of this conversation.
   *
   * @param model undefined: back to the usual one
   * @returns false: the platform has no such model
   */
  chooseIn(conversation: ConversationRef, model: string | undefined, signal: AbortSignal): Promise<boolean>
}

export interface ModelChoice {
  /** All models that read and write text. */
  readonly models: readonly string[]
  /** Answers where nothing is chosen. */
  readonly usual: string
  /** Absent: nothing is chosen here, or the platform lost it. */
  readonly chosen?: string
}
