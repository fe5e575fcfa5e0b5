import type { ConversationRef } from '#bridge/port/message.ts'
import type { Log } from '#bridge/port/platform.ts'
import { createLru } from '#lib/lru.ts'
import { cut } from '#adapters/shared/outgoing.ts'
import { hasCode } from '#adapters/shared/session.ts'
import { type Api, REPEATABLE, REPEATABLE_NOW } from '../api.ts'
import { slackCode } from '../errors.ts'

/** https://docs.slack.dev/ai/agent-sessions. A session being processed becomes active after an hour by itself. */
export type SessionStatus = 'processing' | 'active' | 'suspended' | 'closed'

/** Agent sessions: one a thread. Nothing here throws. */
export interface Sessions {
  /** False: the older status lines are used. They have words, and our next message removes them. */
  isUsed(): boolean
  /**
   * @param words of an older status line
   * @param begins called when the call has its turn; false: it is not wanted any more
   */
  set(conversation: ConversationRef, status: SessionStatus, words?: string, begins?: () => boolean): Promise<void>
  /** The title of a session that is to come. */
  name(conversation: ConversationRef, question: string): void
  /** The session of this thread is there now: Slack refuses to name one that is not. */
  begun(conversation: ConversationRef): void
}

const MAX_TITLE = 200
const MAX_TITLES = 500

/** Slack lists no errors of these methods. Others report them: automagik-dev/omni#937, NousResearch/hermes-agent#110374. */
const OF_APP = new Set(['missing_scope', 'not_allowed_token_type', 'feature_disabled', 'method_deprecated'])
const OF_PLACE = /channel|thread|user|session|invalid|denied/

/** Whether Slack refuses sessions of this app altogether. An unknown code says so until Slack has taken a session. */
function isOfApp(error: unknown, wasTaken: boolean): boolean {
  const code = slackCode(error) ?? ''
  if (OF_APP.has(code)) return true
  return !wasTaken && (code === 'no_permission' || (hasCode(error, 'invalid') && !OF_PLACE.test(code)))
}

export const keyOf = ({ channel, thread }: ConversationRef) => `${channel}:${thread ?? ''}`

// oxlint-disable-next-line max-lines-per-function -- a factory: it only returns methods
export function createSessions(api: Api, log: Log): Sessions {
  const titles = createLru<string>(MAX_TITLES)
  const reported = new Set<string>()
  let isOlder = false
  let wasTaken = false

  async function setSession(channel: string, thread: string, status: SessionStatus, begins: () => boolean) {
    const args = { channel_id: channel, thread_ts: thread, status }
    await api.call(
      'agents.sessions.setStatus',
      async (web) => {
        if (!begins()) return
        await web.agents.sessions.setStatus(args)
        wasTaken = true
        isOlder = false
      },
      // A session whose end is refused for now would look busy for an hour.
      status === 'processing' ? REPEATABLE_NOW : REPEATABLE,
    )
  }

  async function setLine(channel: string, thread: string, status: string, begins: () => boolean) {
    const args = { channel_id: channel, thread_ts: thread, status }
    await api.call(
      'assistant.threads.setStatus',
      async (web) => {
        if (begins()) await web.assistant.threads.setStatus(args)
      },
      REPEATABLE_NOW,
    )
  }

  function begun(conversation: ConversationRef): void {
    const { channel, thread } = conversation
    const title = titles.get(keyOf(conversation))
    if (title === undefined || thread === undefined || isOlder) return
    titles.delete(keyOf(conversation))
    const args = { channel_id: channel, thread_ts: thread, title }
    void api
      .call('agents.sessions.rename', (web) => web.agents.sessions.rename(args), REPEATABLE_NOW)
      .catch((error: unknown) => log.debug({ err: error }, 'Slack did not take the title of a session.'))
  }

  /** @returns false: the older line is to be used, from now on */
  async function setAsSession(
    conversation: ConversationRef,
    status: SessionStatus,
    begins: () => boolean,
  ): Promise<boolean> {
    const { channel, thread = '' } = conversation
    try {
      await setSession(channel, thread, status, begins)
      if (status === 'processing') begun(conversation)
      return true
    } catch (error) {
      if (!isOfApp(error, wasTaken)) throw error
      isOlder = true
      log.info({ err: error }, 'Slack has no agent sessions for this app: the older status lines are used')
      return false
    }
  }

  return {
    isUsed: () => !isOlder,
    async set(conversation, status, words = '', begins = () => true) {
      const { channel, thread } = conversation
      if (thread === undefined) return
      try {
        if (!isOlder && (await setAsSession(conversation, status, begins))) return
        if (status === 'processing' || status === 'active') await setLine(channel, thread, words, begins)
      } catch (error) {
        // A thread that is gone has no work to end.
        if (status !== 'processing' && hasCode(error, 'not-found')) return
        const why = slackCode(error) ?? 'unreached'
        if (reported.has(why)) return
        reported.add(why)
        log.warn({ err: error }, 'A status could not be shown in Slack; answers come without it. This is logged once')
      }
    },
    name(conversation, question) {
      const title = cut(question.replaceAll(/\s+/g, ' ').trim(), MAX_TITLE)
      if (title !== '') titles.set(keyOf(conversation), title)
    },
    begun,
  }
}
