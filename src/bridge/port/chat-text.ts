import type { ChatEvent } from './platform.ts'

/**
 * The text of a whole reply that is not shown while it comes.
 *
 * @param maxChars reading ends beyond it. Default: no limit.
 */
export async function textOfReply(events: AsyncIterable<ChatEvent>, maxChars = Infinity): Promise<string> {
  let text = ''
  for await (const event of events) {
    if (event.type === 'retract') text = ''
    if (event.type === 'text') text += event.text
    if (text.length > maxChars) break
  }
  return text
}
