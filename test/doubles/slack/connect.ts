/**
 * A channel that several companies of the cloud share (Slack Connect). Each sees it by its own token, under the same
 * id. A message is one event, and it names any of the installations: https://docs.slack.dev/apis/events-api
 * ("authorizations": one entry, whichever; the others are not told).
 */
import type { CloudTeam } from './cloud.ts'
import type { FileRecord, Json } from './types.ts'
import { toWire } from './workspace.ts'

export interface ConnectSay {
  readonly user: string
  readonly text?: string
  readonly thread?: string
  readonly files?: readonly FileRecord[]
  /** The installations that Slack names, an event for each: one, or one after the other. */
  readonly named: readonly CloudTeam[]
  /** As a mention, too. */
  readonly mentions?: boolean
  /** Overrides fields of the event. */
  readonly fields?: Json
}

/** A time later than all that was said in any of them, and told by none of them again. */
function nextOf(teams: readonly CloudTeam[]): string {
  const latest =
    teams
      .map(({ workspace }) => workspace.nextTs())
      .toSorted()
      .at(-1) ?? ''
  for (const { workspace } of teams) while (workspace.nextTs() < latest);
  return latest
}

export function shareChannel(teams: readonly CloudTeam[], id = 'C0BRIDGE') {
  for (const { workspace } of teams) workspace.addChannel({ id, name: 'bridge' }).shared = true

  return {
    id,
    /** Somebody of this company, whom the others see as a stranger. */
    join(home: CloudTeam, user: string): string {
      for (const { workspace } of teams) {
        workspace.addUser({ id: user, name: user, teamId: home.id })
        workspace.channel(id).members.add(user)
      }
      return user
    },
    async say({ user, text = '', thread, files = [], named, mentions = false, fields = {} }: ConnectSay) {
      const ts = nextOf(teams)
      const subtype = files.length > 0 ? { subtype: 'file_share' } : {}
      for (const { workspace } of teams)
        workspace.insert({ channel: id, user, text, ts, blocks: [], files, threadTs: thread, ...subtype })
      for (const team of named) {
        const message = team.workspace.message(id, ts)
        const wire = message && toWire(team.workspace, message, false)
        // `team` is missing on file_share messages (slackapi/slack-api-specs#62).
        if (files.length > 0) delete wire?.['team']
        const event = { ...wire, channel: id, channel_type: 'channel', event_ts: ts, ...fields }
        if (mentions) await team.sendEvent({ ...event, type: 'app_mention' }).acked
        await team.sendEvent(event).acked
      }
      return ts
    },
  }
}
