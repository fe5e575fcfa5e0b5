import type { OpenReference } from '../references/reference-panel.tsx'
import type { ChatActions } from '../chat/use-chat.ts'

/** What every message needs beside itself. */
export interface MessageTools {
  readonly actions: ChatActions
  readonly openReference: OpenReference | undefined
  readonly onReference: (reference: OpenReference) => void
}
