/** What Slack wants of a Work Object: https://docs.slack.dev/messaging/work-objects-implementation */
import { isJson, str, type Json, type StoredMessage } from './types.ts'
import type { Workspace } from './workspace.ts'

export const refOf = (entity: Json) => str(isJson(entity['external_ref']) ? entity['external_ref']['id'] : undefined)

const isHttps = (value: unknown) => URL.parse(str(value) ?? '')?.protocol === 'https:'

/** A field as its type wants it: pictures have an address in place of a value; only strings and times are links. */
function isWhole(field: Json): boolean {
  const isPicture = field['type'] === 'slack#/types/image'
  const needed = isPicture ? ['key', 'label', 'type', 'image_url', 'alt_text'] : ['key', 'label', 'type', 'value']
  if (needed.some((name) => (str(field[name]) ?? '') === '')) return false
  if (isPicture) return isHttps(field['image_url'])
  const isLink = field['link'] !== undefined
  return !isLink || (isHttps(field['link']) && field['type'] === 'string' && field['format'] === undefined)
}

/** A preview that is shown needs its address and its type. */
function isPreview(preview: unknown): boolean {
  if (!isJson(preview)) return true
  const hasNone = preview['preview_url'] === undefined
  return (
    preview['is_supported'] === true &&
    (hasNone || (isHttps(preview['preview_url']) && str(preview['mime_type']) !== undefined))
  )
}

/** What Slack finds missing in an entity. It infers none of it from the press (derive-to/derive#625). */
export function faultOf(entity: Json): string | undefined {
  const payload = isJson(entity['entity_payload']) ? entity['entity_payload'] : {}
  const attributes = isJson(payload['attributes']) ? payload['attributes'] : {}
  const title = isJson(attributes['title']) ? str(attributes['title']['text']) : undefined
  if (refOf(entity) === undefined) return 'missing required field: external_ref'
  if (!/^[\w-]{1,255}$/.test(refOf(entity) ?? '')) return 'external_ref is malformed'
  if (URL.parse(str(entity['url']) ?? '')?.protocol !== 'https:') return 'missing required field: url'
  if (!(str(entity['entity_type']) ?? '').startsWith('slack#/entities/')) return 'unknown entity_type'
  if (title === undefined || title === '') return 'missing required field: title'
  const fields = Array.isArray(payload['custom_fields']) ? payload['custom_fields'].filter(isJson) : []
  if (!fields.every(isWhole)) return 'a custom field has key, label, type and value'
  return isPreview(attributes['full_size_preview']) ? undefined : 'full_size_preview has preview_url and mime_type'
}

export const entitiesIn = (metadata: Json) =>
  Array.isArray(metadata['entities']) ? metadata['entities'].filter(isJson) : []

/** Slack says ok to entities that it leaves out, with a warning at best. */
export function attach(entities: readonly Json[], message: StoredMessage, workspace: Workspace): Json {
  const messages = entities.flatMap((one) => faultOf(one) ?? [])
  if (messages.length > 0) return { warning: 'invalid_metadata_format', response_metadata: { messages } }
  if (workspace.hasWorkObjects !== false) message.entities = entities
  return {}
}

/** Cards of a message of the app itself, for which it has no link: "Notifications" in the page above. */
export const attachEntities = (metadata: Json | undefined, message: StoredMessage, workspace: Workspace): Json =>
  metadata?.['entities'] === undefined ? {} : attach(entitiesIn(metadata), message, workspace)
