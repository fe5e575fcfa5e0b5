/** The messages that a person sees in a channel or thread now: after edits, streams and deletions. */
import { buttonsOf, markupTexts, readBlocks, type Button } from './blocks.ts'
import { str } from './types.ts'
import type { Workspace } from './workspace.ts'

export interface Shown {
  readonly ts: string
  readonly thread?: string
  readonly user: string
  /** Ours. */
  readonly own: boolean
  /** The message's markdown. */
  readonly body: string
  /** Small lines under it: references, receipts. */
  readonly lines: readonly string[]
  /** The contents of a folded container: the passages. */
  readonly folded: readonly string[]
  readonly buttons: readonly Button[]
  /** All of the above as one text. */
  readonly text: string
  readonly files: readonly string[]
  readonly streaming: boolean
  readonly edited: boolean
  readonly ephemeralTo?: string
  /** Whom the text calls: `U…`, `channel`, `here`, `everyone`, `subteam^S…`. Slack reads these in code too. */
  readonly notifies: readonly string[]
}

const calls = /<(?:@([UWB]\w+)|!((?:channel|here|everyone|subteam\^\w+)))(?:\|[^>]*)?>/gi

const calledIn = (texts: readonly string[]): string[] =>
  texts.flatMap((text) => [...text.matchAll(calls)].map((match) => match[1] ?? match[2] ?? ''))

export function transcript(workspace: Workspace, channel: string, thread?: string): Shown[] {
  return workspace
    .messagesIn(channel)
    .filter((message) => !message.deleted && message.unseen !== true)
    .filter((message) => thread === undefined || message.ts === thread || message.threadTs === thread)
    .map((message) => {
      const read = readBlocks(message.blocks)
      const said = message.markdown ?? (message.blocks.length > 0 ? '' : message.text)
      const body = [said, read.body].filter((part) => part !== '').join('\n')
      const buttons = buttonsOf(message.blocks)
      const labels = buttons.map((button) => `[${button.label}]`).join(' ')
      return {
        ts: message.ts,
        ...(message.threadTs === undefined ? {} : { thread: message.threadTs }),
        user: message.user,
        own: message.botId === workspace.botId,
        body,
        lines: read.lines,
        folded: read.folded,
        buttons,
        text: [body, ...read.lines, ...read.folded, labels].filter((part) => part !== '').join('\n'),
        files: message.files.map((file) => str(file['name']) ?? ''),
        streaming: message.stream?.open === true,
        edited: message.edited !== undefined,
        notifies: [...new Set(calledIn([said, message.text, ...markupTexts(message.blocks)]))],
        ...(message.ephemeralTo === undefined ? {} : { ephemeralTo: message.ephemeralTo }),
      }
    })
}
