import type { Adapter, ChannelFacts } from '../port/adapter.ts'
import { type Authority, isWider, visibilityOf } from './authorize.ts'
import { channelKey } from '../port/keys.ts'
import type { ConversationRef } from '../port/message.ts'
import type { Log } from '../port/platform.ts'
import type { Preferences, ChannelRecord } from '../port/records.ts'

/** Preference of the linking channel: consent to a link between a private and a public channel. */
const CONSENT = 'link-across'

/**
 * The content that a link makes readable for more people. `shows`: private files in a public channel. `gives`: files dropped in a
 * private channel, since they go into a public channel's collection.
 */
export type Exposure = 'shows' | 'gives'

/** `from` uses the files of `to`. Undefined: the same people may read both. */
export function exposureOf(from: ChannelFacts, to: ChannelFacts): Exposure | undefined {
  if (visibilityOf(from) === visibilityOf(to)) return undefined
  return isWider(visibilityOf(from), visibilityOf(to)) ? 'shows' : 'gives'
}

/** Decides whether a channel may use another channel's collection now. */
export interface Links {
  /**
   * Checks both channels as they are now. A link between a private and a public channel needs a consent of its own, so
   * a link between two private channels is suspended once one of them becomes public. It is suspended too when the chat
   * service does not answer.
   */
  holds(from: ChannelRecord, to: ChannelRecord): Promise<boolean>
  /** Records an administrator's confirmed consent to open private content in this direction only. */
  consent(from: ConversationRef, to: ConversationRef, exposure: Exposure): Promise<void>
  forget(from: ConversationRef): Promise<void>
}

const consentTo = (key: string, exposure: Exposure) => `${exposure} ${key}`

export function createLinks(
  preferences: Preferences,
  adapterOf: (name: string) => Adapter | undefined,
  authority: Pick<Authority, 'isFrozen'>,
  log: Log,
): Links {
  async function facts(conversation: ConversationRef): Promise<ChannelFacts | undefined> {
    try {
      return await adapterOf(conversation.adapter)?.describeChannel(conversation)
    } catch (error) {
      log.warn(
        { err: error },
        'A linked channel could not be looked up; its link is suspended until the chat service answers',
      )
      return undefined
    }
  }
  return {
    async holds(from, to) {
      const [one, other] = await Promise.all([facts(from.conversation), facts(to.conversation)])
      if (one === undefined || other === undefined) return false
      if (await authority.isFrozen(adapterOf(to.conversation.adapter), to.conversation)) return false
      const exposure = exposureOf(one, other)
      return exposure === undefined || (await preferences.get(from.key, CONSENT)) === consentTo(to.key, exposure)
    },
    consent: (from, to, exposure) => preferences.set(channelKey(from), CONSENT, consentTo(channelKey(to), exposure)),
    forget: (from) => preferences.set(channelKey(from), CONSENT, undefined),
  }
}
