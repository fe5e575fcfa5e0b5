import type { Log } from '#bridge/port/platform.ts'
import { WITHOUT_CONTENT } from '../set-up.ts'

/** Whether Footbridge asks Discord for the words and files of messages that do not mention it (Message Content). */
export interface MessageContent {
  readonly isAsked: () => boolean
  /** Discord refused it: the next connection goes without. False: it was not asked for. */
  readonly refuse: () => boolean
}

/** @param isWanted false: it is never asked for (`DISCORD_MESSAGE_CONTENT=off`) */
export function createMessageContent(isWanted: boolean, log: Log): MessageContent {
  let isAsked = isWanted
  if (!isWanted) log.info({}, `Discord: DISCORD_MESSAGE_CONTENT is off. ${WITHOUT_CONTENT}`)
  return {
    isAsked: () => isAsked,
    refuse() {
      if (!isAsked) return false
      isAsked = false
      log.warn(
        {},
        `Discord refuses MESSAGE CONTENT INTENT; Footbridge goes on without it. ${WITHOUT_CONTENT} Switch it on at the Bot page and restart, or set DISCORD_MESSAGE_CONTENT=off`,
      )
      return true
    },
  }
}
