import type { OpenReference } from '../references/reference-panel.tsx'
import type { ChatActions } from '../chat/use-chat.ts'

/** Tools that every message is drawn with. */
export interface MessageTools {
  readonly actions: ChatActions
  readonly openReference: OpenReference | undefined
  readonly onReference: (reference: OpenReference) => void
}
