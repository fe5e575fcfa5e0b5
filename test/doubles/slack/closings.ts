/** Acts that take the app out of a channel, and files out of it. Private channels have events of their own names. */
import type { Envelope, Json } from './types.ts'
import type { Workspace } from './workspace.ts'

export interface Closings {
  /** An administrator locks the thread below this message. */
  lockThread(channel: string, ts: string): void
  archiveChannel(channel: string, user: string): Envelope
  /** With all that was said in it; its files stay with their owners. */
  deleteChannel(channel: string): Envelope
  /** Somebody takes the app out of the channel. */
  removeApp(channel: string, user: string): Envelope
  /** The file stays in Slack; `isLast` false: another message of the channel still has it. */
  unshareFile(channel: string, file: string, user: string, isLast?: boolean): Envelope
}

export function createClosings(workspace: Workspace, sendEvent: (event: Json) => Envelope): Closings {
  const named = (channel: string, what: string) =>
    `${workspace.channel(channel).kind === 'private' ? 'group' : 'channel'}_${what}`
  const event = (type: string, channel: string, more: Json = {}) =>
    sendEvent({ type, channel, event_ts: workspace.nextTs(), ...more })
  return {
    lockThread(channel, ts) {
      const root = workspace.message(channel, ts)
      if (root !== undefined) root.locked = true
    },
    archiveChannel(channel, user) {
      workspace.channel(channel).archived = true
      return event(named(channel, 'archive'), channel, { user, is_moved: 0 })
    },
    deleteChannel(channel) {
      const type = named(channel, 'deleted')
      workspace.channels.delete(channel)
      for (const message of workspace.messages) if (message.channel === channel) message.deleted = true
      for (const { shares } of workspace.files.values()) shares.delete(channel)
      return event(type, channel)
    },
    removeApp(channel, user) {
      workspace.channel(channel).joined = false
      return event(named(channel, 'left'), channel, { actor_id: user })
    },
    unshareFile(channel, file, user, isLast = true) {
      if (isLast) workspace.files.get(file)?.shares.delete(channel)
      const told = { file_id: file, user_id: user, file: { id: file }, channel_id: channel }
      return sendEvent({ type: 'file_unshared', ...told, event_ts: workspace.nextTs() })
    },
  }
}
