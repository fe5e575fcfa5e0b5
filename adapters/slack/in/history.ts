import type { Adapter } from '../../../src/bridge/port/adapter.ts'
import { type Fields, list, text, toFields } from '../../shared/json.ts'
import { hasCode } from '../../shared/session.ts'
import { type Api, REPEATABLE } from '../api.ts'
import { ownText } from '../out/buttons.ts'
import { collectPages, type SentMessages, threadPages, tsOf } from '../out/find-send.ts'
import { stripGuards } from '../out/markup.ts'
import type { MessageReader } from './message.ts'

interface HistoryParts {
  readonly api: Api
  readonly messages: () => MessageReader
  readonly isOurs: SentMessages['isOurs']
}

/** Markdown of our message, if Slack returns it; else the fallback text, which is cut. */
function ownMarkdown(wire: Fields): string {
  const blocks = list(wire, 'blocks').filter((block) => text(block, 'type') === 'markdown')
  const markdown = blocks.map((block) => text(block, 'text') ?? '').join('\n\n')
  return markdown === '' ? ownText(wire) : stripGuards(markdown)
}

/** Reads earlier messages. */
export function createHistory(parts: HistoryParts): Required<Pick<Adapter, 'history' | 'read'>> {
  const { api, messages, isOurs } = parts
  return {
    async history(conversation, before) {
      // Commercial apps outside the Marketplace may call this once a minute: no answer waits for that.
      const pages = threadPages(api, conversation, { latest: before }, false)
      const found = (await collectPages(pages, ['not-found', 'rate-limited'])).filter(
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
