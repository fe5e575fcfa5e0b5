/** Work Objects: https://docs.slack.dev/messaging/work-objects-implementation */
import { checkBlocks } from './blocks.ts'
import { joined, type Method } from './chat.ts'
import { attach, entitiesIn, faultOf, refOf } from './entity-schema.ts'
import { isJson, Refusal, str, type Json, type StoredMessage } from './types.ts'
import type { Workspace } from './workspace.ts'

/** https://docs.slack.dev/interactivity: "trigger_id … expires in three seconds". */
const TRIGGER_MS = 3_000
const ERRORS = ['restricted', 'internal_error', 'not_found', 'custom', 'custom_partial_view', 'timeout', 'edit_error']

function unfurlEntities(metadata: Json, message: StoredMessage, workspace: Workspace): Json {
  const entities = entitiesIn(metadata)
  // Slack tells an app nothing of links in its own messages.
  if (message.botId === workspace.botId) throw new Refusal('cannot_unfurl_url')
  if (entities.some((one) => !message.text.includes(str(one['app_unfurl_url']) ?? '\n')))
    throw new Refusal('cannot_unfurl_url')
  return attach(entities, message, workspace)
}

/** https://docs.slack.dev/reference/methods/chat.unfurl: an address must be that of the message. */
const unfurl: Method = (args, { workspace }) => {
  const message = workspace.message(joined(workspace, args['channel']).id, args['ts'])
  if (message === undefined) throw new Refusal('cannot_find_message')
  if (isJson(args['metadata'])) return unfurlEntities(args['metadata'], message, workspace)
  const unfurls = isJson(args['unfurls']) ? args['unfurls'] : {}
  if (Object.keys(unfurls).length === 0) throw new Refusal('missing_unfurls')
  for (const [url, card] of Object.entries(unfurls)) {
    if (!message.text.includes(url)) throw new Refusal('cannot_unfurl_url')
    checkBlocks(isJson(card) ? card['blocks'] : undefined)
  }
  message.unfurls = unfurls
  return {}
}

/** A press on a Work Object of a message: its trigger is good once, for three seconds. */
export function openEntity(workspace: Workspace, message: StoredMessage, user: string, at = 0): Json {
  const entity = message.entities?.[at]
  const event_ts = workspace.nextTs()
  if (entity === undefined) throw new Error(`No Work Object is under ${message.ts}.`)
  const trigger_id = workspace.nextId('trigger.')
  workspace.triggers.set(trigger_id, { user, at: Date.now(), entity: refOf(entity) })
  const url = str(entity['url']) ?? ''
  return {
    type: 'entity_details_requested',
    user,
    trigger_id,
    external_ref: entity['external_ref'],
    entity_url: url,
    app_unfurl_url: entity['app_unfurl_url'],
    link: { url, domain: new URL(url).hostname },
    user_locale: 'en-GB',
    channel: message.channel,
    message_ts: message.ts,
    ...(message.threadTs === undefined ? {} : { thread_ts: message.threadTs }),
    event_ts,
  }
}

export const entityMethods: Readonly<Record<string, Method>> = {
  'chat.unfurl': unfurl,
  'entity.presentDetails': ({ trigger_id, metadata, error }, { workspace }) => {
    const id = str(trigger_id) ?? ''
    const trigger = workspace.triggers.get(id)
    // Slack looks at the trigger before all else.
    if (trigger?.entity === undefined || Date.now() - trigger.at > TRIGGER_MS) throw new Refusal('invalid_trigger_id')
    workspace.triggers.delete(id)
    if (isJson(error)) {
      if (!ERRORS.includes(str(error['status']) ?? '')) throw new Refusal('invalid_arguments')
      // Backticks and stars of a message without a format show as they are.
      if (![undefined, 'markdown'].includes(str(error['message_format']))) throw new Refusal('invalid_arguments')
      workspace.flexpanes.set(trigger.user, { error })
      return {}
    }
    if (!isJson(metadata)) throw new Refusal('invalid_metadata')
    const fault = faultOf(metadata)
    if (fault !== undefined) throw new Refusal('invalid_arguments', { response_metadata: { messages: [fault] } })
    if (refOf(metadata) !== trigger.entity) throw new Refusal('entity_metadata_does_not_match_trigger')
    workspace.flexpanes.set(trigger.user, metadata)
    return {}
  },
}
