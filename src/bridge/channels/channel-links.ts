import type { Adapter, ChannelFacts } from '../port/adapter.ts'
import { channelKey, type ConversationRef } from '../port/message.ts'
import type { Log } from '../port/platform.ts'
import type { Preferences, ChannelRecord } from '../port/records.ts'

/** Preference of the using channel: consent to a link between a private and a public channel. */
const CONSENT = 'link-across'

/** The direction that a link opens: it shows what is private in a public channel, or gives what a private one gets to a public one. */
export type Crossing = 'shows' | 'gives'

/** Undefined: a link between channels of one kind. `from` uses the files of `to`. */
export function crossingOf(from: ChannelFacts, to: ChannelFacts): Crossing | undefined {
  if (from.isPublic === to.isPublic) return undefined
  return from.isPublic ? 'shows' : 'gives'
}

/** Decides whether a channel may use the collection of another at this moment. */
export interface Links {
  /**
   * Looks at both channels as they are now. A link between a private and a public channel lets people read what they
   * could not: it holds only with a consent of its own, so one that was made between two private channels rests once
   * either of them is made public. What can't be told rests too.
   */
  holds(from: ChannelRecord, to: ChannelRecord): Promise<boolean>
  /** An administrator said twice that this link may open what is private in this direction; in the other it may not. */
  consent(from: ConversationRef, to: ConversationRef, crossing: Crossing): Promise<void>
  forget(from: ConversationRef): Promise<void>
}

const consentTo = (key: string, crossing: Crossing) => `${crossing} ${key}`

export function createLinks(
  preferences: Preferences,
  adapterOf: (name: string) => Adapter | undefined,
  log: Log,
): Links {
  async function facts(conversation: ConversationRef): Promise<ChannelFacts | undefined> {
    try {
      return await adapterOf(conversation.adapter)?.about?.(conversation)
    } catch (error) {
      log.warn({ err: error }, 'A channel could not be looked at; its link rests')
      return undefined
    }
  }
  return {
    async holds(from, to) {
      const [one, other] = await Promise.all([facts(from.conversation), facts(to.conversation)])
      if (one === undefined || other === undefined) return false
      const crossing = crossingOf(one, other)
      return crossing === undefined || (await preferences.get(from.key, CONSENT)) === consentTo(to.key, crossing)
    },
    consent: (from, to, crossing) => preferences.set(channelKey(from), CONSENT, consentTo(channelKey(to), crossing)),
    forget: (from) => preferences.set(channelKey(from), CONSENT, undefined),
  }
}
