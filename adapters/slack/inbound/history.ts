import type { Adapter } from '#bridge/port/adapter.ts'
import type { ConversationRef } from '#bridge/port/message.ts'
import { type Fields, list, text, toFields } from '#adapters/shared/json.ts'
import { hasCode } from '#adapters/shared/session.ts'
import { type Api, REPEATABLE, REPEATABLE_NOW } from '../api.ts'
import type { ReadPace } from '../calls/read-pace.ts'
import { ownText } from '../outbound/buttons.ts'
import { collectPages, PAGE_SIZE, type SentMessages, threadPages, tsOf } from '../outbound/find-send.ts'
import { stripGuards } from '../outbound/markup.ts'
import type { MessageReader } from './message.ts'

interface HistoryParts {
  readonly api: Api
  readonly messages: () => MessageReader
  readonly isOurs: SentMessages['isOurs']
  readonly pace: ReadPace
}

/** Markdown of our message, if Slack returns it; else the fallback text, which is cut. */
function ownMarkdown(wire: Fields): string {
  const blocks = list(wire, 'blocks').filter((block) => text(block, 'type') === 'markdown')
  const markdown = blocks.map((block) => text(block, 'text') ?? '').join('\n\n')
  return markdown === '' ? ownText(wire) : stripGuards(markdown)
}

/** Commercial apps outside the Marketplace may ask once a minute: no answer waits for that. */
const ENDS = ['not-found', 'rate-limited'] as const

async function* firstPage(pages: AsyncIterable<Fields[]>): AsyncGenerator<Fields[]> {
  for await (const page of pages) {
    yield page
    return
  }
}

/**
 * The messages of a thread. Slack tells the oldest first: a long thread is read on from `since`, with its root. Where
 * Slack gives one page a minute, one page is read.
 */
async function readThread(
  { api, pace }: Pick<HistoryParts, 'api' | 'pace'>,
  conversation: ConversationRef,
  { latest, since }: { readonly latest: string; readonly since?: string },
): Promise<Fields[]> {
  const pages = (oldest?: string) => threadPages(api, conversation, { oldest, latest }, REPEATABLE_NOW, pace)
  if (pace.isSlow) return collectPages(firstPage(pages(since)), ENDS)
  if (since === undefined) return collectPages(pages(), ENDS)
  const first = await collectPages(firstPage(pages()), ENDS)
  if (first.length < PAGE_SIZE && !pace.isSlow) return first
  const later = await collectPages(pages(since), ENDS)
  return later.length === 0 ? first : later
}

/** Reads earlier messages. */
export function createHistory(parts: HistoryParts): Pick<Adapter, 'history' | 'read'> {
  const { api, messages, isOurs } = parts
  return {
    async history(conversation, before, since) {
      const found = (await readThread(parts, conversation, { latest: before, since })).filter(
        (wire) => !isOurs(wire) && tsOf(wire) < before && text(wire, 'subtype') !== 'tombstone',
      )
      return Promise.all(found.map((wire) => messages().toMessage(wire, conversation)))
    },
    async read({ conversation, id }) {
      const args = { channel: conversation.channel, ts: id, latest: id, inclusive: true, limit: 1 }
      try {
        const answer = await api.call('conversations.replies', (web) => web.conversations.replies(args), REPEATABLE)
        const wire = (answer.messages ?? []).map(toFields).find((one) => tsOf(one) === id)
        if (wire === undefined || text(wire, 'subtype') === 'tombstone') return undefined
        const thread = text(wire, 'thread_ts') ?? id
        const message = await messages().toMessage(wire, { ...conversation, thread })
        return isOurs(wire) ? { ...message, text: ownMarkdown(wire) } : message
      } catch (error) {
        if (hasCode(error, 'not-found', 'forbidden')) return undefined
        throw error
      }
    },
  }
}
