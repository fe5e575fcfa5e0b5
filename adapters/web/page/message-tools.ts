import type { OpenReference } from './reference-panel.tsx'
import type { Chat } from './use-chat.ts'

/** What every message needs beside itself. */
export interface MessageTools {
  readonly chat: Chat
  readonly openReference: OpenReference | undefined
  readonly onReference: (reference: OpenReference) => void
}
